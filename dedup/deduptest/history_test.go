package deduptest

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// TestSlicesAreAccepted holds the slices of all histories to what the API server accepts, and
// updates to what it lets change.
func TestSlicesAreAccepted(t *testing.T) {
	for _, h := range histories(t, Options{}, 1000) {
		for _, m := range moments(h) {
			slice, old := m.event.New, m.event.Old
			if slice == nil {
				continue
			}
			errs := sim.CreateErrors(slice)
			if slice.Generation == 0 {
				t.Fatalf("%s has no generation", sliceText(slice))
			}
			if old != nil && old.UID == slice.UID {
				old = old.DeepCopy()
				if old.Generation > slice.Generation && !m.recalled() {
					t.Fatalf("%s goes back to generation %d", sliceText(slice), slice.Generation)
				}
				old.ResourceVersion, old.Generation = slice.ResourceVersion, slice.Generation
				errs = append(errs, sim.UpdateErrors(slice, old)...)
			}
			if len(errs) > 0 || slice.Kind != "" || slice.APIVersion != "" {
				t.Fatalf("%s: %v", sliceText(slice), errs)
			}
		}
	}
}

func moments(h kit.History) []moment {
	_, all := live(h)
	return all
}

// recalled reports whether a slice has two versions.
func (m *moment) recalled() bool {
	for _, versions := range m.known {
		if len(versions) > 1 {
			return true
		}
	}
	return false
}

// histories draws n of a reader's, with a kit of options that is never run.
func histories(t *testing.T, o Options, n int) (all []kit.History) {
	t.Helper()
	k, err := newSuite(o, blind)
	if err != nil {
		t.Fatal(err)
	}
	m, random := k.menu(), rand.New(rand.NewPCG(1, 2))
	for _, a := range m.Happen {
		for _, b := range m.Happen {
			all = append(all, kit.History{Setup: m.Setup(random, false), Steps: []kit.Step{{Event: a}, {Event: b}}})
		}
	}
	for len(all) < n {
		h := kit.History{Setup: m.Setup(random, false)}
		for range 6 {
			h.Steps = append(h.Steps, kit.Step{Event: m.Happen[random.IntN(len(m.Happen))], N: random.IntN(36)})
		}
		all = append(all, h)
	}
	return all
}

// TestAnyStepCanBeLeftOut plays random parts of histories, and each history twice.
func TestAnyStepCanBeLeftOut(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for i, h := range histories(t, Options{}, 0) {
		if i%4 == 0 && !reflect.DeepEqual(moments(h), moments(h)) {
			t.Fatalf("history %d is two", i)
		}
		h.Setup = slices.DeleteFunc(slices.Clone(h.Setup), func(kit.Step) bool { return source.IntN(2) == 0 })
		h.Steps = slices.DeleteFunc(h.Steps, func(kit.Step) bool { return source.IntN(2) == 0 })
		moments(h)
	}
}

// TestFeatures checks that each feature comes up, and does not when it is left out.
func TestFeatures(t *testing.T) {
	nightly.Slow(t)
	tells := func(text string) func(*moment) bool {
		return func(m *moment) bool { return m.event.New != nil && strings.Contains(sliceText(m.event.New), text) }
	}
	shown := map[string]func(*moment) bool{
		"FQDN": tells(" fqdn "), "IPv6": tells(" ipv6 "), "Spelling": tells("FD00:0::1"), "UDP": tells("/udp"), "AnyPort": tells(":*"),
		"Relabelling": func(m *moment) bool {
			old, now := m.event.Old, m.event.New
			return old != nil && now != nil &&
				old.Labels[discoveryv1.LabelServiceName] != now.Labels[discoveryv1.LabelServiceName]
		},
		"DoubledDeletes": func(m *moment) bool { return m.event.New == nil && m.resync },
		"LostDeletes":    func(m *moment) bool { return m.event.Tombstone },
		"OlderVersions":  (*moment).recalled,
		"UnnamedPort": func(m *moment) bool {
			return m.event.New != nil && len(m.event.New.Ports) > 1 && *m.event.New.Ports[1].Name == ""
		},
		"SeveralNumbers": func(m *moment) bool {
			numbers := map[Seen]int32{}
			for _, slice := range m.known {
				if slice[0] == nil {
					continue
				}
				for i := range slice[0].Ports {
					at := placeOf(slice[0], &slice[0].Ports[i], "")
					number := at.Number
					if at.Number = 0; number != 0 && numbers[at] != 0 && numbers[at] != number {
						return true
					}
					numbers[at] = max(numbers[at], number)
				}
			}
			return false
		},
	}
	comeUp := func(o Options, wanted []string) map[string]bool {
		found := map[string]bool{}
		for _, h := range histories(t, o, 0) {
			for _, m := range moments(h) {
				for _, f := range wanted {
					found[f] = found[f] || shown[f](&m)
				}
			}
		}
		return found
	}
	var features []string
	for _, f := range theKit.Features {
		features = append(features, f.Name)
	}
	whole := comeUp(Options{Also: []string{"UnnamedPort"}}, features)
	for _, f := range features {
		if !whole[f] {
			t.Errorf("%s does not come up", f)
		}
		if comeUp(Options{Without: []string{f}}, []string{f})[f] {
			t.Errorf("%s is left out, and comes up", f)
		}
	}
}
