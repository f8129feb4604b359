package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Index keeps the endpoints of all service ports while slices come and go. One goroutine at a time may call its
// methods; the views it returns may be read by any number, at any time. The zero value is ready for use with zero
// Options.
type Index struct {
	options  Options
	families family

	held      map[types.NamespacedName]*holding // slices in force
	services  map[types.NamespacedName]*service
	pending   map[types.NamespacedName]*discoveryv1.EndpointSlice // since the last flush; nil: deleted
	unnamed   []Problem                                           // of what cannot be held, since the last flush
	dirty     []*service
	changed   []*holding // slices that say something else since the last flush; those without a source are gone
	root      *root
	byDefault bool // Options.Service was nil
}

// NewIndex returns an empty index, or no index and an error for an address type that this version does not know: the
// error joins one *field.Error for each.
func NewIndex(o Options) (*Index, error) {
	if mistakes := typeMistakes(o.AddressTypes); mistakes != nil {
		return nil, joined(mistakes)
	}
	return newIndex(o), nil
}

func newIndex(o Options) *Index {
	ix := &Index{options: o}
	ix.prepare()
	return ix
}

func (ix *Index) prepare() {
	if ix.held != nil {
		return
	}
	ix.held = map[types.NamespacedName]*holding{}
	ix.services = map[types.NamespacedName]*service{}
	ix.pending = map[types.NamespacedName]*discoveryv1.EndpointSlice{}
	ix.root = &root{}
	if ix.options.Service == nil {
		ix.options.Service = ByLabel(discoveryv1.LabelServiceName)
		ix.byDefault = true
	}
	ix.families = familiesOf(ix.options.AddressTypes)
}

// Upsert notes that a slice was added or changed. It is cheap; the work is done by Flush, once for the last of several
// events of one slice. Until then the slice must not change, as objects of an informer's cache never do; afterwards
// nothing of it is kept but strings. A nil slice, or one without name or namespace, is set aside.
//
// It is false where nothing can have changed, so that no Flush is needed: the index has this version of the slice, by UID and
// resourceVersion, as a resync says it again; or the slice does not count and did not before.
func (ix *Index) Upsert(slice *discoveryv1.EndpointSlice) bool {
	ix.prepare()
	if slice != nil && ix.knows(slice) {
		return false
	}
	ix.note(slice, func() *field.Path { return field.NewPath("slice") })
	return true
}

// knows reports whether a slice says nothing new.
func (ix *Index) knows(slice *discoveryv1.EndpointSlice) bool {
	name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
	if name.Name == "" || name.Namespace == "" {
		return false
	}
	if _, waits := ix.pending[name]; waits {
		return false
	}
	if h := ix.held[name]; h != nil {
		return h.isVersion(slice)
	}
	_, counts := ix.options.Service(slice)
	return !counts
}

func (ix *Index) note(slice *discoveryv1.EndpointSlice, path func() *field.Path) {
	switch {
	case slice == nil:
		ix.unnamed = append(ix.unnamed, nilSlice(path()))
	case slice.Name == "" || slice.Namespace == "":
		ix.unnamed = append(ix.unnamed, Problem{
			Slice:  types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name},
			Reason: Unnamed,
			Err:    field.Required(path().Child("metadata"), "give the slice a name and a namespace"),
		})
	default:
		ix.pending[types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}] = slice
	}
}

// Delete notes that a slice is gone. It needs neither the object nor its labels. A slice that is not there is ignored: then
// it is false, and no Flush is needed.
func (ix *Index) Delete(namespace, name string) bool {
	ix.prepare()
	key := types.NamespacedName{Namespace: namespace, Name: name}
	_, waits := ix.pending[key]
	if ix.held[key] == nil && !waits {
		return false
	}
	ix.pending[key] = nil
	return true
}

// Replace notes that these slices, in any order, are all there are, as a relist says: what else the index holds is
// gone, and events since the last Flush are forgotten. Until the next Flush the slices must not change. Of several
// slices of one name the newest counts (see D2; of equally new ones the one with the smallest encoding).
// nil and empty: there are none. A slice that the index has in this version, by UID and resourceVersion, costs nothing.
func (ix *Index) Replace(list []*discoveryv1.EndpointSlice) {
	ix.prepare()
	clear(ix.pending)
	ix.unnamed = nil
	for name := range ix.held {
		ix.pending[name] = nil
	}
	for i, slice := range list {
		path := func() *field.Path { return field.NewPath("slices").Index(i) }
		if slice != nil && slice.Name != "" {
			name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
			if other := ix.pending[name]; other != nil && other != slice {
				ix.unnamed = append(ix.unnamed, sameName(path(), slice))
				slice = newest(other, slice)
			}
		}
		ix.note(slice, path)
	}
	for name, slice := range ix.pending {
		if h := ix.held[name]; h != nil && slice != nil && h.isVersion(slice) {
			delete(ix.pending, name)
		}
	}
}

// Flush does what was noted since the last one. It returns what it changed, and the problems that are new: those of things
// without a name, then those of slices, by namespace and name, that the last View did not have. The problems are the caller's,
// nil if there are none.
func (ix *Index) Flush() (Changes, Problems) {
	ix.prepare()
	deltas, problems := ix.flush(true)
	return changesOf(deltas), problems
}

