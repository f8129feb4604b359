package trace

import (
	"math/rand"
	"slices"
	"time"
)

// fleet makes a trace. It keeps the list of the current Pods, and chooses random Pods that change.
type fleet struct {
	size   int // the number of Pods at first
	rand   *rand.Rand
	pods   []int // Pods that are neither deleted nor terminating
	next   int   // the number of the next new Pod; no number is used twice
	rounds []Round
	now    Round
}

func newFleet(endpoints int, seed int64) *fleet {
	f := &fleet{size: endpoints, rand: rand.New(rand.NewSource(seed))}
	f.markReady(f.add(endpoints))
	f.endRound()
	return f
}

// pace is the largest number of Pods that are added or removed in a round.
func (f *fleet) pace() int { return max(1, f.size/100) }

func (f *fleet) endRound() {
	f.now.At = time.Duration(len(f.rounds)) * time.Second
	f.rounds = append(f.rounds, f.now)
	f.now = Round{}
}

func (f *fleet) markReady(pods []int)   { f.now.Ready = append(f.now.Ready, pods...) }
func (f *fleet) markUnready(pods []int) { f.now.Unready = append(f.now.Unready, pods...) }
func (f *fleet) markGone(pods []int)    { f.now.Gone = append(f.now.Gone, pods...) }

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

// take removes at most n random Pods from pods and returns them.
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

// some returns at most n random Pods, which stay in pods.
func (f *fleet) some(n int) []int {
	some := f.take(n)
	f.pods = append(f.pods, some...)
	return some
}

// scale adds or removes Pods, at most pace in a round, until there are want Pods.
func (f *fleet) scale(want, pace int) {
	for len(f.pods) != want {
		if more := want - len(f.pods); more > 0 {
			f.markReady(f.add(min(pace, more)))
		} else {
			f.markGone(f.take(min(pace, -more)))
		}
		f.endRound()
	}
}

// replace removes n Pods in one round, and adds the same number in the next round.
func (f *fleet) replace(n int) {
	gone := f.take(n)
	f.markGone(gone)
	f.endRound()
	f.markReady(f.add(len(gone)))
	f.endRound()
}

// fail makes n Pods unready in one round, and ready again in the next round.
func (f *fleet) fail(n int) {
	failing := f.some(n)
	f.markUnready(failing)
	f.endRound()
	f.markReady(failing)
	f.endRound()
}

// roll replaces all Pods as a Deployment does by default: at most 25% of them (rounded down) are
// unavailable, and there are at most 25% more Pods than before (rounded up). An old Pod is unready
// for one round before it goes. A new Pod is unready until it becomes ready, and new Pods become
// ready in the order in which they started. In a round, at most pace Pods become ready, at most
// pace become unready, and at most pace start.
func (f *fleet) roll(pace int) {
	n := len(f.pods)
	unavailable, surge := n/4, (n+3)/4
	old := f.take(n) // in random order
	var starting, ending []int
	for available, left := n, n; len(old)+len(starting)+len(ending) > 0; f.endRound() {
		f.markGone(ending)
		ready := min(len(starting), 1+f.rand.Intn(pace))
		f.markReady(starting[:ready])
		starting = starting[ready:]
		available += ready

		end := min(len(old), max(0, available-(n-unavailable)), pace)
		ending, old = old[:end], old[end:]
		f.markUnready(ending)
		available -= end

		start := min(left, max(0, n+surge-available-len(starting)), pace)
		added := f.add(start)
		f.markUnready(added)
		starting = append(starting, added...)
		left -= start
	}
}
