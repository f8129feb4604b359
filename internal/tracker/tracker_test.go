package tracker

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
)

var web = Set{Namespace: "ns", Name: "web", ManagedBy: "me", Owner: "service"}

func stored(name, uid, version string) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: name, UID: types.UID(uid), ResourceVersion: version,
		Labels:          map[string]string{discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: "me"},
		OwnerReferences: []metav1.OwnerReference{{Kind: "Service", Name: "web", UID: "service"}},
	}}
}

func list(slices ...*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice { return slices }

// write tells the tracker of a write of a slice, which the API server gives the version 12 unless
// there is an error.
func (t *Tracker) write(verb slicer.Verb, s *discoveryv1.EndpointSlice, err error) {
	call := t.Begin(web)
	s = s.DeepCopy()
	sent := Send(verb, s)
	if err == nil {
		s.ResourceVersion = "12"
		if verb == slicer.Create {
			s.UID = "uid-12"
		}
	}
	call.Answered(sent, s, err)
}

// read starts a call with a view of the cache.
func (t *Tracker) read(view []*discoveryv1.EndpointSlice, upTo string) (*Call, Next) {
	call := t.Begin(web)
	call.Read(view, upTo, nil)
	return &call, call.Next()
}

func status(code int32, reason metav1.StatusReason) error {
	return fmt.Errorf("wrapped: %w", &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Reason: reason}})
}

// TestOutcomes: after a refusal there is nothing to wait for. After any other error there is,
// because the write may have been executed.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		err   error
		waits bool
	}{
		{nil, true},
		{status(400, ""), false}, {status(403, ""), false}, {status(409, ""), false}, {status(422, ""), false}, {status(499, ""), false},
		{status(408, ""), true}, {status(429, ""), true}, {status(500, ""), true}, {status(503, ""), true}, {status(0, ""), true}, {status(399, ""), true},
		{errors.New("connection reset by peer"), true},
	} {
		for verb, old := range map[slicer.Verb]*discoveryv1.EndpointSlice{
			slicer.Create: nil, slicer.Update: stored("a", "u", "5"), slicer.Delete: stored("a", "u", "5"),
		} {
			var tracker Tracker
			s, view := old, list()
			if old == nil {
				s = stored("a", "", "")
			} else {
				view = list(old)
			}
			tracker.write(verb, s, c.err)
			if _, next := tracker.read(view, ""); (next.Do == Wait) != c.waits || (next.Do == Plan) == c.waits {
				t.Errorf("%s: after %v comes %+v", verb, c.err, next)
			}
		}
	}
	var tracker Tracker
	tracker.write(slicer.Delete, stored("a", "u", "5"), status(404, metav1.StatusReasonNotFound))
	if _, next := tracker.read(list(stored("a", "u", "5")), ""); next.Do != Wait {
		t.Errorf("a slice that was gone when it was deleted must not be in the cache: %+v", next)
	}
}

