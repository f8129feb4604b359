// Package trace makes histories of a Service's Pods from a rule and a seed.
package trace

import "time"

// Trace is a history of a Service's Pods. A round has all changes between one plan and the next.
type Trace struct {
	Name   string
	Rounds []Round
}

// Round lists the numbers of the Pods that changed since the round before. An unready Pod is
// published as not ready: it starts, terminates or fails its probe.
type Round struct {
	Ready, Unready, Gone []int
	// At is the time since the first round. A round of a Maker's trace takes one second.
	At time.Duration
}

// Maker makes a trace.
type Maker struct {
	Name, What string
	play       func(f *fleet)
}

// Makers lists the traces that can be made.
var Makers = []Maker{
	{"rolling-update", "all Pods are replaced, three times, with 25% surge and 25% unavailable", rollingUpdate},
	{"day-and-night", "three days, with a twelfth of the Pods at night", dayAndNight},
	{"spot", "six times, six of seven Pods are removed, and the others fail their probes in turn", spot},
	{"crash", "twice, after a release, only one Pod in fifty is left, and these fail their probes in turn", crash},
	{"flapping", "one of a hundred Pods fails its probe and passes it again, two hundred times", flapping},
}

const podsPerNode = 20

// Make returns the trace of a Service that has the given number of Pods at first. The same seed
// gives the same trace.
func (m Maker) Make(endpoints int, seed int64) Trace {
	f := newFleet(endpoints, seed)
	m.play(f)
	return Trace{m.Name, f.rounds}
}

func rollingUpdate(f *fleet) {
	for range 3 {
		f.roll(f.pace())
		for range 20 {
			f.endRound()
		}
	}
}

// load is the number of Pods in each hour of a day, in percent of the largest number.
var load = []int{100, 100, 100, 100, 100, 100, 90, 70, 40, 20, 10, 8, 8, 8, 8, 8, 8, 8, 8, 10, 20, 50, 80, 100}

func dayAndNight(f *fleet) {
	for range 3 {
		for _, percent := range load {
			f.scale(max(1, (f.size*percent+f.rand.Intn(4*f.size))/104), f.pace())
			for range 3 {
				f.replace(1 + f.rand.Intn(4))
			}
		}
	}
}

func spot(f *fleet) {
	for range 6 {
		f.scale(max(1, f.size*15/100), podsPerNode)
		for range 80 {
			f.fail(podsPerNode)
		}
		f.scale(f.size, 2*podsPerNode)
	}
}

func crash(f *fleet) {
	for range 2 {
		f.roll(max(1, f.size/4))
		f.markGone(f.take(f.size - max(1, f.size/50)))
		f.endRound()
		for range 300 {
			f.fail(1 + f.rand.Intn(4))
		}
		f.scale(f.size, 4*f.pace())
		for range 5 {
			f.replace(1 + f.rand.Intn(4))
		}
	}
}

func flapping(f *fleet) {
	for range 200 {
		f.fail(f.pace())
	}
}
