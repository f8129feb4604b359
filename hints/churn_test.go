package hints_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/hints"
)

// walk is a service over time: Pods come, go and are replaced, Nodes of 4 CPU come and go in three zones.
type walk struct {
	r      *rand.Rand
	config hints.Options
	nodes  [3]int
	in     []hints.Slice
	per    int // endpoints per slice
	last   int // number of the last Pod
	events *tally
}

// tally counts steps, and of these those with hints, those in which hints went on or off, and those with a zone over the stop
// threshold; and the hints that changed.
type tally struct{ steps, on, flips, over, changed int }

// churn runs a walk of Pods between low and high and adds up what happened.
func churn(t *testing.T, events *tally, seed uint64, thresholds hints.Thresholds, low, high, per, steps int) {
	w := &walk{r: rand.New(rand.NewPCG(seed, 7)), nodes: [3]int{6, 6, 6}, per: per, events: new(tally)}
	w.config = hints.Options{Mode: hints.Proportional, Thresholds: thresholds}
	for range (low + high) / 2 {
		w.join()
	}
	was := w.plan(t)
	w.events = events
	for range steps {
		if w.r.IntN(10) < 6 {
			w.pod(low, high)
		} else {
			zone := w.r.IntN(3)
			w.nodes[zone] = min(12, max(1, w.nodes[zone]+1-2*w.r.IntN(2)))
		}
		on := w.plan(t)
		if on != was {
			w.events.flips++
		}
		was = on
	}
}

func (w *walk) pods() int {
	n := 0
	for i := range w.in {
		n += len(w.in[i].Endpoints)
	}
	return n
}

// pod replaces a Pod, or adds or removes one.
func (w *walk) pod(low, high int) {
	n, kind := w.pods(), w.r.IntN(3)
	if kind != 0 && n > low {
		w.leave()
	}
	if kind != 1 && n < high {
		w.join()
	}
}

// join puts a Pod where the Nodes are, into the fullest slice with room.
func (w *walk) join() {
	w.last++
	at, zone := w.r.IntN(w.nodes[0]+w.nodes[1]+w.nodes[2]), 0
	for at >= w.nodes[zone] {
		at -= w.nodes[zone]
		zone++
	}
	e, _ := parseEndpoint(string(rune('a' + zone)))
	e.Addresses = []string{fmt.Sprintf("10.%d.%d.%d", w.last>>16, w.last>>8&255, w.last&255)}
	for i := range w.in {
		if s := &w.in[i]; len(s.Endpoints) < w.per {
			s.Endpoints, s.Written = append(s.Endpoints, e), true
			return
		}
	}
	s := hints.Slice{Name: fmt.Sprintf("s%05d", w.last), Written: true}
	s.Endpoints = append(s.Endpoints, e)
	w.in = append(w.in, s)
}

func (w *walk) leave() {
	at := w.r.IntN(w.pods())
	for i := range w.in {
		s := &w.in[i]
		if at < len(s.Endpoints) {
			s.Endpoints, s.Written = append(s.Endpoints[:at:at], s.Endpoints[at+1:]...), true
			return
		}
		at -= len(s.Endpoints)
	}
}

// plan hints and counts.
func (w *walk) plan(t *testing.T) bool {
	w.config.Weights.Zones = map[string]int64{"a": int64(w.nodes[0]) * 4000, "b": int64(w.nodes[1]) * 4000, "c": int64(w.nodes[2]) * 4000}
	changes, d, err := hints.Assign(w.config, w.in)
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Check(w.config, w.in, changes, d); err != nil {
		t.Fatalf("%v\n%s\n%v", err, printSlices(w.in), d)
	}
	for _, c := range changes {
		if w.in[c.Slice].Endpoints[c.Endpoint].Hints != nil {
			w.events.changed++
		}
	}
	w.in = check.After(w.in, changes)
	w.events.steps++
	if d.On {
		w.events.on++
	}
	stop := hints.Overload(100 * cmp.Or(w.config.Thresholds.Stop, 20))
	if slices.ContainsFunc(d.Zones, func(z hints.Zone) bool { return z.Overload > stop }) {
		w.events.over++
	}
	return d.On
}

// With aim below start and start below stop, hints of a service with three Pods per zone and more never go off, and no
// zone is ever overloaded above stop, while Pods and Nodes come and go. The other rows are for comparison.
func TestChurn(t *testing.T) {
	seeds, steps := 8, 1000
	if testing.Short() {
		seeds, steps = 3, 300
	}
	rows := []struct {
		why        string
		thresholds hints.Thresholds
		low, high  int
		per        int
		calm       bool // no flips
	}{
		{"Kubernetes' single threshold", hints.Thresholds{}, 9, 60, 100, false},
		{"stop as the KEP has it", hints.Thresholds{Aim: 20, Start: 20, Stop: 30}, 9, 60, 100, true},
		{"recommended", hints.Thresholds{Aim: 10, Start: 20, Stop: 30}, 9, 60, 100, true},
		{"recommended, ten per slice", hints.Thresholds{Aim: 10, Start: 20, Stop: 30}, 9, 60, 10, true},
		{"one to four Pods per zone cannot be calm", hints.Thresholds{Aim: 10, Start: 20, Stop: 30}, 3, 12, 100, false},
	}
	for _, row := range rows {
		var sum tally
		for seed := range seeds {
			churn(t, &sum, uint64(seed), row.thresholds, row.low, row.high, row.per, steps)
		}
		t.Logf("%s: %+v", row.why, sum)
		if sum.over > 0 {
			t.Errorf("%s: over the stop threshold in %d of %d steps", row.why, sum.over, sum.steps)
		}
		if row.calm && sum.flips > 0 {
			t.Errorf("%s: hints went on or off %d times", row.why, sum.flips)
		}
	}
}
