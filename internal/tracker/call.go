package tracker

import (
	"errors"
	"maps"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/slicer"
)

// Do says what a Syncer does next.
type Do int

const (
	// Read the version of the cache, then the cache, and call [Call.Read].
	Read Do = iota
	// List the slices live, and call [Call.Listed].
	List
	// Get the slice Next.Name live, and call [Call.Got].
	Get
	// Plan from Next.View, and call [Call.Planned].
	Plan
	// Write carries Call.Plan out, with a [Call.Answered] for each write, and calls [Call.Applied].
	Write
	// Wait returns that the slices cannot be planned yet, because of Next.Why.
	Wait
	// Stop returns Call.Plan and Next.Err.
	Stop
)

// Next is what a Syncer does next.
type Next struct {
	Do   Do
	Name string
	View []*discoveryv1.EndpointSlice
	Why  string
	Err  error
}

// Call is one sync of a set of slices, from reading the cache to the last write. The Syncer reports
// to its methods what it did, and Next says what follows.
type Call struct {
	// Plan is what is carried out.
	Plan slicer.Plan

	tracker *Tracker
	set     Set
	next    Next
	names   []string                     // names that were refused and are still to be looked up
	hidden  []*discoveryv1.EndpointSlice // slices that have lost labels, with these labels added
	live    bool                         // the view is a live list
}

// Begin starts a sync of a set.
func (t *Tracker) Begin(set Set) Call { return Call{tracker: t, set: set} }

// Next says what the Syncer does next.
func (c *Call) Next() Next { return c.next }

// Read reports the slices of the cache, and the version that it had reached before it was read,
// which is empty if it is not known.
func (c *Call) Read(cache []*discoveryv1.EndpointSlice, upTo string, err error) {
	if err != nil {
		c.stop(err)
		return
	}
	why := c.tracker.behind(c.set.Namespace, cache, upTo)
	switch {
	case c.tracker.Failed >= Patience:
		c.next = Next{Do: List}
	case why != "":
		c.wait(why)
	default:
		c.look(cache)
	}
}

var errNoList = errors.New("Slices.List returned neither a list nor an error: return one of them")

// Listed reports the slices of a live list, from which the next plan is made. Before a plan is made
// from the cache again, the cache must reach the version of the list and show each of its slices.
// That is necessary because a create that was not answered may be executed after the list.
func (c *Call) Listed(list *discoveryv1.EndpointSliceList, err error) {
	if err == nil && list == nil {
		err = errNoList
	}
	if err != nil {
		c.stop(err)
		return
	}
	t := c.tracker
	written := c.tracker.Written
	live := slicer.Pointers(list.Items)
	t.Fence, t.Written = list.ResourceVersion, nil
	for name, e := range written {
		if e.UID != "" { // otherwise the create is in the list, or was not executed
			e.Unknown, e.Listed = false, true
			t.keep(name, e)
		}
	}
	for _, s := range live {
		_, known := written[s.Name]
		if s.Namespace == c.set.Namespace && (known || c.set.selects(s)) {
			t.keep(s.Name, Entry{UID: s.UID, Version: s.ResourceVersion, Unseen: true})
		}
	}
	c.live, t.Failed = true, 0
	c.look(live)
}

// look begins to plan from a view. Slices whose name was refused although the view does not show
// them are looked up first.
func (c *Call) look(view []*discoveryv1.EndpointSlice) {
	c.next = Next{Do: Plan, View: view}
	c.names = slices.Clone(c.tracker.Taken)
	c.lookUp()
}

// lookUp asks for the next name that was refused, unless the view has a slice of that name.
func (c *Call) lookUp() {
	for len(c.names) > 0 {
		name := c.names[0]
		has := func(s *discoveryv1.EndpointSlice) bool {
			return s != nil && s.Name == name && s.Namespace == c.set.Namespace
		}
		i := slices.IndexFunc(c.next.View, has)
		if i < 0 {
			c.next = Next{Do: Get, Name: name, View: c.next.View}
			return
		}
		c.names = c.names[1:]
		c.found(c.next.View[i])
	}
	c.next = Next{Do: Plan, View: c.next.View}
}

