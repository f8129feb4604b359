package slices

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
)

// checkTrigger: a slice that is written has the trigger time of the set, if the set has one. Else
// it has the set's creation, where that is known and nothing of ours was live, and otherwise the
// earliest time at which one of its endpoints changed that was not published before, or that serves
// now and did not, or the other way round (G10).
func (o *outcome) checkTrigger(s *slot) {
	want, sure := o.trigger(s)
	have := s.now.Annotations[corev1.EndpointsLastChangeTriggerTime]
	text := ""
	if !want.IsZero() {
		text = want.UTC().Format(time.RFC3339Nano)
	}
	if o.set.TriggerTime != nil {
		text, sure = *o.set.TriggerTime, true
	}
	if sure && have != text {
		o.fail("G10", "%s has trigger time %q, want %q", s.name(), have, text)
	}
}

// trigger is the time that a slice must have. false: endpoints of one identity changed at several
// times.
func (o *outcome) trigger(s *slot) (want time.Time, sure bool) {
	set := &o.set
	if len(o.live) == 0 && !o.in.Options.NoPlaceholder && !set.Created.IsZero() {
		return set.Created, true
	}
	if s.group == nil {
		return time.Time{}, true
	}
	for _, id := range s.ids {
		w := s.group.wanted[id]
		if w == nil {
			return time.Time{}, false
		}
		for _, e := range w.all {
			if !o.changedAt(e).Equal(o.changedAt(w.all[0])) {
				return time.Time{}, false
			}
		}
		at := o.changedAt(w.all[0])
		if at.IsZero() || at.Before(set.Created) || o.heldAlike(s.group, id, serves(w.pick)) {
			continue
		}
		if want.IsZero() || at.Before(want) {
			want = at
		}
	}
	return want, true
}

// changedAt finds an endpoint's time by the place that it has in the input.
func (o *outcome) changedAt(e *discoveryv1.Endpoint) time.Time {
	for i := range o.in.Groups {
		g := &o.in.Groups[i]
		for j := range g.Endpoints {
			if &g.Endpoints[j].API == e {
				return g.Endpoints[j].Changed
			}
		}
	}
	return time.Time{}
}

// heldAlike reports whether an endpoint was published before and served as it does now. The newest
// live slice of its ports that holds it decides; where there is none, any live slice of other ports
// says so.
func (o *outcome) heldAlike(g *group, id string, serving bool) bool {
	byAge := slices.Clone(o.live)
	slices.SortFunc(byAge, newerFirst)
	alike := func(s *discoveryv1.EndpointSlice) (held, alike bool) {
		for i := range s.Endpoints {
			if g.id(&s.Endpoints[i]) == id {
				held, alike = true, alike || serves(&s.Endpoints[i]) == serving
			}
		}
		return held, alike
	}
	for _, s := range byAge {
		if form.KeyOf(s) == g.key {
			if held, alike := alike(s); held {
				return alike
			}
		}
	}
	return slices.ContainsFunc(byAge, func(s *discoveryv1.EndpointSlice) bool {
		_, alike := alike(s)
		return alike && s.AddressType == g.addressType
	})
}

func serves(e *discoveryv1.Endpoint) bool {
	return e.Conditions.Serving == nil || *e.Conditions.Serving
}
