package slicertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/internal/notation"
)

// faults are what will go wrong, each once, as soon as there is a request that it can befall.
type faults struct {
	refused  bool // a write fails with an internal error, and is not done
	lost     bool // a write is done, and its answer is lost
	conflict bool // somebody annotates the slice just before it is written
	twin     bool // a second instance makes the same create just before
	swift    bool // somebody deletes the slice before the writer has the answer to its write
	rival    bool // a second instance makes a whole sync just before a write
	late     bool // the view does not show the next writes until one more sync has been made
	crash    int  // how many writes are done before the writer is killed; -1: it is not
}

// arms is an event that arms a fault, which the events that follow in the history meet.
func arms(fault func(*faults) *bool, text string) func(*replay, int) string {
	return func(r *replay, _ int) string {
		*fault(&r.faults) = true
		return text
	}
}

func crashSoon(r *replay, n int) string {
	r.faults.crash = n % 3
	return fmt.Sprintf("the writer will be killed after %s", notation.Count(n%3, "more write"))
}

var (
	errKilled = errors.New("slicertest: the writer was killed")
	errLost   = errors.New("slicertest: the answer was lost: timeout awaiting response headers")
)

// strike is called before a request is carried out, and returns the error that befalls it.
func (r *replay) strike(q *request) error {
	if r.killed {
		return errKilled
	}
	if !q.writes() {
		return nil
	}
	f := &r.faults
	r.stable = r.stable && !f.refused && !f.lost && !f.conflict && !f.twin && !f.swift && !f.rival && f.crash < 0
	if f.crash == 0 {
		f.crash, r.killed = -1, true
		r.log.Line("      ! the writer is killed")
		r.cancel()
		return errKilled
	}
	if f.refused {
		f.refused = false
		return apierrors.NewInternalError(errors.New("slicertest: etcd is not there"))
	}
	if f.rival {
		f.rival = false
		r.rival()
	}
	if q.verb == "create" && f.twin {
		f.twin = false
		if _, err := r.api.server.Create(inside(q.sent)); err == nil {
			r.log.Line("      a second instance creates %s", nameOf(q.sent))
		}
	}
	if q.verb != "create" && f.conflict {
		if s := r.api.server.Get(q.name); s != nil && r.people.kept[s.Name] == nil {
			f.conflict = false
			r.annotate(s)
			r.log.Line("      somebody annotates %s", s.Name)
		}
	}
	return nil
}

// lose is called after a request was carried out, and may lose its answer.
func (r *replay) lose(q *request) {
	if !q.writes() || q.err != nil {
		return
	}
	if r.faults.crash > 0 {
		r.faults.crash--
	}
	if r.faults.lost {
		r.faults.lost, q.err = false, errLost
	}
	if r.faults.swift && q.stored != nil && r.people.kept[q.stored.Name] == nil {
		r.faults.swift, r.excused, r.gap.excused = false, true, true
		_ = r.api.server.Delete(q.stored.Name, nil)
		r.log.Line("      somebody deletes %s", q.stored.Name)
	}
}

// rival lets a second instance of the writer, which sees everything, make one sync. Its panics and errors are its own, and gaps
// do not count until all is quiet.
func (r *replay) rival() {
	r.excused, r.gap.excused = true, true
	r.log.Line("      a second instance syncs")
	api := r.newAPI()
	api.server, api.elsewhere = r.api.server, r.api.elsewhere
	api.after = r.tell
	s := r.state()
	s.All, s.Own, s.Deleted = append(r.api.server.List(), r.api.elsewhere.List()...), r.copies(), nil
	api.state = s
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer func() { _ = recover() }()
	_ = r.kit.start(api)(ctx, s)
}

// done reports that a request changed the server, although its answer may say something else.
func (q *request) done() bool { return q.writes() && (q.err == nil || errors.Is(q.err, errLost)) }

// refusal reports whether the API server has refused what was written, and not just the moment. An internal error without a
// reason is how its storage refuses.
func refusal(err error) bool {
	var s apierrors.APIStatus
	return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) ||
		errors.As(err, &s) && s.Status().Code == http.StatusInternalServerError && s.Status().Reason == ""
}

func nameOf(s *discoveryv1.EndpointSlice) string {
	return cmp.Or(s.Name, s.GenerateName+"*")
}