// Got reports the slice that Get asked for.
func (c *Call) Got(s *discoveryv1.EndpointSlice, err error) {
	name := c.names[0]
	c.names = c.names[1:]
	switch {
	case apierrors.IsNotFound(err), err == nil && s == nil:
		c.tracker.free(name)
	case err != nil:
		c.fail(err)
		return
	case c.set.selects(s): // the cache is late, or the slice is newer than the live list
		e := Entry{UID: s.UID, Version: s.ResourceVersion, Unseen: true}
		c.tracker.free(name)
		c.tracker.keep(name, e)
		if !c.live {
			c.wait("the cache does not show yet " + e.awaited(s.Namespace+"/"+name))
			return
		}
		c.next.View = append(slices.Clip(c.next.View), s)
	default:
		c.next.View = append(slices.Clip(c.next.View), s)
		c.found(s)
	}
	c.lookUp()
}

// found looks at a slice of the view whose name was refused. If the set's slice has lost labels,
// the plan sees it as if it had them, and restores them. The name of any other slice is not used
// again, because the view has it.
func (c *Call) found(s *discoveryv1.EndpointSlice) {
	switch {
	case c.set.selects(s):
		c.tracker.free(s.Name)
	case c.set.made(s):
		i := slices.Index(c.next.View, s)
		ours := s.DeepCopy()
		maps.Copy(ours.Labels, c.set.Key()) // it has the label managed-by at least
		c.next.View = slices.Clone(c.next.View)
		c.next.View[i] = ours
		c.hidden = append(c.hidden, ours)
	}
}

// Planned reports the plan that was made from the view.
func (c *Call) Planned(plan slicer.Plan, err error) {
	c.Plan = plan
	if err == nil {
		err = c.set.check(&plan)
	}
	if err != nil {
		c.stop(err)
		return
	}
	c.restore()
	c.next = Next{Do: Write}
	if c.Plan.Empty() {
		c.Applied(nil)
	}
}

// restore adds a step for each slice that has lost labels and is otherwise right: the plan writes
// all others anyway. The step comes first, because the plan counts on what the slice publishes.
func (c *Call) restore() {
	for _, s := range c.hidden {
		i := slices.Index(c.Plan.Unchanged, s)
		if i < 0 {
			continue
		}
		c.Plan.Unchanged = slices.Delete(slices.Clone(c.Plan.Unchanged), i, i+1)
		c.Plan.Steps = slices.Insert(slices.Clone(c.Plan.Steps), 0, slicer.Step{
			Verb: slicer.Update, Old: s, New: s.DeepCopy(), Reasons: []slicer.Reason{slicer.LabelsChanged},
		})
	}
}

// Applied reports that all steps of the plan were carried out, or the error that ended them.
func (c *Call) Applied(err error) {
	if err != nil {
		c.fail(err)
		return
	}
	c.tracker.Failed, c.tracker.Taken = 0, nil
	c.stop(nil)
}

func (c *Call) stop(err error) { c.next = Next{Do: Stop, Err: err} }

// fail ends a call that has tried to write. If a name was refused although a live list does not
// have it, the next call must look it up, and lists live again.
func (c *Call) fail(err error) {
	if c.tracker.Failed++; c.live && len(c.tracker.Taken) > 0 {
		c.tracker.Failed = Patience
	}
	c.stop(err)
}

func (c *Call) wait(why string) {
	c.tracker.Failed++
	c.next = Next{Do: Wait, Why: why}
}

// isHidden reports whether the plan contains a slice that the cache does not select.
func (c *Call) isHidden(name string) bool {
	return slices.ContainsFunc(c.hidden, func(s *discoveryv1.EndpointSlice) bool { return s.Name == name })
}
