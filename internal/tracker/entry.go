package tracker

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Entry is the last write to a slice, while the cache has not shown it yet. Each write is waited
// for until:
//
//	a create                 the cache shows the slice or a later version of its name, or has reached its version
//	an update                the cache shows this version or a later one, or no longer shows the UID
//	a delete                 the cache no longer shows the UID, or shows it at a later version, which has finalizers
//	an update without answer the cache shows a later version than the one that was updated, or no longer shows the UID
//	a delete without answer  the same
//	a create without answer  the cache shows a slice of the name that was not there before
//
// If none of this happens, the slices are listed live in the end, and the next plan is made from
// that list. After that, each call waits until the cache has reached the version of the list and
// shows its slices.
type Entry struct {
	UID     types.UID // empty if there was no slice of this name, or its UID is not known
	Version string    // a slice of this or a later version shows the write
	After   bool      // only a later version than Version shows the write
	Unknown bool      // a create had no answer: a slice of another UID may appear
	Unseen  bool      // the cache has not shown the UID yet, so its absence does not mean that it is gone
	Listed  bool      // a live list did not have the UID
}

// shownBy reports whether s, the slice of the cache with the entry's name, shows the write.
func (e *Entry) shownBy(s *discoveryv1.EndpointSlice) bool {
	if s.UID == e.UID && e.UID != "" && (e.Unknown || e.Listed) {
		return false // the UID is about to be replaced or to disappear
	}
	d := endpoint.CompareVersions(s.ResourceVersion, e.Version)
	return d > 0 || d == 0 && !e.After
}

// shownByAbsence reports whether the cache shows the write by having no slice of the entry's name.
func (e *Entry) shownByAbsence(upTo string) bool {
	switch {
	case e.Unknown:
		return false
	case e.Unseen && upTo == "":
		return e.Listed
	default:
		return !e.Unseen || endpoint.CompareVersions(upTo, e.Version) >= 0
	}
}

// awaited says in words what the cache does not show yet. slice is the name of the slice.
func (e *Entry) awaited(slice string) string {
	switch {
	case e.Unknown:
		return "slice " + slice + ", whose create was not answered, or was answered " +
			"without a resourceVersion, as by a fake client"
	case e.Listed:
		return "that slice " + slice + " is gone"
	case e.After:
		return "what became of slice " + slice + " after version " + e.Version
	default:
		return "version " + e.Version + " of slice " + slice
	}
}