// TestViews: after each kind of write, which views of the cache end the waiting.
func TestViews(t *testing.T) {
	lost := errors.New("no answer")
	old := stored("a", "u", "9") // 10 is later, although the text is not
	far := stored("a", "uid-12", "12")
	far.Namespace = "far"
	for _, c := range []struct {
		why   string
		verb  slicer.Verb
		s     *discoveryv1.EndpointSlice
		err   error
		view  []*discoveryv1.EndpointSlice
		upTo  string
		waits bool
	}{
		{"a create", slicer.Create, stored("a", "", ""), nil, nil, "", true},
		{"a create, an earlier slice of its name", slicer.Create, stored("a", "", ""), nil, list(old), "", true},
		{"a create that is shown", slicer.Create, stored("a", "", ""), nil, list(stored("a", "uid-12", "12")), "", false},
		{"a create, a later slice of its name", slicer.Create, stored("a", "", ""), nil, list(stored("a", "v", "13")), "", false},
		{"a create that upTo has reached", slicer.Create, stored("a", "", ""), nil, nil, "12", false},
		{"a create that upTo has not reached", slicer.Create, stored("a", "", ""), nil, nil, "9", true},
		{"a create, an earlier slice of its name and upTo", slicer.Create, stored("a", "", ""), nil, list(old), "12", true},
		{"a create in another namespace", slicer.Create, stored("a", "", ""), nil, list(far), "", true},
		{"a create without answer", slicer.Create, stored("a", "", ""), lost, nil, "99", true},
		{"a create without answer that is shown", slicer.Create, stored("a", "", ""), lost, list(stored("a", "v", "2")), "", false},
		{"an update", slicer.Update, old, nil, list(old), "", true},
		{"an update, a version between", slicer.Update, old, nil, list(stored("a", "u", "10")), "", true},
		{"an update that is shown", slicer.Update, old, nil, list(stored("a", "u", "12")), "", false},
		{"an update of a slice that is gone", slicer.Update, old, nil, nil, "", false},
		{"an update of a slice that another one has replaced", slicer.Update, old, nil, list(stored("a", "v", "13")), "", false},
		{"an update without answer", slicer.Update, old, lost, list(old), "", true},
		{"an update without answer, any later version", slicer.Update, old, lost, list(stored("a", "u", "10")), "", false},
		{"a delete", slicer.Delete, old, nil, list(old), "", true},
		{"a delete that is shown", slicer.Delete, old, nil, nil, "", false},
		{"a delete, and finalizers", slicer.Delete, old, nil, list(stored("a", "u", "10")), "", false},
		{"a delete, and another slice", slicer.Delete, old, nil, list(stored("a", "v", "10")), "", false},
		{"nil among the slices", slicer.Delete, old, nil, list(nil, old), "", true},
		{"an update in an API without versions", slicer.Update, stored("a", "", ""), nil, list(stored("a", "", "")), "", false},
		{"a delete in an API without versions", slicer.Delete, stored("a", "", ""), nil, list(stored("a", "", "")), "", false},
	} {
		var tracker Tracker
		tracker.write(c.verb, c.s, c.err)
		_, next := tracker.read(c.view, c.upTo)
		switch {
		case (next.Do == Wait) != c.waits:
			t.Errorf("%s: %+v", c.why, next)
		case c.waits && !strings.Contains(next.Why, "ns/a"):
			t.Errorf("%s: %q does not name the slice", c.why, next.Why)
		case !c.waits && !tracker.Empty():
			t.Errorf("%s: %+v is remembered", c.why, tracker)
		}
	}
}

// TestWithoutVersion: a create whose answer has no version is waited for by its name: client-go's
// fake clientset gives none, and a Writer may not decode the answer.
func TestWithoutVersion(t *testing.T) {
	var tracker Tracker
	call := tracker.Begin(web)
	s := stored("a", "", "")
	call.Answered(Send(slicer.Create, s), s, nil)
	if _, next := tracker.read(nil, "99"); next.Do != Wait {
		t.Errorf("%+v", next)
	}
	for _, shown := range []*discoveryv1.EndpointSlice{stored("a", "", ""), stored("a", "u", "5")} {
		again := tracker.Clone()
		if _, next := again.read(list(shown), ""); next.Do != Plan {
			t.Errorf("%+v", next)
		}
	}
}

