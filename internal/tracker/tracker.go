// Package tracker decides what a publish.Syncer does next. It does no I/O: the Syncer reads and
// writes, and reports to the [Call] what it read and what the API server answered.
package tracker

import (
	"maps"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Patience is how many calls in a row may fail or wait for the cache before the slices are listed
// live.
const Patience = 10

// Tracker has state: it remembers what one call must know of an earlier call for the same set of
// slices. The zero value remembers nothing. Only one call at a time may use a Tracker.
type Tracker struct {
	// Written has the last write to each slice that the cache has not shown yet, by the slice's
	// name.
	Written map[string]Entry
	// Fence is the version of the last live list. The cache must reach this version before a plan
	// is made from the cache again.
	Fence string
	// Taken are the names for which the API server refused a create because a slice has the name,
	// sorted.
	Taken []string
	// NotAdopted are names that need no further look, because the last plan did not adopt them.
	NotAdopted map[string]bool
	// Failed is the number of calls in a row that have failed or waited for the cache.
	Failed int
}

// Empty reports whether t remembers nothing.
func (t *Tracker) Empty() bool {
	return len(t.Written) == 0 && t.Fence == "" && len(t.Taken) == 0 && len(t.NotAdopted) == 0 && t.Failed == 0
}

// behind forgets each write that the cache shows. It says in words what the cache does not show
// yet, and returns "" if a plan may be made from the cache. upTo is the version that the cache had
// reached before it was read, or empty if that version is not known.
func (t *Tracker) behind(namespace string, cache []*discoveryv1.EndpointSlice, upTo string) (why string) {
	if upTo == "" || endpoint.CompareVersions(upTo, t.Fence) >= 0 {
		t.Fence = ""
	}
	if len(t.Written) > 0 {
		t.settle(byName(namespace, cache), upTo)
	}
	switch {
	case len(t.Written) > 0:
		name := slices.Min(slices.Collect(maps.Keys(t.Written)))
		e := t.Written[name]
		return "the cache does not show yet " + e.awaited(namespace+"/"+name)
	case t.Fence != "":
		return "the cache has reached version " + upTo + ", and a live list has shown version " + t.Fence
	default:
		return ""
	}
}

// settle forgets each write that the cache shows.
func (t *Tracker) settle(present map[string]*discoveryv1.EndpointSlice, upTo string) {
	for name, e := range t.Written {
		s := present[name]
		switch {
		case s == nil && e.shownByAbsence(upTo), s != nil && e.shownBy(s):
			delete(t.Written, name)
		case s != nil && s.UID == e.UID:
			e.Unseen = false
			t.Written[name] = e
		}
	}
}

func byName(namespace string, list []*discoveryv1.EndpointSlice) map[string]*discoveryv1.EndpointSlice {
	present := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range list {
		if s != nil && s.Namespace == namespace {
			present[s.Name] = s
		}
	}
	return present
}

// put sets the value of a name in a map, which may be nil.
func put[V any](in *map[string]V, name string, value V) {
	if *in == nil {
		*in = map[string]V{}
	}
	(*in)[name] = value
}

// take remembers a name for which the API server refused a create because a slice has the name.
func (t *Tracker) take(name string) {
	if i, known := slices.BinarySearch(t.Taken, name); !known {
		t.Taken = slices.Insert(t.Taken, i, name)
	}
}

// free forgets a name that take remembered.
func (t *Tracker) free(name string) {
	if i, known := slices.BinarySearch(t.Taken, name); known {
		t.Taken = slices.Delete(t.Taken, i, i+1)
	}
}
