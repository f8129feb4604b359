package slicer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// Writes remembers what a writer wrote until its cache has shown it, so that nothing is planned from a cache that has not.
// A plan from such a cache can take away the last copy of an endpoint that is wanted all the while. The zero value is ready, for
// all sets of one manager on one API server, and for concurrent use by one worker for each set:
//
//	var writes slicer.Writes // as long as the program runs
//
//	if err := writes.Behind(in.Set, existing, upTo); err != nil {
//		return err // nothing is planned: call again soon
//	}
//	plan, err := slicer.Compute(in, existing)
//	...
//	err = plan.Apply(writes.Through(in.Set, w))
//
// Of a [Set] the methods read Namespace, Key and, where Key is empty, Name. A Writes keeps names, UIDs and resourceVersions, and
// only of what the cache has not shown. It changes no list of slices: whatever goes wrong with it costs time and no endpoint.
//
// # What ends the waiting
//
//	a creation                 the cache shows the slice, or a later one of its name, or upTo has reached its version
//	an update                  the cache shows that version or a later one, or no longer the UID
//	a deletion                 the cache no longer shows the UID, or shows it at a later version, which has finalizers
//	an update without answer   the cache shows a version later than the one that was updated, or no longer the UID
//	a deletion without answer  the same
//	a creation without answer  the cache shows a slice of the name that was not there before
//
// If none of this comes, a live list ends it: read the slices of the set from the API server itself, with an empty resourceVersion and
// the selection that the cache has, call Listed, and plan from that list. Two cases need it: a write that was not done and
// whose answer was lost, and, where upTo is not known, a slice that somebody else deleted before the cache showed it. So list live
// when Behind has failed for some time, which is longer than the cache is ever late.
//
// An answer is success, or a status from 400 to 499 except 408 and 429: Conflict, AlreadyExists, NotFound, Forbidden and
// others say that nothing was written, and nothing is waited for. After any other error the write may have been done.
//
// # What holds
//
// For the only writer of a set, all of whose answers are known: no write takes away the last copy of an endpoint that is wanted
// all the while, and the API server refuses only writes to slices that somebody else wrote. What somebody else deletes is not
// counted. After a lost answer the same holds, with these exceptions:
//
//   - A request that is carried out after the live list can take an endpoint away. The API server ends requests after a minute, by
//     default, so a longer wait before the list makes this rarer.
//   - A process that is killed while a write is under way, and a new leader, know nothing of earlier writes. They need a cache
//     that was filled from a live list after they started, or whose version has reached that of a live list. With an older cache
//     they lose endpoints as without a Writes. After Listed with one live list writes may be refused, but none loses an endpoint
//     (internal/test/model).
//   - Where upTo is not known, a cache that is later than the time between two live lists of a set can cost endpoints.
//   - Two writers of one set do not wait for each other's writes: each can take away what the other published, and writes of
//     either are refused. When what is wanted stands still they come to rest, with all of it published. Use leader
//     election.
//
// If the API server is restored from a backup, so that versions fall, use a new Writes. With Options.GeneratedNames a creation
// without answer is waited for until a live list. Between two plans a reader whose cache shows slices out of their order may miss
// an endpoint, whatever the writer does.
type Writes struct {
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

// Behind reports whether a cache has shown all that was written to a set: nil, and a plan may be made from it. If not, the error
// names a slice; call again soon, as after any error of a sync. cache is the list that Compute gets next, of this set or of more.
//
// upTo is the version that the cache had reached before that list was made: LastStoreSyncResourceVersion of a store of client-go
// 0.36 or later, where the feature gate AtomicFIFO is on by default. Empty: not known, as with stores of earlier releases, which can
// show a version before an earlier one. While nothing is waited for, Behind allocates nothing.
func (m *Writes) Behind(set Set, cache []*discoveryv1.EndpointSlice, upTo string) error {
	var space [512]byte // for most keys
	key := set.appendKey(space[:0])
	m.mu.Lock()
	defer m.mu.Unlock()
	written := m.sets[string(key)]
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
		delete(m.sets, string(key))
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(written)))
	return fmt.Errorf("slicer: the cache has not shown what was written to %d slices, %s/%s first: call again later", len(written), set.Namespace, first)
}

var errNoVersion = errors.New("slicer: the slice has no resourceVersion after Create: decode the API server's answer into it; " +
	"client-go's fake clientset gives versions only by a reactor of the test")

// Through returns a Writer that writes with w and remembers what the cache has to show for it. Functions that w lacks it lacks, too.
// Create must decode the API server's answer into the object, as that of ClientWriter does: an object that is left without
// resourceVersion is an error, and the outcome is not known. An update whose object keeps its resourceVersion is waited for
// until the cache shows a later one.
func (m *Writes) Through(set Set, w Writer) Writer {
	key := string(set.appendKey(nil))
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
func (m *Writes) note(key, name string, e entry) {
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

func (m *Writes) keep(key, name string, e entry) {
	if m.sets == nil {
		m.sets = map[string]map[string]entry{}
	}
	if m.sets[key] == nil {
		m.sets[key] = map[string]entry{}
	}
	m.sets[key][name] = e
}

// Listed says that these are the slices of a set on the API server, listed live after the last write to the set returned. Slices
// without the labels of the set's Key are left out; Behind waits for those of other managers that have them, too. Plan from this
// list next. Before a plan from the cache Behind waits until that shows each slice of the list, in the same version or a later one.
func (m *Writes) Listed(set Set, live []*discoveryv1.EndpointSlice) {
	key, labels := string(set.appendKey(nil)), meta.Metadata{Key: keyOf(nil, &set)}
	m.mu.Lock()
	defer m.mu.Unlock()
	written := m.sets[key]
	delete(m.sets, key)
	for name, e := range written {
		if e.uid != "" { // else the creation is listed, or was not done
			e.unknown, e.listed = false, true
			m.keep(key, name, e)
		}
	}
	for _, s := range live {
		if s == nil || s.Namespace != set.Namespace {
			continue
		}
		if _, ours := written[s.Name]; ours || labels.OfParent(s) {
			m.keep(key, s.Name, entry{uid: s.UID, version: s.ResourceVersion, unseen: true})
		}
	}
}

// Forget drops what is remembered of a set whose parent is gone, because its slices go with it.
func (m *Writes) Forget(set Set) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sets, string(set.appendKey(nil)))
}

// appendKey appends a text that tells the set from all others of its manager.
func (s *Set) appendKey(to []byte) []byte {
	var space [8]meta.Label
	labels := keyOf(space[:0], s)
	labels = labels[:len(labels)-1] // without the manager
	slices.SortFunc(labels, func(a, b meta.Label) int { return strings.Compare(a.Name, b.Name) })
	to = append(to, s.Namespace...)
	for _, l := range labels {
		to = append(append(append(append(to, 0), l.Name...), 0), l.Value...)
	}
	return to
}