// TestPatience: ten calls in a row wait or fail, and the next one lists live, even if the cache
// shows all writes.
func TestPatience(t *testing.T) {
	var tracker Tracker
	tracker.write(slicer.Create, stored("a", "", ""), errors.New("no answer"))
	for i := range Patience {
		if i%2 == 0 {
			if _, next := tracker.read(nil, ""); next.Do != Wait {
				t.Fatalf("call %d: %+v", i+1, next)
			}
			continue
		}
		call, _ := tracker.read(list(stored("a", "u", "2"), stored("b", "u", "2")), "")
		call.Planned(slicer.Plan{Steps: []slicer.Step{{}}}, nil)
		call.Applied(status(409, metav1.StatusReasonConflict))
		tracker.write(slicer.Create, stored("b", "", ""), errors.New("no answer"))
	}
	call, next := tracker.read(list(stored("b", "u", "2")), "")
	if next.Do != List {
		t.Fatalf("%+v", next)
	}
	if call.Listed(nil, nil); call.Next().Do != Stop || call.Next().Err == nil {
		t.Errorf("without a list: %+v", call.Next())
	}
	call, _ = tracker.read(nil, "")
	call.Listed(&discoveryv1.EndpointSliceList{}, nil)
	if next := call.Next(); next.Do != Plan || tracker.Failed != 0 {
		t.Errorf("%+v, and %d calls have failed", next, tracker.Failed)
	}
}

// TestSuccess: a call that carries out its plan, or has nothing to do, starts to count again. A
// mistake and a reading error count for nothing.
func TestSuccess(t *testing.T) {
	tracker := Tracker{Failed: 3, Taken: []string{}}
	call, _ := tracker.read(nil, "")
	call.Planned(slicer.Plan{}, errors.New("a mistake"))
	if _, _ = tracker.read(nil, ""); tracker.Failed != 3 {
		t.Errorf("%d calls have failed after a mistake", tracker.Failed)
	}
	failed := tracker.Begin(web)
	failed.Read(nil, "", errors.New("no cache"))
	if next := failed.Next(); next.Do != Stop || next.Err == nil || tracker.Failed != 3 {
		t.Errorf("%+v, and %d calls have failed", next, tracker.Failed)
	}
	call, _ = tracker.read(nil, "")
	if call.Planned(slicer.Plan{}, nil); call.Next().Do != Stop || !tracker.Empty() {
		t.Errorf("%+v, and %+v is remembered", call.Next(), tracker)
	}
}

// TestListWithoutTheSlice: if a live list does not have a slice that was updated, a cache without a
// version is waited for until it does not have the slice either.
func TestListWithoutTheSlice(t *testing.T) {
	var tracker Tracker
	tracker.write(slicer.Update, stored("a", "u", "5"), nil)
	tracker.Failed = Patience
	call, next := tracker.read(list(stored("a", "u", "5")), "")
	if next.Do != List {
		t.Fatalf("%+v", next)
	}
	call.Listed(&discoveryv1.EndpointSliceList{ListMeta: metav1.ListMeta{ResourceVersion: "20"}}, nil)
	call.Planned(slicer.Plan{}, nil)
	if _, next := tracker.read(list(stored("a", "u", "12")), ""); next.Do != Wait ||
		!strings.Contains(next.Why, "ns/a is gone") {
		t.Errorf("the cache still has the slice: %+v", next)
	}
	if _, next := tracker.read(nil, ""); next.Do != Plan {
		t.Errorf("the cache does not have it: %+v", next)
	}
}

// TestFence: after a live list the cache must reach the version of the list, and each slice of it.
func TestFence(t *testing.T) {
	listed := func() *Tracker {
		tracker := &Tracker{Failed: Patience}
		tracker.write(slicer.Create, stored("", "", ""), errors.New("no answer")) // of a generated name
		foreign := stored("x", "x", "5")
		foreign.Labels = nil
		call, _ := tracker.read(nil, "")
		call.Listed(&discoveryv1.EndpointSliceList{
			ListMeta: metav1.ListMeta{ResourceVersion: "20"},
			Items:    []discoveryv1.EndpointSlice{*stored("b", "b", "14"), *foreign},
		}, nil)
		if call.Planned(slicer.Plan{}, nil); call.Next().Do != Stop {
			t.Fatalf("%+v", call.Next())
		}
		return tracker
	}
	for _, c := range []struct {
		view []*discoveryv1.EndpointSlice
		upTo string
		why  string // it waits; empty: it does not
	}{
		{nil, "13", "ns/b"},
		{nil, "", "ns/b"},
		{list(stored("b", "b", "14")), "", ""},
		{list(stored("b", "b", "14")), "14", "version 20"},
		{list(stored("b", "b", "15")), "20", ""},
		{nil, "21", ""}, // another client has deleted it
	} {
		tracker := listed()
		if _, next := tracker.read(c.view, c.upTo); (next.Do == Wait) != (c.why != "") ||
			!strings.Contains(next.Why, c.why) {
			t.Errorf("up to %q: %+v", c.upTo, next)
		}
	}
}

