package deduptest

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/routing"
)

var loose = Options{ShowsAll: true, Without: []string{"order"}}

// broken has the mistakes that readers were seen to make or could make, each under the guarantee
// that names it.
var broken = []struct {
	mistake, breaks string
	o               Options
	spoil           func(*naive)
}{
	{"skips endpoints without targetRef", "all", strict, func(n *naive) {
		n.reads = func(c *entry) bool { return c.endpoint.TargetRef != nil }
	}},
	{"skips targets that are no Pods", "all", strict, func(n *naive) {
		n.reads = func(c *entry) bool { return c.endpoint.TargetRef == nil || c.endpoint.TargetRef.Kind == "Pod" }
	}},
	{"compares targets by name", "order", strict, func(n *naive) { n.target = targetBy(func(r *corev1.ObjectReference) any { return r.Name }) }},
	{"compares targets by kind and name", "order", strict, func(n *naive) {
		n.target = targetBy(func(r *corev1.ObjectReference) any { return r.Kind + r.Namespace + r.Name })
	}},
	{"does not compare targets", "order", strict, func(n *naive) { n.target = func(entry) any { return nil } }},
	{"the protocol of the first port for all", "all", loose, func(n *naive) {
		n.reads = func(c *entry) bool {
			c.seen.Protocol = *c.slice.Ports[0].Protocol
			return true
		}
	}},
	{"hints by slice", "hints", loose, func(n *naive) { n.group = func(c entry) any { return c.slice } }},
	{"hints by Service", "hints", loose, func(n *naive) {
		n.group = func(c entry) any { return [2]any{c.seen.Service, c.slice.AddressType} }
	}},
	{"hints by port, for both families", "hints", loose, func(n *naive) { n.group = func(c entry) any { return c.seen.port() } }},
	{"hints count where any endpoint has one", "hints", loose, func(n *naive) { n.hinted = func(entry, int) bool { return true } }},
	{"the first zone of a hint only", "hints", loose, func(n *naive) {
		n.serves = func(c entry, by int, at routing.Location) bool {
			first, _, _ := strings.Cut(hintsOf(c.endpoint)[by], ",")
			return first == [2]string{at.NodeName, at.Zone}[by]
		}
	}},
	{"keeps the first hint of a target", "hints", loose, func(n *naive) {
		known := map[any]*discoveryv1.EndpointHints{}
		n.reads = func(c *entry) bool {
			if e := *c.endpoint; e.Hints != nil && e.TargetRef != nil {
				if known[e.TargetRef.UID] == nil {
					known[e.TargetRef.UID] = e.Hints
				}
				e.Hints = known[e.TargetRef.UID]
				c.endpoint = &e
			}
			return true
		}
	}},
	{"no hints for nodes", "hints", loose, func(n *naive) {
		n.hinted = func(c entry, by int) bool { return by == forZones && hintsOf(c.endpoint)[by] != "" }
	}},
	{"hints for nodes count where any endpoint has one", "hints", loose, func(n *naive) {
		n.hinted = func(c entry, by int) bool { return by == forNodes || hintsOf(c.endpoint)[by] != "" }
	}},
	{"zones before nodes", "hints", loose, func(n *naive) {
		serves := n.serves
		n.serves = func(c entry, by int, at routing.Location) bool { return serves(c, forZones, at) }
	}},
	{"a slice that loses its label stays", "only", loose, func(n *naive) {
		n.heeds = func(e Event) bool { return e.New == nil || serviceOf(e.New).Name != "" }
	}},
	{"a slice stays with its first Service", "all", loose, func(n *naive) {
		first := map[sliceName]string{}
		n.reads = func(c *entry) bool {
			name := nameOf(c.slice)
			if first[name] == "" {
				first[name] = c.seen.Service.Name
			}
			c.seen.Service.Name = first[name]
			return true
		}
	}},
	{"keeps slices by name only", "all", loose, func(n *naive) {
		n.key = func(s *discoveryv1.EndpointSlice) sliceName { return sliceName{Name: s.Name} }
	}},
	{"nil ready is not ready", "only", loose, func(n *naive) {
		n.reads = func(c *entry) bool {
			if c.endpoint.Conditions.Ready == nil {
				c.seen.State = isUnready
			}
			return true
		}
	}},
	{"nil serving is not serving", "only", loose, func(n *naive) {
		n.reads = func(c *entry) bool {
			if c.endpoint.Conditions.Serving == nil && c.seen.State == isDraining {
				c.seen.State = isUnready
			}
			return true
		}
	}},
	{"ready is what is ready and does not terminate", "all", Options{}, readyIf(func(s conditions.State) bool { return s.Ready && !s.Terminating })},
	{"ready is what is ready and serves", "all", Options{}, readyIf(func(s conditions.State) bool { return s.Ready && s.Serving })},
	{"ready is what serves", "only", Options{}, readyIf(func(s conditions.State) bool { return s.Serving })},
	{"all endpoints", "only", Options{}, func(*naive) {}},
	{"tombstones are ignored", "only", loose, func(n *naive) { n.heeds = func(e Event) bool { return !e.Tombstone } }},
	{"empty updates are ignored", "only", loose, func(n *naive) { n.heeds = func(e Event) bool { return e.New == nil || len(e.New.Endpoints) > 0 } }},
	{"one newest version for all slices", "all", loose, func(n *naive) {
		newest := 0
		n.heeds = func(e Event) bool {
			older := e.New != nil && versionOf(e.New) < newest
			if e.New != nil {
				newest = max(newest, versionOf(e.New))
			}
			return !older
		}
	}},
	{"the number is not part of the place", "all", loose, func(n *naive) {
		n.place = func(s Seen) Seen {
			s.Number = 0
			return s.place()
		}
	}},
	{"the Service is not part of the place", "all", loose, func(n *naive) {
		n.place = func(s Seen) Seen {
			s.Service.Name = ""
			return s.place()
		}
	}},
	{"no deduplication", "once", loose, func(n *naive) {
		number := 0
		n.place = func(Seen) Seen {
			number++
			return Seen{Number: int32(number)}
		}
	}},
	{"one address in two spellings", "once", loose, func(n *naive) {
		n.reads = func(c *entry) bool {
			c.seen.Address = c.endpoint.Addresses[0]
			return true
		}
		n.place = func(s Seen) Seen { return s }
	}},
	{"lists slice by slice", "same-list", strict, func(*naive) {}},
	{"ports have numbers", "no-panic", loose, func(n *naive) {
		n.heeds = func(e Event) bool { return e.New == nil || len(e.New.Ports) == 0 || *e.New.Ports[0].Port > 0 }
	}},
	{"sorts in place", "pure", loose, func(n *naive) {
		n.heeds = func(e Event) bool {
			if e.New != nil {
				slices.SortFunc(e.New.Endpoints, func(a, b discoveryv1.Endpoint) int {
					return strings.Compare(a.Addresses[0], b.Addresses[0])
				})
			}
			return true
		}
	}},
}

func targetBy(key func(*corev1.ObjectReference) any) func(entry) any {
	return func(c entry) any {
		if c.endpoint.TargetRef == nil {
			return nil
		}
		return key(c.endpoint.TargetRef)
	}
}

// TestBroken checks that each mistake is found within the first 1 000 histories of a run.
func TestBroken(t *testing.T) {
	for _, row := range broken {
		t.Run(row.mistake, func(t *testing.T) {
			t.Parallel()
			row.o.Histories = 1000
			k := suiteOf(t, row.o, with(row.spoil))
			if n, err := k.Until(row.breaks, k.menu(), k.play); n == 0 {
				t.Errorf("%s is not found broken, %v", row.breaks, err)
			}
		})
	}
}

// TestMain has garbage collected less often, because the tests play many short histories and keep
// none of them.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}
