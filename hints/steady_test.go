package hints_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// fleet is the slices of one set, as one writer keeps them: a Pod that goes makes its slice written, and a new one goes into a slice
// that is written, or the first with room.
type fleet struct {
	options hints.Options
	in      []hints.Slice
	number  int
	from    []hints.Source
	stats
}

// stats is what steps cost: hints of staying endpoints that changed, slices written for hints alone, and, added up after each step,
// traffic across zones and the load of the busiest endpoint.
type stats struct{ steps, changed, opened, across, busiest, worst int }

const perSlice = 20

func (f *fleet) add(zone string) {
	at := slices.IndexFunc(f.in, func(s hints.Slice) bool { return s.Written && len(s.Endpoints) < perSlice })
	if at < 0 {
		at = slices.IndexFunc(f.in, func(s hints.Slice) bool { return len(s.Endpoints) < perSlice })
	}
	if at < 0 {
		at, f.in = len(f.in), append(f.in, hints.Slice{Name: fmt.Sprintf("s%03d", len(f.in))})
	}
	f.number++
	f.in[at].Written = true
	f.in[at].Endpoints = append(f.in[at].Endpoints, endpointIn(zone, fmt.Sprintf("10.%d.%d.%d", f.number>>16, f.number>>8&255, f.number&255)))
}

// remove takes the n-th endpoint away and returns its zone.
func (f *fleet) remove(n int) string {
	for i := range f.in {
		if n < len(f.in[i].Endpoints) {
			zone := *f.in[i].Endpoints[n].Zone
			f.in[i].Written, f.in[i].Endpoints = true, slices.Delete(slices.Clone(f.in[i].Endpoints), n, n+1)
			return zone
		}
		n -= len(f.in[i].Endpoints)
	}
	panic("no such endpoint")
}

func (f *fleet) size() (n int) {
	for _, s := range f.in {
		n += len(s.Endpoints)
	}
	return n
}

// step decides hints and counts what that costs.
func (f *fleet) step(t *testing.T) (changed int) {
	changes, d, err := hints.Assign(f.options, f.in)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if f.in[c.Slice].Endpoints[c.Endpoint].Hints != nil {
			changed++
		}
	}
	f.in, _ = after(f.in, changes)
	var all []*discoveryv1.Endpoint
	for i := range f.in {
		for k := range f.in[i].Endpoints {
			all = append(all, &f.in[i].Endpoints[k])
		}
	}
	traffic, err := hints.Forecast(all, ipv4, f.from, hints.Policy{})
	if err != nil || len(traffic.Dropped) > 0 {
		t.Fatal(err, traffic)
	}
	busiest := int(traffic.Loads[traffic.Worst])
	f.stats = stats{f.steps + 1, f.changed + changed, f.opened + d.Opened, f.across + traffic.Across, f.busiest + busiest, max(f.worst, busiest)}
	if most := 100 * (f.options.Limit + 10); f.options.Limit > 0 && (!d.On || busiest > most) {
		t.Fatalf("the busiest endpoint is %v above the mean, limit %d%%: %v", hints.Overload(busiest), f.options.Limit, d)
	}
	return changed
}

// steadyOptions are what is compared: hints with a limit beside those that Kubernetes has.
func steadyOptions(zones map[string]int64) (names []string, options []hints.Options) {
	w := hints.Weights{Zones: zones}
	for _, limit := range []int{20, 50, 100} {
		names, options = append(names, fmt.Sprintf("limit %d%%", limit)), append(options, hints.Options{Mode: hints.SameZone, Limit: limit, Weights: w})
	}
	return append(names, "same zone", "no hints", "topology mode"), append(options, hints.Options{Mode: hints.SameZone}, hints.Options{},
		hints.Options{Mode: hints.Proportional, Weights: w})
}

// TestSteadiness measures what hints with a limit cost while Pods come and go: with -v it prints a row for each way to decide hints.
// What it checks is that nobody is ever above the limit and its margin. A walk is forty steps, each with a Pod more or one fewer, in
// any zone; in a rolling update each step takes a Pod away and starts one in its zone. SLICEWRIGHT_CASES says how many worlds a row is
// the mean of.
func TestSteadiness(t *testing.T) {
	for _, zones := range []int{2, 3, 6} {
		for _, size := range []int{2, 6, 30, 300} {
			for _, kind := range []string{"walk", "rolling update"} {
				r := rand.New(rand.NewPCG(uint64(zones), uint64(size)))
				total, names := map[string]stats{}, []string(nil)
				for range nightly.Cases(t, 1) {
					weights, homes, letters := map[string]int64{}, make([]string, size), strings.Split("abcdef", "")[:zones]
					var from []hints.Source
					for _, zone := range letters {
						weights[zone] = 1 + r.Int64N(8)
						from = append(from, hints.Source{Location: hints.Location{Zone: zone}, Weight: weights[zone]})
					}
					for i := range homes {
						homes[i] = letters[r.IntN(zones)]
					}
					var options []hints.Options
					names, options = steadyOptions(weights)
					seed := r.Uint64()
					for n, o := range options {
						f := &fleet{options: o, from: from}
						for _, zone := range homes {
							f.add(zone)
						}
						f.step(t)
						f.stats = stats{}
						r := rand.New(rand.NewPCG(seed, 1))
						for range 40 {
							switch away, zone := r.IntN(f.size()), letters[r.IntN(zones)]; {
							case kind == "rolling update":
								f.add(f.remove(away))
							case r.IntN(2) == 0 && f.size() > 1:
								f.remove(away)
							default:
								f.add(zone)
							}
							f.step(t)
						}
						s, now := total[names[n]], f.stats
						total[names[n]] = stats{s.steps + now.steps, s.changed + now.changed, s.opened + now.opened, s.across + now.across, s.busiest + now.busiest, max(s.worst, now.worst)}
					}
				}
				for _, name := range names {
					s := total[name]
					t.Logf("%d zones, %3d endpoints, %-14s %-13s %.2f hints of staying endpoints change and %.3f slices are opened a step, %2d%% across zones, the busiest %+d%% (worst %+d%%)",
						zones, size, kind, name, float64(s.changed)/float64(s.steps), float64(s.opened)/float64(s.steps), s.across/s.steps/100, s.busiest/s.steps/100, s.worst/100)
				}
			}
		}
	}
}

// TestPodComesBack: a Pod goes and comes back twenty times. After its third turn it changes no hint of others in at least nine of ten
// worlds; in how many it does is printed.
func TestPodComesBack(t *testing.T) {
	r, worlds, turning := rand.New(rand.NewPCG(1, 1)), 0, 0
	for range nightly.Cases(t, 100) {
		letters, weights := strings.Split("abcdef", "")[:2+r.IntN(5)], map[string]int64{}
		var from []hints.Source
		for _, zone := range letters {
			weights[zone] = 1 + r.Int64N(8)
			from = append(from, hints.Source{Location: hints.Location{Zone: zone}, Weight: weights[zone]})
		}
		_, options := steadyOptions(weights)
		f := &fleet{options: options[r.IntN(3)], from: from}
		for range 2 + r.IntN(40) {
			f.add(letters[r.IntN(len(letters))])
		}
		f.step(t)
		changed := 0
		for turn := range 20 {
			zone := f.remove(f.size() - 1)
			before := f.step(t)
			f.add(zone)
			if after := f.step(t); turn >= 3 {
				changed += before + after
			}
		}
		if worlds++; changed > 0 {
			turning++
		}
	}
	t.Logf("hints of others still change after the third turn in %d of %d worlds", turning, worlds)
	if turning*10 > worlds {
		t.Error("a Pod that comes back turns hints")
	}
}