// taken is a tracker whose create of name a was refused because a slice has that name.
func taken() *Tracker {
	var tracker Tracker
	tracker.write(slicer.Create, stored("a", "", ""), status(409, metav1.StatusReasonAlreadyExists))
	return &tracker
}

// TestTaken: the slice that has a refused name is looked up, and what it is decides what follows.
func TestTaken(t *testing.T) {
	unlabelled, foreign, stale := stored("a", "u", "5"), stored("a", "u", "5"), stored("a", "u", "5")
	for _, s := range list(unlabelled, foreign, stale) {
		delete(s.Labels, discoveryv1.LabelServiceName)
	}
	foreign.Labels[discoveryv1.LabelManagedBy] = "another"
	stale.OwnerReferences[0].UID = "an earlier service"
	for _, c := range []struct {
		why  string
		s    *discoveryv1.EndpointSlice // nil: there is none any more
		want Do
		view string // what is planned from
		free bool   // the name is not looked up again
	}{
		{"it is gone", nil, Plan, "b", true},
		{"the cache is late", stored("a", "u", "5"), Wait, "", true},
		{"it has lost a label", unlabelled, Plan, "b a labelled", false},
		{"it is another manager's", foreign, Plan, "b a", false},
		{"it is an earlier Service's", stale, Plan, "b a", false},
	} {
		tracker := taken()
		call, next := tracker.read(list(stored("b", "b", "3")), "")
		if next.Do != Get || next.Name != "a" {
			t.Fatalf("%+v", next)
		}
		if c.s == nil {
			call.Got(nil, status(404, metav1.StatusReasonNotFound))
		} else {
			call.Got(c.s.DeepCopy(), nil)
		}
		next, view := call.Next(), ""
		for _, s := range next.View {
			view = strings.TrimSpace(view + " " + s.Name)
			if s.Name == "a" && s.Labels[discoveryv1.LabelServiceName] == "web" {
				view += " labelled"
			}
		}
		if next.Do != c.want || c.want == Plan && view != c.view {
			t.Errorf("%s: %+v from %q", c.why, next, view)
		}
		if free := len(tracker.Taken) == 0; free != c.free {
			t.Errorf("%s: the name is forgotten: %t", c.why, free)
		}
	}
	if call, _ := taken().read(nil, ""); true {
		if call.Got(nil, errors.New("no answer")); call.Next().Do != Stop || call.Next().Err == nil ||
			call.tracker.Failed != 1 {
			t.Errorf("without an answer: %+v", call.Next())
		}
	}
	if call, next := taken().read(list(stored("a", "u", "5")), ""); next.Do != Plan || len(call.tracker.Taken) > 0 {
		t.Errorf("the cache shows it: %+v, looked up again: %q", next, call.tracker.Taken)
	}
}

