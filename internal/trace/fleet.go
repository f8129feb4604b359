package trace

import (
	"math/rand"
	"slices"
	"time"
)

// fleet makes traces: it knows which Pods there are and draws some.
type fleet struct {
	size   int // how many Pods it begins with
	rand   *rand.Rand
	pods   []int // Pods that are neither deleted nor terminating
	next   int   // the number of the next Pod; none is used twice
	rounds []Round
	now    Round
}

func newFleet(endpoints int, seed int64) *fleet {
	f := &fleet{size: endpoints, rand: rand.New(rand.NewSource(seed))}
	f.ready(f.add(endpoints))
	f.plan()
	return f
}

// pace is how many Pods come or go between two plans at most.
func (f *fleet) pace() int { return max(1, f.size/100) }

// plan ends a round.
func (f *fleet) plan() {
	f.now.At = time.Duration(len(f.rounds)) * time.Second
	f.rounds = append(f.rounds, f.now)
	f.now = Round{}
}

func (f *fleet) ready(pods []int)   { f.now.Ready = append(f.now.Ready, pods...) }
func (f *fleet) unready(pods []int) { f.now.Unready = append(f.now.Unready, pods...) }
func (f *fleet) gone(pods []int)    { f.now.Gone = append(f.now.Gone, pods...) }

// add makes new Pods, which are not published yet.
func (f *fleet) add(n int) []int {
	added := make([]int, n)
	for i := range added {
		added[i] = f.next
		f.next++
	}
	f.pods = append(f.pods, added...)
	return added
}

// take draws at most n of the Pods, which count no longer.
func (f *fleet) take(n int) []int {
	n = min(n, len(f.pods))
	for i := range n {
		j := i + f.rand.Intn(len(f.pods)-i)
		f.pods[i], f.pods[j] = f.pods[j], f.pods[i]
	}
	taken := slices.Clone(f.pods[:n])
	f.pods = slices.Delete(f.pods, 0, n)
	return taken
}

// some draws at most n of the Pods.
func (f *fleet) some(n int) []int {
	some := f.take(n)
	f.pods = append(f.pods, some...)
	return some
}

// scale adds or removes Pods, at most pace in a round, until there are the given number.
func (f *fleet) scale(want, pace int) {
	for len(f.pods) != want {
		if more := want - len(f.pods); more > 0 {
			f.ready(f.add(min(pace, more)))
		} else {
			f.gone(f.take(min(pace, -more)))
		}
		f.plan()
	}
}

// replace lets some Pods go; new ones take their place in the round after.
func (f *fleet) replace(n int) {
	gone := f.take(n)
	f.gone(gone)
	f.plan()
	f.ready(f.add(len(gone)))
	f.plan()
}

// fail lets some Pods fail their probe, and pass it in the round after.
func (f *fleet) fail(n int) {
	failing := f.some(n)
	f.unready(failing)
	f.plan()
	f.ready(failing)
	f.plan()
}

// roll replaces all Pods as a Deployment does: no more than 25% below their number are not
// available, rounded down, and there are no more than 25% above it, rounded up. Old Pods are not
// ready for a round before they are gone, and new ones until they are ready, in no particular
// order.
func (f *fleet) roll(pace int) {
	n := len(f.pods)
	unavailable, surge := n/4, (n+3)/4
	old := f.take(n) // in random order
	var starting, ending []int
	for available, left := n, n; len(old)+len(starting)+len(ending) > 0; f.plan() {
		f.gone(ending)
		ready := min(len(starting), 1+f.rand.Intn(pace))
		f.ready(starting[:ready])
		starting = starting[ready:]
		available += ready

		end := min(len(old), max(0, available-(n-unavailable)), pace)
		ending, old = old[:end], old[end:]
		f.unready(ending)
		available -= end

		start := min(left, max(0, n+surge-available-len(starting)), pace)
		added := f.add(start)
		f.unready(added)
		starting = append(starting, added...)
		left -= start
	}
}
