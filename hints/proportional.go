package hints

import "github.com/slicewright/slicewright/hints/internal/allocate"

// proportional allocates over all slices.
func proportional(o Options, in []Slice) ([]Change, Decision) {
	s, t := newSurvey(o.Weights, in), o.Thresholds.withDefaults()
	defer s.release()
	d := Decision{Mode: Proportional, Ready: s.ready, Zoneless: len(s.zoneless), Threshold: t.Start}
	if s.wasOn {
		d.Threshold = t.Stop
	}
	d.Reason = s.why(o.Weights, d.Ready, d.Zoneless, d.Threshold)
	d.On = d.Reason == Allocated
	switch d.Reason {
	case NodeWithoutZone, NodeWithoutCPU:
		d.Names, d.More = nameProblems(o.Weights.Problems, d.Reason)
	case InvalidName:
		d.Names, d.More = firstNames(s.refused())
	case EndpointWithoutZone:
		d.Names, d.More = firstNames(s.zoneless)
	case OverThreshold:
		d.Best, d.Next = Overload(s.weights.Best(s.ready)), s.weights.Next(s.ready, t.Start)
	}
	var changes []Change
	if d.On {
		changes = s.decide(&d, t)
	} else {
		changes = strip(in)
	}
	d.Opened = opened(in, changes)
	d.Zones = s.table(&d)
	return changes, d
}

// decide decides every hint, and fills in what the decision rests on.
func (s *survey) decide(d *Decision, t Thresholds) []Change {
	bound := s.weights.Minimums(s.ready, d.Threshold) // stop, if hints were on
	low, high := bound, []int(nil)
	for _, percent := range []int{t.Start, t.Aim} {
		if percent < d.Threshold && s.weights.Feasible(s.ready, percent) {
			low, d.Threshold = s.weights.Minimums(s.ready, percent), percent
		}
	}
	switch {
	case !s.wasOn || allocate.Excess(s.total, bound, s.ready) > 0:
		s.open(allocate.Open(s.held, s.total, low, s.ready))
	case allocate.Excess(s.total, low, s.ready) > 0:
		d.Held, d.Threshold = true, t.Stop
		low, high = bound, low
	}
	return s.allocate(low, high)
}

// strip removes every hint.
func strip(in []Slice) []Change {
	var changes []Change
	for i := range in {
		for k := range in[i].Endpoints {
			if !unhinted(in[i].Endpoints[k].Hints) {
				changes = append(changes, Change{Slice: i, Endpoint: k})
			}
		}
	}
	return changes
}

// opened counts the clean slices among the changes, which are sorted by slice.
func opened(in []Slice, changes []Change) int {
	count, last := 0, -1
	for i := range changes {
		if slice := changes[i].Slice; slice != last {
			last = slice
			if !in[slice].Written {
				count++
			}
		}
	}
	return count
}

// table makes the rows of the decision. If hints are on, total is what every zone gets.
func (s *survey) table(d *Decision) []Zone {
	if len(s.names) == 0 {
		return nil
	}
	rows := make([]Zone, len(s.names))
	for z, name := range s.names {
		rows[z] = Zone{Name: name, Weight: s.weight[z], Minimum: s.weights.Minimum(z, s.ready, d.Threshold), Homes: s.homes[z]}
		if d.On {
			rows[z].Hinted = s.total[z]
			rows[z].Overload = Overload(s.weights.Overload(z, s.total[z], s.ready))
		}
	}
	return rows
}
