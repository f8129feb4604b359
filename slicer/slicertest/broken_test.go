package slicertest_test

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestBrokenWriters checks that mistakes of writers in the field are found, each under the guarantee that names it; mistakes of one
// line are in TestSpoiltWriters. All of
// these writers are naive, so that they break others as well; beside each is one that it keeps.
func TestBrokenWriters(t *testing.T) {
	for _, row := range []struct {
		name         string
		start        slicertest.Writer
		breaks, keep string
		also         []string
	}{
		{"chunks by position", each(byChunk), "no-gap", "complete", nil},
		{"one slice only", each(oneSlice), "within-max", "complete", nil},
		{"endpoints matched by position", each(byPosition), "same-as-fresh", "within-max", nil},
		{"deletes before creates", each(deleteFirst), "no-gap", "complete", nil},
		{"all slices rewritten", each(rewriteAll), "fixed-point", "complete", nil},
		{"a cache trusted after a conflict", trustedCache, "converges", "foreign-kept", nil},
		{"IPv6 spelt in another way", each(spelled), "fixed-point", "complete", nil},
		{"creates without a look", each(createAgain), "once", "accepted", nil},
		{"moves by sorting", each(byChunk), "nobody-moves", "accepted", strict},
		{"two writes for one change", each(rewriteAll), "fewest-writes", "accepted", strict},
		{"gaps while ports change", each(deleteFirst), "no-port-gap", "accepted", strict},
		{"the order of the lister", each(unsorted), "deterministic", "accepted", strict},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			o := slicertest.Options{ManagedBy: manager, Max: 3, Also: row.also, Without: []string{"NamedPorts"}}
			found := breaking(t, o, row.start, row.breaks)
			broken := finding(found, row.breaks)
			if kept := finding(found, row.keep); kept.Failed > 0 {
				t.Errorf("it keeps %s, and this is found:\n%s", row.keep, kept)
			}
			breach := "\n      ! "
			if row.breaks == "deterministic" {
				breach = "\n  once:  "
			}
			if broken.Failed == 0 || !strings.Contains(broken.Story, breach) {
				t.Errorf("%s is not found broken, or not told: %v", row.breaks, broken)
			}
		})
	}
}

// breaking is what is found in a few histories, which most mistakes need, or in all where these do not break the guarantee.
func breaking(t *testing.T, o slicertest.Options, start slicertest.Writer, guarantee string) (found []slicertest.Finding) {
	t.Helper()
	for _, o.Histories = range []int{100, 0} {
		if found = check(t, o, start); finding(found, guarantee).Failed > 0 {
			break
		}
	}
	return found
}

// finding is the one of a guarantee, zero if there is none.
func finding(all []slicertest.Finding, g string) slicertest.Finding {
	for _, f := range all {
		if f.Guarantee == g {
			return f
		}
	}
	return slicertest.Finding{}
}

// byChunk cuts the sorted endpoints into slices anew each time.
func byChunk(c call) error { return c.publish(c.chunks()) }

// oneSlice puts all endpoints of a family into one slice.
func oneSlice(c call) error {
	var wanted []*discoveryv1.EndpointSlice
	for _, family := range c.Service.Spec.IPFamilies {
		wanted = append(wanted, c.slice("web-"+string(family[2:])+"x", discoveryv1.AddressType(family), c.endpoints(family)))
	}
	return c.publish(wanted)
}

// byPosition changes the address of the endpoint at the same place, and leaves everything else that it says.
func byPosition(c call) error {
	wanted := c.chunks()
	for _, s := range wanted {
		if old := c.named(s.Name); old != nil {
			for i := range min(len(s.Endpoints), len(old.Endpoints)) {
				kept := old.DeepCopy().Endpoints[i]
				kept.Addresses = s.Endpoints[i].Addresses
				s.Endpoints[i] = kept
			}
		}
	}
	return c.publish(wanted)
}

// deleteFirst deletes all slices and creates them anew when anything has changed.
func deleteFirst(c call) error {
	wanted := c.chunks()
	changed := len(wanted) != len(c.Own)
	for _, s := range wanted {
		old := c.named(s.Name)
		changed = changed || old == nil || !same(old, s)
	}
	if !changed {
		return nil
	}
	if err := c.remove(nil); err != nil {
		return err
	}
	for _, s := range wanted {
		if err := c.create(s); err != nil {
			return err
		}
	}
	return nil
}

// rewriteAll updates every slice in every sync.
func rewriteAll(c call) error { return c.publishWith(c.write, c.chunks()) }

// trustedCache believes for ever what the API server answered to its last write.
func trustedCache(api *slicertest.API) slicertest.Sync {
	known := map[string]*discoveryv1.EndpointSlice{}
	return func(ctx context.Context, s slicertest.State) error {
		c := call{Context: ctx, api: api, State: s}
		for _, w := range c.chunks() {
			old := known[w.Name]
			if old == nil {
				old = c.named(w.Name)
			}
			if old != nil && same(old, w) {
				continue
			}
			stored, err := w, error(nil)
			if old == nil {
				stored, err = api.Create(ctx, w, metav1.CreateOptions{})
			} else {
				w.UID, w.ResourceVersion = old.UID, old.ResourceVersion
				stored, err = api.Update(ctx, w, metav1.UpdateOptions{})
			}
			if err != nil {
				return err
			}
			known[w.Name] = stored
		}
		return nil
	}
}

// spelled writes addresses in their canonical spelling, and compares them with the Pods'.
func spelled(c call) error {
	return c.publishWith(func(s *discoveryv1.EndpointSlice) error {
		if old := c.named(s.Name); old != nil && same(old, s) {
			return nil
		}
		for i, e := range s.Endpoints {
			s.Endpoints[i].Addresses = []string{netip.MustParseAddr(e.Addresses[0]).String()}
		}
		return c.write(s)
	}, c.chunks())
}

// createAgain looks for slices that hold an endpoint, and does not see that two of them do.
func createAgain(c call) error {
	for _, family := range c.Service.Spec.IPFamilies {
		for _, e := range c.endpoints(family) {
			held := slices.ContainsFunc(c.Own, func(s *discoveryv1.EndpointSlice) bool {
				return slices.ContainsFunc(s.Endpoints, func(o discoveryv1.Endpoint) bool { return o.Addresses[0] == e.Addresses[0] })
			})
			if held {
				continue
			}
			s := c.slice("", discoveryv1.AddressType(family), []discoveryv1.Endpoint{e})
			s.GenerateName = "web-"
			if err := c.create(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// unsorted writes endpoints in the order in which it finds the Pods, and leaves what is complete.
func unsorted(c call) error {
	for _, family := range c.Service.Spec.IPFamilies {
		if len(c.Own) > 0 {
			break
		}
		es := c.endpoints(family)
		slices.SortFunc(es, func(a, b discoveryv1.Endpoint) int { return c.index(a) - c.index(b) })
		if err := c.put(c.slice("web-"+strings.ToLower(string(family)), discoveryv1.AddressType(family), es)); err != nil {
			return err
		}
	}
	return nil
}

func (c call) index(e discoveryv1.Endpoint) int {
	return slices.IndexFunc(c.Pods, func(p *corev1.Pod) bool { return p.UID == e.TargetRef.UID })
}
