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
	// Read: read the version of the cache, then the cache, and call [Call.Read].
	Read Do = iota
	// List: list the slices live, and call [Call.Listed].
	List
	// Get: get the slice Next.Name live, and call [Call.Got].
	Get
	// Plan: plan from Next.View, and call [Call.Planned].
	Plan
	// Write: carry out Call.Plan, call [Call.Answered] for each write, and call [Call.Applied].
	Write
	// Wait: return that the slices cannot be planned yet, for the reason Next.Why.
	Wait
	// Stop: return Call.Plan and Next.Err.
	Stop
)

// Next is what a Syncer does next, with the values that it needs for this.
type Next struct {
	Do   Do
	Name string
	View []*discoveryv1.EndpointSlice
	Why  string
	Err  error
}

// Call is one sync of a set of slices, from reading the cache to the last write. The Syncer calls
// its methods to report what it did, and calls Next to learn what to do next.
type Call struct {
	// Plan is the plan that is carried out.
	Plan slicer.Plan

	tracker *Tracker
	set     Set
	next    Next
	names   []string       // names that were refused and must still be looked up
	at      map[string]int // the index of each name in the view, if names were refused
	live    bool           // the view is a live list
	// unlisted are the names of slices that the cache does not select yet: those that have lost
	// labels, and adopted ones.
	unlisted map[string]bool
	hidden   []*discoveryv1.EndpointSlice // copies of slices that have lost labels, with these labels added
}

// Begin starts a sync of a set.
func (t *Tracker) Begin(set Set) Call { return Call{tracker: t, set: set} }

// Next says what the Syncer does next.
func (c *Call) Next() Next { return c.next }

// Read reports the slices of the cache. upTo is the version that the cache had reached before it
// was read, or empty if that version is not known.
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

var errNoList = errors.New("Client.List returned neither a list nor an error: return one of them")

// Listed reports the slices of a live list, from which the next plan is made. Before a plan is made
// from the cache again, the cache must reach the version of the list and show each of its slices of
// the set. Otherwise a plan could miss what the list showed, for example the slice of a create that
// was not answered. Listed does not wait for a create that is executed after the list: the comment
// of package publish lists this exception.
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
		// An entry without a UID is for a create that was not answered. It is forgotten: if the
		// create was executed, the list has the slice.
		if e.UID != "" {
			e.Unknown, e.Listed = false, true
			put(&t.Written, name, e)
		}
	}
	for _, s := range live {
		_, known := written[s.Name]
		if s.Namespace == c.set.Namespace && (known || c.set.selects(s)) {
			put(&t.Written, s.Name, Entry{UID: s.UID, Version: s.ResourceVersion, Unseen: true})
		}
	}
	c.live, t.Failed = true, 0
	c.look(live)
}

// look begins to plan from a view. If the API server refused a name because a slice has it, and the
// view has no slice of that name, the slice is looked up first.
func (c *Call) look(view []*discoveryv1.EndpointSlice) {
	c.next = Next{Do: Plan, View: view}
	c.names = slices.Clone(c.tracker.Taken)
	for _, name := range c.set.Adopt {
		if !c.tracker.NotAdopted[name] && !slices.Contains(c.names, name) {
			c.names = append(c.names, name)
		}
	}
	if len(c.names) == 0 {
		return
	}
	c.next.View, c.at = slices.Clone(view), make(map[string]int, len(view)) // the method found changes the view
	for i, s := range view {
		if s != nil && s.Namespace == c.set.Namespace {
			c.at[s.Name] = i
		}
	}
	c.lookUp()
}

// lookUp makes the Syncer get the slice of the next refused name. A name that a slice of the view
// has needs no Get.
func (c *Call) lookUp() {
	for len(c.names) > 0 {
		name := c.names[0]
		i, ok := c.at[name]
		if !ok {
			c.next = Next{Do: Get, Name: name, View: c.next.View}
			return
		}
		c.names = c.names[1:]
		c.found(i)
	}
	c.next = Next{Do: Plan, View: c.next.View}
}

// Got reports the result of a Get.
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
		put(&c.tracker.Written, name, e)
		if !c.live {
			c.wait("the cache does not show yet " + e.awaited(s.Namespace+"/"+name))
			return
		}
		c.next.View = append(c.next.View, s)
	default:
		c.next.View = append(c.next.View, s)
		c.found(len(c.next.View) - 1)
	}
	c.lookUp()
}

// found handles the slice at an index of the view, whose name was refused or which is to be
// adopted. If the slice belongs to the set but has lost labels, the plan sees it as if it had these
// labels, and restores them. It sees no endpoints in it, because readers do not find the slice
// before its labels are back. If the slice does not belong to the set, the plan does not use its
// name again, because the view shows that the name is taken.
func (c *Call) found(i int) {
	s := c.next.View[i]
	switch adopt := slices.Contains(c.set.Adopt, s.Name); {
	case c.set.selects(s) && s.Labels[discoveryv1.LabelManagedBy] == c.set.ManagedBy:
		c.tracker.free(s.Name)
	case adopt:
		put(&c.unlisted, s.Name, true)
	case c.set.selects(s):
		c.tracker.free(s.Name)
	case c.set.made(s):
		ours := s.DeepCopy()
		maps.Copy(ours.Labels, c.set.Labels()) // not nil: made is true only with the label managed-by
		ours.Endpoints = nil
		c.next.View[i] = ours
		c.hidden = append(c.hidden, ours)
		put(&c.unlisted, s.Name, true)
	}
}

// Planned reports the plan that was made from the view.
func (c *Call) Planned(plan slicer.Plan, err error) {
	c.Plan = plan
	if err != nil {
		c.stop(err)
		return
	}
	for _, n := range plan.Normal {
		if n.Reason == "NothingAdopted" {
			put(&c.tracker.NotAdopted, n.Object.Name, true)
		}
	}
	c.restore()
	c.next = Next{Do: Write}
	if len(c.Plan.Steps) == 0 {
		c.Applied(nil)
	}
}

// restore adds a step for each slice that has lost labels and that the plan leaves unchanged. If
// the plan writes such a slice, that write restores the labels.
func (c *Call) restore() {
	if len(c.hidden) == 0 {
		return
	}
	var unchanged []*discoveryv1.EndpointSlice
	for _, s := range c.Plan.Unchanged {
		if !slices.Contains(c.hidden, s) {
			unchanged = append(unchanged, s)
			continue
		}
		c.Plan.Steps = append(c.Plan.Steps, slicer.Step{
			Verb: slicer.Update, Old: s, New: s.DeepCopy(), Reasons: []string{"LabelsChanged"},
		})
	}
	c.Plan.Unchanged = unchanged
}

// Applied reports that all steps of the plan were carried out, or the error at which the Syncer
// stopped.
func (c *Call) Applied(err error) {
	if err != nil {
		c.fail(err)
		return
	}
	c.tracker.Failed, c.tracker.Taken = 0, nil
	c.stop(nil)
}

func (c *Call) stop(err error) { c.next = Next{Do: Stop, Err: err} }

// fail ends a call that failed. If a name was refused and the call has planned from a live list,
// the next call lists live again, and then looks up the name.
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
