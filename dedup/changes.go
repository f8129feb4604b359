package dedup

import (
	"cmp"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/table"
)

// Changes are what a Flush changed. Only slices count: if a Service changes, call ForProxy again.
type Changes struct {
	// Services has each Service with a change once, sorted, also a Service without a Delta, for
	// example because only the label of a slice changed. A slice that was written again counts as
	// changed. View.Has tells whether a Service still exists.
	Services []types.NamespacedName
	// Ports have a Delta for each changed port, sorted.
	Ports []Delta
}

// Delta is what a Flush changed at one port of a Service. An endpoint is in at most one of Added,
// Removed and Changed. All are sorted.
type Delta struct {
	// Port is the port.
	Port ServicePortName
	// Appeared and Gone say that the port is new, or has no slice any more.
	Appeared, Gone bool

	change *table.Change // nil in the zero Delta
}

var noChange table.Change

func (d Delta) changes() *table.Change { return cmp.Or(d.change, &noChange) }

// Added yields endpoints whose address and number are new.
func (d Delta) Added() iter.Seq[Endpoint] { return endpointsOf(d.changes().Added) }

// Removed yields endpoints whose address and number are gone.
func (d Delta) Removed() iter.Seq[Endpoint] { return endpointsOf(d.changes().Removed) }

func endpointsOf(claims []table.Claim) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) {
		for _, c := range claims {
			if !yield(endpointOf(c)) {
				return
			}
		}
	}
}

// Changed yields endpoints that stay and have something else changed, as they were and as they are,
// such as one that starts to terminate. A move to another slice alone is no change.
func (d Delta) Changed() iter.Seq2[Endpoint, Endpoint] {
	return func(yield func(old, now Endpoint) bool) {
		for _, pair := range d.changes().Changed {
			if !yield(endpointOf(pair[0]), endpointOf(pair[1])) {
				return
			}
		}
	}
}

// String returns the port, whether it appeared or is gone, and its endpoints: +added,
// ~changed(fields) and -removed.
func (d Delta) String() string {
	words := []string{d.Port.String()}
	if d.Appeared {
		words = append(words, "appeared")
	}
	if d.Gone {
		words = append(words, "gone")
	}
	for e := range d.Added() {
		words = append(words, "+"+e.String())
	}
	for _, pair := range d.changes().Changed {
		fields := strings.Join(pair[0].Differences(pair[1]), ",")
		words = append(words, "~"+endpointOf(pair[1]).String()+"("+fields+")")
	}
	for e := range d.Removed() {
		words = append(words, "-"+e.String())
	}
	return strings.Join(words, " ")
}

// report collects what a Flush changed.
type report struct {
	services map[types.NamespacedName]bool
	deltas   []Delta
}

// port is a table.Report.
func (r *report) port(service types.NamespacedName, before, after *table.Port, c *table.Change) {
	d := Delta{
		Port: portName(service, after.PortName), Appeared: before.Slices == 0, Gone: after.Slices == 0, change: c,
	}
	if d.Appeared || d.Gone || len(c.Added)+len(c.Removed)+len(c.Changed) > 0 {
		r.deltas = append(r.deltas, d)
		r.changed(service)
	}
}

func (r *report) changed(service types.NamespacedName) {
	if r.services == nil {
		r.services = map[types.NamespacedName]bool{}
	}
	r.services[service] = true
}

// changes returns the changes. edits are what the Flush applied.
func (r *report) changes(edits []table.Edit) Changes {
	c := Changes{Ports: r.deltas}
	for _, e := range edits {
		if name := e.Service(); !r.services[name] && !sameContent(e.Before, e.After) {
			r.changed(name)
		}
	}
	for name := range r.services {
		if name.Name != "" {
			c.Services = append(c.Services, name)
		}
	}
	slices.SortFunc(c.Services, content.CompareNames)
	return c
}

// sameContent reports whether a slice was noted again as it was.
func sameContent(s, t *content.Slice) bool {
	return s != nil && t != nil && s.Age.Compare(&t.Age) == 0 && s.Headless == t.Headless &&
		slices.Equal(s.Ports, t.Ports) && maps.Equal(s.Labels, t.Labels) && s.API.AddressType == t.API.AddressType &&
		reflect.DeepEqual(s.API.Endpoints, t.API.Endpoints)
}
