package dedup

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/table"
)

// Index follows a watch of slices: after the same events, its View equals that of Merge. All slices
// are those of one API server, because versions of several cannot be compared. Any number of
// goroutines may use it, but only one calls Flush. View costs nothing, and Flush reads only the
// slices that changed. Do not route traffic before the first lists of Services and slices are
// complete (HasSynced).
//
// An Index keeps the slices that exist, like the cache of an informer, so they must not change. The
// zero value is an Index with zero Options.
type Index struct {
	lock    sync.Mutex
	options *content.Options // nil in a zero Index
	held    map[types.NamespacedName]*content.Slice
	pending map[types.NamespacedName]*discoveryv1.EndpointSlice // events since the last Flush; nil if deleted
	unnamed []content.Problem                                   // of events since the last Flush
	view    atomic.Pointer[viewData]                            // of the last complete Flush; nil in a zero Index
}

// NewIndex returns an empty Index. It is an error, and the Index is nil, if an option is wrong.
func NewIndex(o Options) (*Index, error) {
	options, problems := o.read()
	var errs []error
	for _, p := range problems {
		errs = append(errs, p.Err)
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	ix := &Index{options: &options}
	ix.open()()
	return ix, nil
}

// open locks the Index, and prepares a zero Index.
func (ix *Index) open() (closed func()) {
	ix.lock.Lock()
	if ix.options == nil {
		options, _ := (&Options{}).read() // zero Options have no mistakes
		ix.options = &options
	}
	if ix.held == nil {
		ix.held = map[types.NamespacedName]*content.Slice{}
		ix.pending = map[types.NamespacedName]*discoveryv1.EndpointSlice{}
		ix.view.Store(&viewData{options: *ix.options, root: &table.Root{}})
	}
	return ix.lock.Unlock
}

// Upsert notes that a slice was added or changed. A nil slice, and one without a name or namespace,
// is a Warning of the next Flush.
func (ix *Index) Upsert(slice *discoveryv1.EndpointSlice) {
	if ix == nil {
		return
	}
	defer ix.open()()
	switch {
	case slice == nil:
		ix.unnamed = append(ix.unnamed, content.NilSlice(field.NewPath("slice")))
	case slice.Name == "" || slice.Namespace == "":
		ix.unnamed = append(ix.unnamed, content.Unnamed(field.NewPath("slice"), slice))
	default:
		ix.note(slice)
	}
}

// note keeps a slice for the next Flush, unless the Index has this version of it.
func (ix *Index) note(slice *discoveryv1.EndpointSlice) {
	name := content.NameOf(slice)
	// A pending event is always replaced: the slice may be as it was before that event.
	_, waits := ix.pending[name]
	if held := ix.held[name]; waits || held == nil || !held.IsVersion(slice) {
		ix.pending[name] = slice
	}
}

// Delete notes that a slice was deleted.
func (ix *Index) Delete(slice types.NamespacedName) {
	if ix == nil {
		return
	}
	defer ix.open()()
	if _, waits := ix.pending[slice]; waits || ix.held[slice] != nil {
		ix.pending[slice] = nil
	}
}

// Replace notes that these slices are all that exist. Of slices with the same name, the newest one
// is read.
func (ix *Index) Replace(list []*discoveryv1.EndpointSlice) {
	if ix == nil {
		return
	}
	defer ix.open()()
	ix.unnamed = nil
	clear(ix.pending)
	gone := maps.Clone(ix.held)
	order := content.Distinct(list, true, func(p content.Problem) { ix.unnamed = append(ix.unnamed, p) })
	for _, i := range order {
		ix.note(list[i])
		delete(gone, content.NameOf(list[i]))
	}
	for name := range gone {
		ix.pending[name] = nil
	}
}

// View returns the endpoints as of the last complete Flush. It does not wait for a Flush that runs.
func (ix *Index) View() View {
	if ix == nil {
		return View{}
	}
	return View{ix.view.Load()}
}

// Flush applies what was noted, and returns what changed and the new Warnings. Each change is in
// the result of exactly one Flush.
func (ix *Index) Flush() (Changes, Notices) {
	if ix == nil {
		return Changes{}, noticesOf([]content.Problem{content.NilIndex()})
	}
	defer ix.open()()
	names := slices.SortedFunc(maps.Keys(ix.pending), content.CompareNames)
	edits := make([]table.Edit, 0, len(names))
	var problems []content.Problem
	for _, name := range names {
		e := ix.edit(name)
		edits = append(edits, e...)
		problems = append(problems, newProblems(e)...)
	}
	var seen report
	if last := ix.view.Load(); len(edits) > 0 || len(ix.unnamed)+len(last.problems) > 0 {
		root := last.root.Apply(edits, seen.port)
		ix.view.Store(&viewData{options: *ix.options, problems: ix.unnamed, root: root})
	}
	notices := noticesOf(ix.unnamed, problems)
	// Make a new map, because a cleared map would keep the memory of a large relist.
	ix.pending = map[types.NamespacedName]*discoveryv1.EndpointSlice{}
	ix.unnamed = nil
	return seen.changes(edits), notices
}

// edit takes a pending slice into ix.held, and returns what changed: a slice that moved to another
// Service is two edits.
func (ix *Index) edit(name types.NamespacedName) []table.Edit {
	before := ix.held[name]
	var after *content.Slice
	if slice := ix.pending[name]; slice != nil {
		after = contentOf(slice, ix.options)
	}
	if before != nil {
		before.Replaced = true
		delete(ix.held, name)
	}
	if after != nil {
		ix.held[name] = after
	}
	switch {
	case before == nil && after == nil:
		return nil
	case before != nil && after != nil && before.Service != after.Service:
		return []table.Edit{{Before: before}, {After: after}}
	default:
		return []table.Edit{{Before: before, After: after}}
	}
}

// newProblems returns the problems of a slice that its last version did not have.
func newProblems(edits []table.Edit) (all []content.Problem) {
	known := map[string]bool{}
	for _, e := range edits {
		if e.Before == nil {
			continue
		}
		for _, p := range e.Before.Problems {
			known[p.Reason+p.Err.Error()] = true
		}
	}
	for _, e := range edits {
		if e.After == nil {
			continue
		}
		for _, p := range e.After.Problems {
			if !known[p.Reason+p.Err.Error()] {
				all = append(all, p)
			}
		}
	}
	return all
}
