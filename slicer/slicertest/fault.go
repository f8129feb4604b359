package slicertest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/internal/notation"
)

// faultEvents prepare (arm) faults. Each armed fault happens once, to the next request to which it
// can happen. The writer is not called before the next event.
var faultEvents = []event{
	{"refuse", []string{"Faults"}, armsAfter("refuse", "the %s write from now will fail")},
	{"lose", []string{"Faults"}, armsAfter("lose", "the answer to the %s write from now will be lost")},
	{"conflict", []string{"Others"},
		arms("conflict", "another client will annotate a slice just before it is written")},
	{"create-twice", []string{"Replicas"},
		arms("create-twice", "a second instance will make the next create just before")},
	{"swift-delete", []string{"Others"},
		arms("swift-delete", "another client will delete the next slice that is written, before its answer is there")},
	{"rival", []string{"Replicas"}, arms("rival", "a second instance will sync just before the next write")},
	{"late", []string{"LateViews"}, arms("late", "the next writes will be seen late")},
	{"mark", []string{"Others"}, func(r *replay, _ int) string {
		own := r.own()
		for _, s := range own {
			r.mark(s)
		}
		return when(len(own) > 0, "another client puts an annotation, a finalizer and an owner on all slices")
	}},
	{"crash", []string{"Crashes"}, func(r *replay, n int) string {
		r.crash = n % 3
		return fmt.Sprintf("the writer will be killed after %s", notation.Count(n%3, "more write"))
	}},
}

func arms(name, text string) func(*replay, int) string {
	return func(r *replay, _ int) string {
		r.armed[name] = 1
		return text
	}
}

// armsAfter prepares a fault of the first, second or third write.
func armsAfter(name, text string) func(*replay, int) string {
	return func(r *replay, n int) string {
		r.armed[name] = 1 + n%3
		return fmt.Sprintf(text, []string{"first", "second", "third"}[n%3])
	}
}

// meets reports whether an armed fault happens to this request, and disarms it then.
func (r *replay) meets(fault string) bool {
	if r.armed[fault] > 1 {
		r.armed[fault]--
		return false
	}
	armed := r.armed[fault] > 0
	delete(r.armed, fault)
	return armed
}

// unarmed reports whether no fault is armed.
func (r *replay) unarmed() bool { return len(r.armed) == 0 && r.crash < 0 }

var (
	errKilled = errors.New("slicertest: the writer was killed")
	errLost   = errors.New("slicertest: the answer was lost: timeout awaiting response headers")
)

// strike is called before a request is executed. If it returns an error, the request fails with
// that error.
func (r *replay) strike(q *request) error {
	if r.killed {
		return errKilled
	}
	if !q.writes() || r.visiting {
		return nil
	}
	r.stable = r.stable && r.unarmed()
	if r.crash == 0 {
		r.crash, r.killed = -1, true
		r.log.Line("      ! the writer is killed")
		r.cancel()
		return errKilled
	}
	if r.meets("refuse") {
		return apierrors.NewInternalError(errors.New("slicertest: etcd is not there"))
	}
	if r.meets("rival") {
		r.rival()
	}
	if q.verb == "create" && r.meets("create-twice") {
		if _, err := r.api.server.Create(q.inside()); err == nil {
			r.log.Line("      a second instance creates %s", nameOf(q.sent))
		}
	}
	s := r.api.server.Get(q.name)
	if s != nil && q.verb != "create" && r.people.kept[s.Name] == nil && r.meets("conflict") {
		r.annotate(s)
		r.log.Line("      another client annotates %s", s.Name)
	}
	return nil
}

// lose is called after a request was executed, and may lose its answer.
func (r *replay) lose(q *request) {
	if !q.writes() || q.err != nil || r.visiting {
		return
	}
	if r.crash > 0 {
		r.crash--
	}
	if r.meets("lose") {
		q.err = errLost
	}
	if q.stored != nil && r.people.kept[q.stored.Name] == nil && r.meets("swift-delete") {
		r.excused = true
		_ = r.api.server.Delete(q.stored.Name, nil)
		r.log.Line("      another client deletes %s", q.stored.Name)
	}
}

// rival makes a second instance of the writer sync once. The cache of that instance is up to date.
// Its panics and errors are ignored, and gaps do not count until all is quiet.
func (r *replay) rival() {
	r.excused = true
	r.log.Line("      a second instance syncs")
	second := r.kit.newReplay(r.cluster, r.log.Silenced())
	second.api.server = r.api.server
	second.api.elsewhere = r.api.elsewhere
	second.cache.Server = r.api.server
	second.api.before, second.api.after = nil, r.tell
	second.restart()
	_, _ = second.round()
}

// done reports whether a write changed the server, even if its answer was lost.
func (q *request) done() bool { return q.writes() && (q.err == nil || errors.Is(q.err, errLost)) }

// refusal reports whether the API server has refused the content of a write, so that it would
// refuse it at any other time as well. An internal error without a reason means that the storage
// refused the object.
func refusal(err error) bool {
	var s apierrors.APIStatus
	return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) ||
		errors.As(err, &s) && s.Status().Code == http.StatusInternalServerError && s.Status().Reason == ""
}

func nameOf(s *discoveryv1.EndpointSlice) string {
	return cmp.Or(s.Name, s.GenerateName+"*")
}