func (ix *Index) flush(report bool) ([]Delta, Problems) {
	t := pool.Get().(*scratch)
	var troubles []trouble
	for name, slice := range ix.pending {
		troubles = ix.apply(t, name, slice, troubles)
	}
	slices.SortFunc(troubles, func(a, b trouble) int { return compareTroubles(&a, &b) })
	news := slices.Clone(ix.unnamed)
	for i := range troubles {
		news = append(news, ix.root.news(&troubles[i])...)
	}
	ix.pending = emptiedMap(ix.pending)
	var deltas []Delta
	var changed []*service
	slices.SortFunc(ix.dirty, func(a, b *service) int { return compareNames(a.name, b.name) })
	for _, s := range ix.dirty {
		var isNew bool
		if deltas, isNew = ix.flushService(t, s, deltas, report); isNew {
			changed = append(changed, s)
		}
	}
	ix.dirty = emptied(ix.dirty)
	if len(changed) > 0 || len(ix.changed) > 0 || len(troubles) > 0 || len(ix.unnamed) > 0 || len(ix.root.unnamed) > 0 {
		slices.SortFunc(ix.changed, func(a, b *holding) int { return compareNames(a.name, b.name) })
		ix.root = ix.root.next(changed, ix.changed, troubles, ix.unnamed)
	}
	ix.changed = emptied(ix.changed)
	ix.unnamed = nil
	t.put()
	return deltas, news
}

// View returns the endpoints as of the last Flush. It never changes, and shares with other views what is the same. Two
// views are equal with == when nothing changed between them.
func (ix *Index) View() View {
	ix.prepare()
	return View{root: ix.root}
}

// apply takes in what became of one slice, and notes at the service ports what to do.
func (ix *Index) apply(t *scratch, name types.NamespacedName, slice *discoveryv1.EndpointSlice, troubles []trouble) []trouble {
	before := ix.held[name]
	service, counts := "", false
	if slice != nil {
		service, counts = ix.options.Service(slice)
	}
	if !counts {
		if before == nil {
			return troubles
		}
		delete(ix.held, name)
		ix.changed = append(ix.changed, &holding{name: name})
		before.source.ageBefore = before.source.age
		ix.dropAll(t, name.Namespace, before)
		if before.troubled {
			troubles = append(troubles, trouble{slice: name})
		}
		return troubles
	}
	if before == nil {
		before = &nothingHeld
	}
	after := ix.take(t, slice, service, before)
	ix.held[name] = after
	if (after.troubled || before.troubled) && !ix.root.knows(name, t.reading.problems) {
		troubles = append(troubles, trouble{slice: name, problems: t.reading.problems})
	}
	if !after.says(before, &t.changes) {
		ix.changed = append(ix.changed, after)
	}
	ix.exchange(t, name.Namespace, before, after)
	t.reading.reset()
	t.changes.reset()
	return troubles
}

// take reads a slice into the scratch memory and into a holding.
func (ix *Index) take(t *scratch, slice *discoveryv1.EndpointSlice, service string, before *holding) *holding {
	r := &t.reading
	after := &holding{name: types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}, service: service, uid: slice.UID, version: slice.ResourceVersion, source: before.source}
	if after.source == nil {
		after.source = &source{slice: slice.Name}
	}
	after.source.setAge(ageOf(slice))
	r.slice, r.source = after.name, after.source
	// Of a slice that is new all is kept, with the list itself; of another one what changed, which is known after it was read.
	var keeper *arena
	scratch := r.records
	if len(before.records) > 0 {
		r.arena, keeper = &r.scratch, &r.lasting
	} else {
		r.arena, r.records = &r.lasting, nil
	}
	again := false
	if service == "" {
		path := field.NewPath("metadata")
		if ix.byDefault {
			path = path.Child("labels").Key(discoveryv1.LabelServiceName)
		}
		r.problem(NoService, field.Required(path, "name the Service that the slice belongs to"))
	} else {
		again = r.read(slice, &ix.options, ix.families, before, &t.changes)
	}
	after.troubled = len(r.problems) > 0
	switch {
	case again:
		after.records, after.inOrder, after.positions = t.changes.replace(before.records), true, before.positions
	case len(before.records) == 0:
		after.records, r.records = r.records, scratch // nothing to compare with: sorting them can wait
		if before.service == service {
			t.changes.added = append(t.changes.added, after.records...)
		}
	default:
		if !before.inOrder { // views may have it
			ordered := *before
			ordered.records, _ = t.distinct(slices.Clone(before.records))
			ordered.inOrder = true
			before = &ordered
		}
		read, positions := t.distinct(r.records)
		after.records, after.inOrder = t.changes.publish(before.records, read, keeper), true
		if !ix.options.AllAddresses && len(positions) == len(slice.Endpoints) {
			after.positions = slices.Clone(positions)
		}
	}
	after.ports = r.portList(before.ports)
	return after
}

// newest chooses between two slices of one name, whatever their order.
func newest(a, b *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	switch c := ageOf(a).compare(ageOf(b)); {
	case c > 0:
		return a
	case c < 0:
		return b
	}
	x, errX := a.Marshal()
	y, errY := b.Marshal()
	if errX == nil && (errY != nil || string(x) <= string(y)) {
		return a
	}
	return b
}

func emptiedMap[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > 1024 {
		return map[K]V{}
	}
	clear(m)
	return m
}
