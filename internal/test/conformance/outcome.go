package conformance

import (
	"maps"
	"slices"
	"sort"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/slicer"
)

// outcome is what one side makes of a cluster.
type outcome struct {
	writes []Write
	// after are the slices that the Service's controller cares for, as they are then.
	after []*discoveryv1.EndpointSlice
	// endpoints are those published, by address type and ports, each as often as it is there,
	// sorted.
	endpoints map[string][]string
}

func outcomeOf(c *Cluster, writes []Write) *outcome {
	o := &outcome{writes: writes, after: After(c.live(), writes), endpoints: map[string][]string{}}
	for _, s := range o.after {
		group := check.KeyOf(s)
		for i := range s.Endpoints {
			o.endpoints[group] = append(o.endpoints[group], meaning(&s.Endpoints[i]))
		}
	}
	for _, list := range o.endpoints {
		sort.Strings(list)
	}
	return o
}

// count is the number of endpoints published.
func (o *outcome) count() int {
	n := 0
	for _, list := range o.endpoints {
		n += len(list)
	}
	return n
}

// rewritten is the number of existing slices that are written.
func (o *outcome) rewritten() int { return len(o.writes) - len(o.of(slicer.Create)) }

// groups lists all groups that either outcome has, in order.
func groups(a, b *outcome) []string {
	all := maps.Clone(a.endpoints)
	maps.Copy(all, b.endpoints)
	return slices.Sorted(maps.Keys(all))
}

// of lists the written objects of one verb.
func (o *outcome) of(verbs ...string) []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, w := range o.writes {
		if slices.Contains(verbs, w.Verb) && w.Slice != nil {
			list = append(list, w.Slice)
		}
	}
	return list
}

// hints has the hints of each ready endpoint by its place; "" where there are none.
func (o *outcome) hints() map[string]string {
	all := map[string]string{}
	for _, s := range o.after {
		for i := range s.Endpoints {
			if e := &s.Endpoints[i]; isReady(e) {
				all[place(s, e)] = hintsOf(e)
			}
		}
	}
	return all
}
