package hinting

import (
	"fmt"
	"strconv"

	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// thresholds are percentages of overload: 20 means that an endpoint may get 1.2 times its fair
// share of the traffic. Hints are made for aim, if it can be met. They start if start can be met,
// and stop if stop cannot be met.
type thresholds struct{ aim, start, stop int }

func thresholdsOf(o Options) thresholds {
	if o.Steady {
		return thresholds{10, 20, 30}
	}
	return thresholds{20, 20, 20} // as in Kubernetes
}

// auto is Assign for the mode Auto.
func auto(o Options, in []Slice, change func(Change)) (d Decision) {
	s, t := newSurvey(o.Weights, in), thresholdsOf(o)
	limit := t.start
	if s.wasOn {
		limit = t.stop
	}
	if d.On = s.possible(&d, limit, o.Weights.Missing); d.On {
		s.decide(&d, t, limit)
		s.changes(change)
	} else {
		separately(None, in, change)
	}
	d.Zones = s.rows(d.On)
	return d
}

// possible reports whether the ready endpoints can have hints without an overload above the limit,
// in percent. Otherwise it sets the first reason against hints. missing are the Nodes that could
// not be counted.
func (s *survey) possible(d *Decision, limit int, missing []string) bool {
	refused, zones := s.refused(), len(s.names)
	switch {
	case len(missing) > 0:
		d.because("InsufficientNodeInfo", "Nodes without zone or without allocatable CPU: ", missing)
	case zones == 0:
		d.because("NoWeights", "no zone has a weight", nil)
	case len(refused) > 0:
		d.because("InvalidName", "names that cannot be hints: ", refused)
	case zones == 1:
		d.because("NodesReadyInOneZoneOnly", "only one zone has a weight", nil)
	case len(s.zoneless) > 0:
		d.because("NoZoneSpecified", "ready endpoints without zone: ", s.zoneless)
	case s.ready < zones:
		d.because("InsufficientNumberOfEndpoints", fmt.Sprintf("%s for %d zones", readyEndpoints(s.ready), zones), nil)
	case !s.weights.Feasible(s.ready, limit):
		d.because("MinAllocationExceedsOverloadThreshold", fmt.Sprintf(
			"with %s some zone would be overloaded by more than %d%%", readyEndpoints(s.ready), limit), nil)
	default:
		return true
	}
	return false
}

// decide decides the hints while they are on, and sets Reason and Message. limit is the overload
// that is possible: stop if hints were on, else start.
func (s *survey) decide(d *Decision, t thresholds, limit int) {
	bound := s.weights.Minimums(s.ready, limit)
	low, high, percent, kept := bound, []int(nil), limit, ""
	for _, lower := range []int{t.start, t.aim} {
		if lower < percent && s.weights.Feasible(s.ready, lower) {
			low, percent = s.weights.Minimums(s.ready, lower), lower
		}
	}
	// Hints of unchanged slices stay while they meet the stop threshold, even if a lower threshold
	// could be met: otherwise each change of a weight would cause writes.
	switch {
	case !s.wasOn || allocate.Excess(s.total, bound, s.ready) > 0:
		s.open(allocate.Open(s.held, s.total, low, s.ready))
	case allocate.Excess(s.total, low, s.ready) > 0:
		percent, kept = limit, ", kept as it is"
		// The slices that are written come as near to the lower threshold as possible.
		low, high = bound, low
	}
	d.because("TopologyAwareHintsEnabled", readyEndpoints(s.ready)+", no zone overloaded by more than "+
		strconv.Itoa(percent)+"%"+kept, nil)
	s.allocate(low, high)
}

// rows returns the rows of the Decision. If hints are on, s.total has the number of endpoints that
// each zone gets.
func (s *survey) rows(on bool) []Zone {
	rows := make([]Zone, len(s.names))
	for z, name := range s.names {
		rows[z] = Zone{Zone: name, Weight: s.raw[z], Ready: s.local[z]}
		if on {
			rows[z].Hinted = s.total[z]
		}
	}
	return rows
}
