package main

// trace is a history of a Service's Pods, cut into what a controller sees between one plan and the next.
type trace struct {
	name   string
	rounds []round
}

// round lists the Pods that changed since the one before, by number. A Pod that is neither ready nor gone is published as
// not ready: it starts, terminates or fails its probe.
type round struct {
	ready, unready, gone []int
}

// maker makes a trace.
type maker struct {
	name, what string
	play       func(f *fleet, c config)
}

// makers lists the traces that can be made, in the order of the table.
var makers = []maker{
	{"rolling-update", "all Pods are replaced, three times, with 25% surge and 25% unavailable", rollingUpdate},
	{"day-and-night", "three days, with a twelfth of the Pods at night", dayAndNight},
	{"spot", "six times all but one of seven nodes are taken away; then those left pause by turns", spot},
	{"crash", "twice a release lets all but one of fifty Pods go, and these fail their probes by turns", crash},
	{"flapping", "one of a hundred Pods fails its probe and passes it again, two hundred times", flapping},
}

const podsPerNode = 20

// pace is how many Pods come or go between two plans at most.
func (c config) pace() int { return max(1, c.endpoints/100) }

func (c config) make(m maker) trace {
	f := newFleet(c)
	m.play(f, c)
	return trace{m.name, f.rounds}
}

func rollingUpdate(f *fleet, c config) {
	for range 3 {
		f.roll(c.pace())
		for range 20 {
			f.plan()
		}
	}
}

// load is how many percent of the Pods there are in each hour of a day.
var load = []int{100, 100, 100, 100, 100, 100, 90, 70, 40, 20, 10, 8, 8, 8, 8, 8, 8, 8, 8, 10, 20, 50, 80, 100}

func dayAndNight(f *fleet, c config) {
	for range 3 {
		for _, percent := range load {
			f.scale(max(1, (c.endpoints*percent+f.rand.Intn(4*c.endpoints))/104), c.pace())
			for range 3 {
				f.replace(1 + f.rand.Intn(4))
			}
		}
	}
}

func spot(f *fleet, c config) {
	for range 6 {
		f.scale(max(1, c.endpoints*15/100), podsPerNode)
		for range 80 {
			f.fail(podsPerNode)
		}
		f.scale(c.endpoints, 2*podsPerNode)
	}
}

func crash(f *fleet, c config) {
	for range 2 {
		f.roll(max(1, c.endpoints/4))
		f.gone(f.take(c.endpoints - max(1, c.endpoints/50)))
		f.plan()
		for range 300 {
			f.fail(1 + f.rand.Intn(4))
		}
		f.scale(c.endpoints, 4*c.pace())
		for range 5 {
			f.replace(1 + f.rand.Intn(4))
		}
	}
}

func flapping(f *fleet, c config) {
	for range 200 {
		f.fail(c.pace())
	}
}
