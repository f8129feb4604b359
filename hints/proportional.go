package hints

// proportional allocates over all slices.
func proportional(c Options, in []Slice) ([]Change, Decision) {
	s := newSurvey(c.Weights, in)
	d := Decision{Mode: Proportional, Ready: s.ready, Zoneless: s.zoneless.total()}
	t := c.Thresholds.withDefaults()
	d.Threshold = t.Start
	if s.wasOn {
		d.Threshold = t.Stop
	}
	s.judge(&d, c.Weights, t)
	hinted := make([]int, len(s.names))
	var changes []Change
	if d.On {
		changes = s.allocate(&d, t, hinted)
	} else {
		changes = strip(in)
	}
	d.Opened = opened(in, changes)
	d.Zones = s.table(&d, hinted)
	return changes, d
}

// judge decides whether hints are on, and why not.
func (s *survey) judge(d *Decision, w Weights, t Thresholds) {
	refused := s.refused()
	switch zones := len(s.names); {
	case len(w.Problems) > 0:
		d.Reason, d.Names, d.More = nodeProblem(w.Problems)
	case zones == 0:
		d.Reason = NoWeights
	case refused.any():
		d.Reason, d.Names, d.More = InvalidName, refused.names, refused.more
	case zones == 1:
		d.Reason = SingleZone
	case s.zoneless.any():
		d.Reason, d.Names, d.More = EndpointWithoutZone, s.zoneless.names, s.zoneless.more
	case s.ready < zones:
		d.Reason = TooFewEndpoints
	case !s.feasible(s.ready, d.Threshold):
		d.Reason = OverThreshold
		d.Best = s.best(s.ready)
		d.Next = s.next(s.ready, t.Start)
	default:
		d.On, d.Reason = true, Allocated
	}
}

// allocate decides every hint, fills in what the decision rests on, and adds to hinted what each zone gets.
func (s *survey) allocate(d *Decision, t Thresholds, hinted []int) []Change {
	bound := s.minimums(nil, s.ready, d.Threshold) // stop, where hints were on
	best := bound
	for _, percent := range []int{t.Start, t.Aim} {
		if percent < d.Threshold && s.feasible(s.ready, percent) {
			best = s.minimums(nil, s.ready, percent)
			d.Threshold = percent
		}
	}
	g := goal{low: best}
	var open []int
	if !s.wasOn || excess(s.frozen, bound, s.ready) > 0 {
		open = s.open(g)
	} else if excess(s.frozen, best, s.ready) > 0 {
		d.Held = true
		d.Threshold = t.Stop
		g = goal{low: bound, high: best}
	}
	return s.hint(g, open, hinted)
}

// hint solves for the written and opened slices and returns what changes in them.
func (s *survey) hint(g goal, open []int, hinted []int) []Change {
	copy(hinted, s.frozen)
	for _, i := range open {
		s.tallies[i].frozen = false
		for _, e := range s.of(i) {
			hinted[e.zone] -= e.count
		}
	}
	c := s.classify(func(i int) bool { return !s.tallies[i].frozen })
	if len(c.of) == 0 {
		return nil
	}
	count := make([]int, len(c.list))
	for i := range s.in {
		if c.start[i] >= 0 {
			c.count(s.in, i, count)
		}
	}
	t := newTransport(&s.shares, c.list)
	t.solve(count, hinted, g)
	zones := make([]int32, len(c.of))
	for i := range zones {
		zones[i] = nowhere
	}
	c.write(s, t.deal(count, hinted), func(slice, endpoint, zone int) {
		zones[c.start[slice]+endpoint] = int32(zone)
	})
	return s.changes(c, zones)
}

// changes compares the zones of the classes' endpoints with their hints. It does so twice, since there may be as many
// changes as endpoints, and a list that grows costs more than the comparison.
func (s *survey) changes(c *classes, zones []int32) []Change {
	count := 0
	s.differences(c, zones, func(int, int, Hint) { count++ })
	if count == 0 {
		return nil
	}
	changes := make([]Change, 0, count)
	s.differences(c, zones, func(slice, endpoint int, hint Hint) {
		changes = append(changes, Change{Slice: slice, Endpoint: endpoint, Hint: hint})
	})
	return changes
}

func (s *survey) differences(c *classes, zones []int32, visit func(slice, endpoint int, hint Hint)) {
	for i, start := range c.start {
		if start < 0 {
			continue
		}
		for k := range s.in[i].Endpoints {
			var hint Hint
			if z := zones[start+k]; z != nowhere {
				hint.Zone = s.names[z]
			}
			if !hint.Matches(s.in[i].Endpoints[k].Hints) {
				visit(i, k, hint)
			}
		}
	}
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

// table makes the rows of the decision.
func (s *survey) table(d *Decision, hinted []int) []Zone {
	if len(s.names) == 0 {
		return nil
	}
	rows := make([]Zone, len(s.names))
	for z, name := range s.names {
		rows[z] = Zone{Name: name, Weight: int64(s.weight[z]), Minimum: s.minimum(z, s.ready, d.Threshold), Homes: s.homes[z]}
		if d.On {
			rows[z].Hinted = hinted[z]
			rows[z].Overload = s.overload(z, hinted[z], s.ready)
		}
	}
	return rows
}
