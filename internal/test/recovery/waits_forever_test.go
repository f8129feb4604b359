package recovery

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
)

// writes waits until the cache shows what was written, and for ever if an answer was lost and the
// write was not executed: that is why a program that uses it does not recover.
type writes struct {
	mu   sync.Mutex
	sets map[string]map[string]entry // by namespace and Key, then by the name of the slice
}

// entry is the last write to a slice, which the cache has not shown.
type entry struct {
	uid     types.UID // empty: no slice that had the name is waited for, but see unknown
	version string    // from which on the slice shows the write
	after   bool      // version itself does not show it
	unknown bool      // a creation had no answer: if it was done, a slice of another UID is to come
	unseen  bool      // the cache may not have reached the UID yet: that it is not there does not mean that it is gone
	listed  bool      // a live list did not have the UID
}

// shownBy reports whether the slice that the cache has under the entry's name shows the write.
func (e *entry) shownBy(s *discoveryv1.EndpointSlice) bool {
	if s.UID == e.uid && (e.unknown || e.listed) {
		return false // it is gone
	}
	d := endpoint.CompareVersions(s.ResourceVersion, e.version)
	return d > 0 || d == 0 && !e.after
}

// shownByAbsence reports whether a cache that has no slice of the entry's name shows the write.
func (e *entry) shownByAbsence(upTo string) bool {
	switch {
	case e.unknown:
		return false
	case e.unseen && upTo == "":
		return e.listed
	default:
		return !e.unseen || endpoint.CompareVersions(upTo, e.version) >= 0
	}
}

// Behind returns an error if the cache has not shown what was written to a set.
func (m *writes) Behind(set slicer.Set, cache []*discoveryv1.EndpointSlice, upTo string) error {
	key := keyOf(set)
	m.mu.Lock()
	defer m.mu.Unlock()
	written := m.sets[key]
	if len(written) == 0 {
		return nil
	}
	present := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range cache {
		if s != nil && s.Namespace == set.Namespace {
			present[s.Name] = s
		}
	}
	for name, e := range written {
		s := present[name]
		switch {
		case s == nil && e.shownByAbsence(upTo), s != nil && e.shownBy(s):
			delete(written, name)
		case s != nil && s.UID == e.uid:
			e.unseen = false
			written[name] = e
		}
	}
	if len(written) == 0 {
		delete(m.sets, key)
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(written)))
	return fmt.Errorf("old: the cache has not shown what was written to %d slices, %s/%s first: call again later",
		len(written), set.Namespace, first)
}

var errNoVersion = errors.New("the slice has no resourceVersion after Create")

// Through returns a Writer that remembers what the cache has to show.
func (m *writes) Through(set slicer.Set, w publish.Writer) publish.Writer {
	key := keyOf(set)
	through := w
	if w.Create != nil {
		through.Create = func(s *discoveryv1.EndpointSlice) error {
			name, e := s.Name, entry{unknown: true}
			err := w.Create(s)
			switch {
			case err == nil && s.ResourceVersion == "":
				err = errNoVersion
			case err == nil:
				name, e = s.Name, entry{uid: s.UID, version: s.ResourceVersion, unseen: true}
			case refused(err):
				return err
			}
			m.note(key, name, e)
			return err
		}
	}
	if w.Update != nil {
		through.Update = func(s *discoveryv1.EndpointSlice) error {
			name, e := s.Name, entry{uid: s.UID, version: s.ResourceVersion, after: true}
			err := w.Update(s)
			if err == nil && s.ResourceVersion != e.version && s.ResourceVersion != "" {
				e.version, e.after = s.ResourceVersion, false
			}
			if !refused(err) {
				m.note(key, name, e)
			}
			return err
		}
	}
	if w.Delete != nil {
		through.Delete = func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			err := w.Delete(old, p)
			if !refused(err) || apierrors.IsNotFound(err) {
				m.note(key, old.Name, entry{uid: old.UID, version: old.ResourceVersion, after: true})
			}
			return err
		}
	}
	return through
}

// refused reports whether an error is the API server's answer that nothing was written.
func refused(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	const requestTimeout, tooManyRequests = 408, 429
	code := status.Status().Code
	return code >= 400 && code < 500 && code != requestTimeout && code != tooManyRequests
}

// note keeps the last write to a slice.
func (m *writes) note(key, name string, e entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	earlier := m.sets[key][name]
	if e.unknown {
		e, e.unknown = earlier, true
	} else if e.uid == earlier.uid {
		e.unseen = earlier.unseen
	}
	m.keep(key, name, e)
}

func (m *writes) keep(key, name string, e entry) {
	if m.sets == nil {
		m.sets = map[string]map[string]entry{}
	}
	if m.sets[key] == nil {
		m.sets[key] = map[string]entry{}
	}
	m.sets[key][name] = e
}

func keyOf(set slicer.Set) string { return set.Namespace + "/" + set.Name }
