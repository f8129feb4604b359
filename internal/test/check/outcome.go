package check

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// slot is one of our slices as the plan leaves it.
type slot struct {
	old   *discoveryv1.EndpointSlice // nil: created
	now   *discoveryv1.EndpointSlice // nil: deleted
	step  int                        // index in Steps; -1: not written
	group *group                     // that now serves; nil: none that is wanted
	ids   []string                   // of now's endpoints, in the group's identity
}

func (s *slot) name() string {
	if s.old != nil {
		return s.old.Name
	}
	return fmt.Sprintf("create %d", s.step)
}

func (s *slot) written() bool { return s.step >= 0 }

// outcome is what a plan leaves, and what is wrong with it so far.
type outcome struct {
	*view
	plan     slicer.Plan
	slots    []*slot
	byOld    map[*discoveryv1.EndpointSlice]*slot
	failures []error
}

// fail notes a broken guarantee.
func (o *outcome) fail(guarantee, format string, args ...any) {
	o.failures = append(o.failures, fmt.Errorf("%s: %s", guarantee, fmt.Sprintf(format, args...)))
}

// newOutcome applies the plan. It reports false if the plan is so malformed that nothing else can
// be checked.
func newOutcome(in gen.Case, plan slicer.Plan) (*outcome, bool) {
	o := &outcome{view: newView(in), plan: plan, byOld: map[*discoveryv1.EndpointSlice]*slot{}}
	for i := range plan.Steps {
		step := &plan.Steps[i]
		o.shape(i, step)
		o.add(&slot{old: step.Old, now: step.New, step: i})
	}
	for _, s := range plan.Unchanged {
		o.add(&slot{old: s, now: s, step: -1})
	}
	if len(o.failures) > 0 {
		return o, false
	}
	for t := range o.unsure {
		for _, s := range o.slots {
			if s.now != nil && s.now.AddressType == t {
				o.types[t] = true
			}
		}
	}
	for _, s := range o.slots {
		o.fill(s)
	}
	o.choose()
	return o, true
}

// shape checks that a step has what its verb needs.
func (o *outcome) shape(i int, step *slicer.Step) {
	wantOld, wantNew := step.Verb != slicer.Create, step.Verb != slicer.Delete
	switch {
	case step.Verb != slicer.Create && step.Verb != slicer.Update && step.Verb != slicer.Delete:
		o.fail("Plan", "step %d has the unknown verb %q", i, step.Verb)
	case wantOld != (step.Old != nil) || wantNew != (step.New != nil):
		o.fail("Plan", "step %d (verb %q) has Old %t and New %t", i, step.Verb, step.Old != nil, step.New != nil)
	}
}

func (o *outcome) add(s *slot) {
	o.slots = append(o.slots, s)
	if s.old == nil {
		return
	}
	if o.byOld[s.old] != nil {
		o.fail("Plan", "slice %s is listed twice", s.old.Name)
	}
	o.byOld[s.old] = s
}

func (o *outcome) fill(s *slot) {
	if s.now == nil {
		return
	}
	s.group = o.byKey[KeyOf(s.now)]
	for i := range s.now.Endpoints {
		if s.group != nil {
			s.ids = append(s.ids, s.group.id(&s.now.Endpoints[i]))
		}
	}
}

// choose finds which of several wanted endpoints with one identity the plan kept: one that it does
// not reject, and the likest to what it writes where those it keeps quiet about differ in what the
// options do not compare.
func (o *outcome) choose() {
	rejected := map[*discoveryv1.Endpoint]bool{}
	for _, s := range gen.Warnings(o.plan, "DifferingDuplicate") {
		_, e := o.in.Endpoint(s)
		rejected[e] = true
	}
	left := map[*want][]*discoveryv1.Endpoint{}
	for _, g := range o.groups {
		for _, w := range g.wanted {
			for _, c := range w.contenders() {
				if len(w.all) == 1 || !rejected[c] {
					left[w] = append(left[w], c)
				}
			}
			if left[w] == nil {
				left[w] = w.contenders()
			}
			w.pick = left[w][0]
		}
	}
	for _, s := range o.slots {
		for i, id := range s.ids {
			best := 0
			for _, c := range left[s.group.wanted[id]] {
				if score := o.likeness(c, &s.now.Endpoints[i]); score > best {
					s.group.wanted[id].pick, best = c, score
				}
			}
		}
	}
}

// likeness is higher the more of two endpoints is the same, 0 if what the options compare differs.
func (o *outcome) likeness(a, b *discoveryv1.Endpoint) int {
	score := 0
	if sameContent(a, b, false) {
		score++
		if sameHints(a.Hints, b.Hints) {
			score += 2
		}
		if sameContent(a, b, true) {
			score++
		}
	}
	return score
}

func (o *outcome) holds(g *group, id string) bool {
	return slices.ContainsFunc(o.slots, func(s *slot) bool { return s.group == g && slices.Contains(s.ids, id) })
}
