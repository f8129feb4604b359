package slicertest

import (
	"errors"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// This file has the guarantees that are judged after each request, and after each sync.

// seen is called after each request.
func (r *replay) seen(q *request) {
	r.lose(q)
	if errors.Is(q.err, errLimit) {
		r.log.Fail("converges", "one sync made more than %d requests, or sent more than %d MiB", maxRequests,
			maxBytes>>20)
		r.cancel()
	}
	if !q.writes() {
		return
	}
	if r.wrote++; r.visiting {
		r.start.wrote++ // judgeNumber does not count it
	}
	r.kit.sent++
	r.tell(q)
	switch {
	case refusal(q.err):
		r.log.Fail("accepted", "%s %s: %s", kit.Word(q.verb), q.subject(), kit.Word(cause(q.err)))
	case r.stable && q.verb != "delete" && !q.done() && !r.dying(q.name):
		if reason := apierrors.ReasonForError(q.err); slices.Contains(collisions, reason) {
			r.log.Fail("no-collision", "%s %s is answered %s", kit.Word(q.verb), q.subject(), kit.Word(reason))
		}
	}
	if !q.done() {
		return
	}
	if q.verb == "delete" {
		r.release()
	}
	if q.stored != nil {
		r.count(q)
		r.judgeSize(q)
		if q.namespace != otherNamespace {
			r.judgeMetadata(q)
		}
	}
	r.judgeForeign()
	if r.visiting && q.namespace != otherNamespace {
		r.log.Fail("foreign-kept", "in a sync of a Service in namespace %s, a slice of another namespace is written",
			otherNamespace)
	}
	r.gap.after(r, q)
}

// dying reports whether the slice of this name was deleted but still exists because of a finalizer.
func (r *replay) dying(name string) bool {
	s := r.api.server.Get(name)
	return s != nil && s.DeletionTimestamp != nil
}

var collisions = []metav1.StatusReason{metav1.StatusReasonAlreadyExists, metav1.StatusReasonConflict,
	metav1.StatusReasonNotFound}

// count counts created slices, in order to detect a wrong Options.ManagedBy.
func (r *replay) count(q *request) {
	if r.kit.ours(q.stored) {
		r.kit.mine++
	} else if q.old == nil {
		r.kit.others++
		r.kit.stranger = q.stored.Labels
	}
}

// judgeLate reports the requests that a writer has made after a sync has returned.
func (r *replay) judgeLate() {
	r.api.mu.Lock()
	defer r.api.mu.Unlock()
	for _, q := range r.api.late {
		r.log.Fail(kit.Returns, "%s %s comes after the sync has returned", kit.Word(q.verb), q.subject())
	}
	r.api.late = nil
}

// judgeSize reports a slice that has grown above the maximum. A slice that was above the maximum
// before may stay as large as it was.
func (r *replay) judgeSize(q *request) {
	n, had := len(q.stored.Endpoints), 0
	if q.old != nil {
		had = len(q.old.Endpoints)
	}
	if most := r.kit.MaxEndpointsPerSlice; most > 0 && n > most && n > had {
		r.log.Fail("within-max", "%s has %d endpoints, and the maximum is %d", q.stored.Name, n, most)
	}
}

func (r *replay) judgeMetadata(q *request) {
	if what := r.lost(q.stored); what != "" {
		r.log.Fail("metadata-kept", "%s has lost %s that another client put on it", q.stored.Name, kit.Word(what))
		delete(r.people.marked, q.stored.UID)
	}
}

func (r *replay) judgeForeign() {
	if r.people.elsewhere != r.api.elsewhere.Writes() && !r.visiting {
		r.log.Fail("foreign-kept", "a slice of another namespace is written")
	}
	r.people.elsewhere = r.api.elsewhere.Writes()
	for _, name := range slices.Sorted(maps.Keys(r.people.kept)) {
		was, is := r.people.kept[name], r.api.server.Get(name)
		if is == nil {
			r.log.Fail("foreign-kept", "slice %s of another manager is deleted", name)
			delete(r.people.kept, name)
		} else if is.ResourceVersion != was.ResourceVersion {
			r.log.Fail("foreign-kept", "slice %s of another manager is changed", name)
			r.people.kept[name] = is
		}
	}
}

// judgeReport finds failed writes that a sync has ignored: no later request for the same slice and
// no later list has succeeded. A delete of a slice that does not exist has not failed.
func (r *replay) judgeReport() {
	for i, q := range r.api.journal {
		if !q.writes() || q.err == nil || q.verb == "delete" && apierrors.IsNotFound(q.err) {
			continue
		}
		good := slices.ContainsFunc(r.api.journal[i+1:], func(later *request) bool {
			return later.err == nil && (later.name == q.name || later.verb == "list")
		})
		if !good {
			r.log.Fail("reports", "the sync returns no error, and %s %s has failed: %s", kit.Word(q.verb), q.subject(),
				kit.Word(cause(q.err)))
		}
	}
}
