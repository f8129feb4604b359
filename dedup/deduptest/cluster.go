package deduptest

import (
	"strconv"

	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/sim"
)

type sliceName = types.NamespacedName

// cluster has the slices of the API server, and the copies of an informer. Each step changes it and
// adds moments to it.
type cluster struct {
	versions, uids int
	hinted         int // the changes of hints so far
	slices         map[sliceName]*record
	step           int
	moments        []moment
}

// record is one slice. The slices in stored and before are never changed, and no reader gets them.
type record struct {
	stored *discoveryv1.EndpointSlice   // nil if the slice does not exist
	before []*discoveryv1.EndpointSlice // all versions that were reported
	shown  *discoveryv1.EndpointSlice   // the version that was reported last; nil before the first and after a deletion
	cached *discoveryv1.EndpointSlice   // the object in the informer's cache: a copy of shown
	gone   *discoveryv1.EndpointSlice   // the object that was deleted last
}

// moment is an event, and what a reader can know after it.
type moment struct {
	step  int // index in the history
	event Event
	// resync says that the reader knows the version of the event already.
	resync bool
	// reworded says that the slice changed, but nothing that a reader shows.
	reworded bool
	known    knowledge
}

// knowledge has the versions of each slice that a reader may take for the current one. In most
// cases there is one. While an informer shows an older version than it showed before, there are
// two, and a reader may use either. The version nil means that the slice does not exist.
type knowledge map[sliceName][]*discoveryv1.EndpointSlice

func (w *cluster) record(name sliceName) *record {
	if w.slices[name] == nil {
		w.slices[name] = &record{}
	}
	return w.slices[name]
}

// has reports whether there is a slice of this name.
func (w *cluster) has(name sliceName) bool { return w.record(name).stored != nil }

// write changes a slice, or creates one that has no endpoints yet, and sends the event. A write
// that changes nothing is not stored.
func (w *cluster) write(name sliceName, change func(*discoveryv1.EndpointSlice)) {
	w.store(name, change)
	w.tell(name)
}

// alter calls write for each of these slices that exists.
func (w *cluster) alter(change func(*discoveryv1.EndpointSlice), names ...sliceName) {
	for _, name := range names {
		if w.has(name) {
			w.write(name, change)
		}
	}
}

// reword changes a slice in a way that makes no difference to readers.
func (w *cluster) reword(name sliceName, change func(*discoveryv1.EndpointSlice)) {
	if w.has(name) {
		w.store(name, change)
		w.tell(name).reworded = true
	}
}

// store changes a slice, or creates it, and sends no event.
func (w *cluster) store(name sliceName, change func(*discoveryv1.EndpointSlice)) {
	r := w.record(name)
	slice := r.stored.DeepCopy()
	if slice == nil {
		slice = w.blank(name)
	}
	change(slice)
	sim.Default(slice)
	if apiequality.Semantic.DeepEqual(slice, r.stored) {
		return
	}
	w.versions++
	slice.ResourceVersion = strconv.Itoa(w.versions)
	if r.stored == nil || !sim.SameGeneration(slice, r.stored) {
		slice.Generation++
	}
	r.stored = slice
}

func (w *cluster) blank(name sliceName) *discoveryv1.EndpointSlice {
	w.uids++
	slice := newSlice(name)
	slice.Namespace, slice.Name = name.Namespace, name.Name
	slice.UID = types.UID("slice-" + strconv.Itoa(w.uids))
	slice.CreationTimestamp = metav1.Unix(int64(1_800_000_000+w.uids), 0)
	return slice
}

// If a slice exists, and the informer does not know its newest version, tell sends an event and
// returns its moment. Otherwise it sends no event, and returns a moment that is not in the list.
func (w *cluster) tell(name sliceName) *moment {
	r := w.record(name)
	if r.stored == nil || r.cached != nil && r.cached.ResourceVersion == r.stored.ResourceVersion {
		return &moment{}
	}
	r.before = append(r.before, r.stored)
	return w.show(r, r.stored)
}

// show puts a version of a slice into the informer's cache and sends the event.
func (w *cluster) show(r *record, version *discoveryv1.EndpointSlice) *moment {
	old := r.cached
	r.shown, r.cached = version, version.DeepCopy()
	return w.happen(Event{Old: old, New: r.cached})
}

// resync sends an event with the slice that the informer has already.
func (w *cluster) resync(name sliceName) {
	if r := w.record(name); r.cached != nil {
		w.happen(Event{Old: r.cached, New: r.cached}).resync = true
	}
}

// remove deletes a slice and sends the event.
func (w *cluster) remove(name sliceName, tombstone bool) {
	r := w.record(name)
	if r.cached == nil {
		return
	}
	w.versions++
	r.gone = r.cached
	r.stored = nil
	r.shown = nil
	r.cached = nil
	w.happen(Event{Old: r.gone, Tombstone: tombstone})
}

// removeAgain sends a deletion a second time.
func (w *cluster) removeAgain(name sliceName) {
	if r := w.record(name); r.cached == nil && r.gone != nil {
		w.happen(Event{Old: r.gone}).resync = true
	}
}

// recall sends an older version of a slice, and then the current version or the deletion.
func (w *cluster) recall(name sliceName) {
	r := w.record(name)
	i := len(r.before) - 1
	if i >= 0 && r.before[i] == r.stored {
		i--
	}
	if i < 0 {
		return
	}
	w.show(r, r.before[i]).known[name] = []*discoveryv1.EndpointSlice{r.stored, r.before[i]}
	if r.stored == nil {
		w.remove(name, false)
	} else {
		w.show(r, r.stored)
	}
}

// happen sends an event and returns its moment. The caller may change the moment until the next
// event.
func (w *cluster) happen(e Event) *moment {
	m := moment{step: w.step, event: e, known: knowledge{}}
	for name, r := range w.slices {
		if r.cached != nil {
			m.known[name] = []*discoveryv1.EndpointSlice{r.shown}
		}
	}
	w.moments = append(w.moments, m)
	return &w.moments[len(w.moments)-1]
}