// TestTakenInCache: a cache may show slices that have lost labels, nil and slices of other
// namespaces. Only slices of the namespace have a refused name, and the list of the cache stays as
// it is.
func TestTakenInCache(t *testing.T) {
	a, b, elsewhere := stored("a", "u", "5"), stored("b", "v", "6"), stored("a", "w", "7")
	for _, s := range list(a, b, elsewhere) {
		delete(s.Labels, discoveryv1.LabelServiceName)
	}
	elsewhere.Namespace = "other"
	cache := append(make([]*discoveryv1.EndpointSlice, 0, 9), a, nil, elsewhere)
	tracker := taken()
	tracker.write(slicer.Create, stored("b", "", ""), status(409, metav1.StatusReasonAlreadyExists))
	call, _ := tracker.read(cache, "")
	if next := call.Next(); next.Do != Get || next.Name != "b" {
		t.Fatalf("%+v", next)
	}
	call.Got(b, nil)
	view := call.Next().View
	if len(view) != 4 || view[1] != nil || view[2] != elsewhere || !reflect.DeepEqual(view[0], stored("a", "u", "5")) ||
		!reflect.DeepEqual(view[3], stored("b", "v", "6")) {
		t.Errorf("planned from %v", view)
	}
	if !reflect.DeepEqual(cache[:9:9], append(list(a, nil, elsewhere), make([]*discoveryv1.EndpointSlice, 6)...)) ||
		len(a.Labels) != 1 {
		t.Errorf("the list of the cache is %v", cache[:9:9])
	}
	call.Planned(slicer.Plan{Unchanged: view}, nil)
	if steps := call.Plan.Steps; len(steps) != 2 || steps[0].Old != view[0] || steps[1].Old != view[3] ||
		!reflect.DeepEqual(call.Plan.Unchanged, list(nil, elsewhere)) {
		t.Errorf("%v", call.Plan)
	}
}

// TestRestore: a slice that has lost a label, and holds what is wanted, gets the label back in a
// step of its own, before all others.
func TestRestore(t *testing.T) {
	tracker := taken()
	hidden := stored("a", "u", "5")
	delete(hidden.Labels, discoveryv1.LabelServiceName)
	before := hidden.DeepCopy()
	call, _ := tracker.read(nil, "")
	call.Got(hidden, nil)
	ours := call.Next().View[0]
	call.Planned(slicer.Plan{Unchanged: list(ours),
		Steps: []slicer.Step{{Verb: slicer.Delete, Old: stored("b", "b", "3")}}}, nil)
	steps := call.Plan.Steps
	if call.Next().Do != Write || len(steps) != 2 || len(call.Plan.Unchanged) != 0 || steps[0].Verb != slicer.Update ||
		steps[0].New == ours || !reflect.DeepEqual(steps[0].New, stored("a", "u", "5")) ||
		!reflect.DeepEqual(hidden, before) {
		t.Fatalf("%+v", call.Plan)
	}
	answered := steps[0].New
	sent := Send(slicer.Update, answered)
	answered.ResourceVersion = "12"
	call.Answered(sent, answered, nil)
	call.Applied(nil)
	for upTo, want := range map[string]Do{"": Wait, "11": Wait, "12": Plan} {
		if _, next := tracker.Clone().read(nil, upTo); next.Do != want {
			t.Errorf("the cache has not shown the slice before, and has reached %q: %+v", upTo, next)
		}
	}
}

// TestAnswersWithoutNews: after an update that is answered without a version, or with the one that
// was sent, the cache must show a later one. Slices of other namespaces that a live list has are
// not remembered.
func TestAnswersWithoutNews(t *testing.T) {
	for _, version := range []string{"", "5"} {
		var tracker Tracker
		call := tracker.Begin(web)
		s := stored("a", "u", "5")
		sent := Send(slicer.Update, s)
		s.ResourceVersion = version
		call.Answered(sent, s, nil)
		if _, next := tracker.read(list(stored("a", "u", "5")), ""); next.Do != Wait {
			t.Errorf("answered with %q: %+v on the old view", version, next)
		}
		if _, next := tracker.read(list(stored("a", "u", "6")), ""); next.Do != Plan {
			t.Errorf("answered with %q: %+v on a later view", version, next)
		}
	}
	far := stored("b", "u", "5")
	far.Namespace = "far"
	var tracker Tracker
	call := tracker.Begin(web)
	call.Listed(&discoveryv1.EndpointSliceList{Items: []discoveryv1.EndpointSlice{*far}}, nil)
	if len(tracker.Written) > 0 {
		t.Errorf("remembered: %v", tracker.Written)
	}
}
