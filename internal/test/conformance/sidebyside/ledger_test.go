package main

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sliceOf is a slice with ready endpoints of the Pods.
func sliceOf(name string, port int32, pods ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Ports: []discoveryv1.EndpointPort{{Port: &port}},
	}
	for _, pod := range pods {
		s.Endpoints = append(s.Endpoints,
			discoveryv1.Endpoint{TargetRef: &corev1.ObjectReference{Kind: "Pod", Name: pod}})
	}
	return s
}

// newCounting is a ledger whose history runs, with ready Pods of Service web on port 80.
func newCounting(pods ...string) *ledger {
	l := newLedger()
	l.setPort("web", 80)
	l.start()
	for _, pod := range pods {
		l.want(pod, "web")
	}
	return l
}

func TestLedgerConverges(t *testing.T) {
	l := newCounting("a", "b")
	expect := func(why string, want bool, lacking, surplus int) {
		t.Helper()
		if ok, _, lack, more := l.converged(0); ok != want || lack != lacking || more != surplus {
			t.Errorf("%s: %v, %d lacking, %d too many", why, ok, lack, more)
		}
	}
	expect("nothing published", false, 2, 0)
	l.event("ADDED", sliceOf("s", 80, "a"))
	expect("one", false, 1, 0)
	l.event("MODIFIED", sliceOf("s", 80, "a", "b"))
	expect("both", true, 0, 0)
	l.event("ADDED", sliceOf("t", 80, "a"))
	expect("one twice", false, 0, 1)
	l.event("DELETED", sliceOf("t", 80, "a"))
	expect("once", true, 0, 0)
	l.release("b")
	expect("one too many", false, 0, 1)
	l.event("MODIFIED", sliceOf("s", 81, "a"))
	expect("on the wrong port", false, 1, 1)
	l.setPort("web", 81)
	expect("it is the wanted one now", true, 0, 0)
	if ok, _, _, _ := l.converged(time.Hour); ok {
		t.Error("not quiet for an hour")
	}
}

func TestLedgerCountsMovesAndLatencies(t *testing.T) {
	l := newCounting("a", "b", "c")
	l.event("ADDED", sliceOf("s", 80, "a", "b"))
	l.event("ADDED", sliceOf("t", 80, "b", "c")) // b moves: first to a second place
	l.event("MODIFIED", sliceOf("s", 80, "a"))
	l.event("MODIFIED", sliceOf("t", 80, "c")) // b goes
	l.release("c")
	l.event("MODIFIED", sliceOf("s", 80, "a", "b", "c")) // b comes back elsewhere; c is not wanted
	got, n, busiest := l.finish()
	if got.Moved != 2 || n != 2 || busiest < 3 || busiest > 6 {
		t.Errorf("%d moved, %d slices, %d events in a second", got.Moved, n, busiest)
	}
	if len(got.Latencies) != 3 || slices.Min(got.Latencies) < 0 {
		t.Errorf("latencies %v", got.Latencies)
	}
}

func TestLedgerCountsGaps(t *testing.T) {
	l := newCounting("a", "b")
	l.event("ADDED", sliceOf("s", 80, "a", "b"))
	l.event("MODIFIED", sliceOf("s", 80, "b")) // a is missing
	time.Sleep(10 * time.Millisecond)
	l.event("ADDED", sliceOf("t", 80, "a"))
	l.release("b")
	l.event("MODIFIED", sliceOf("s", 80)) // b need not be there
	l.setPort("web", 81)
	l.event("MODIFIED", sliceOf("t", 82, "a")) // never published on 81: no missing pair, and on some port
	l.event("MODIFIED", sliceOf("t", 81, "a"))
	l.event("DELETED", sliceOf("t", 81, "a")) // missing again
	l.event("ADDED", sliceOf("t", 80, "a"))   // on a port that is not wanted
	l.event("MODIFIED", sliceOf("t", 81, "a"))
	got, _, _ := l.finish()
	if got.Pairs.Count != 2 || got.Endpoints.Count != 2 || got.Pairs.Longest < 10*time.Millisecond ||
		got.Pairs.Total < got.Pairs.Longest {
		t.Errorf("pairs %+v, endpoints %+v", got.Pairs, got.Endpoints)
	}
	if got.Pairs.Total < got.Endpoints.Total {
		t.Errorf("a pair is missing at least as long as the endpoint: %v, %v", got.Pairs.Total, got.Endpoints.Total)
	}
}

func TestLedgerBeforeTheHistory(t *testing.T) {
	l := newLedger()
	l.setPort("web", 80)
	l.want("a", "web")
	l.event("ADDED", sliceOf("s", 80, "a"))
	l.event("DELETED", sliceOf("s", 80, "a"))
	l.event("ADDED", sliceOf("t", 80, "a"))
	l.start()
	if got, _, _ := l.finish(); got.Moved+got.Pairs.Count+got.Endpoints.Count+len(got.Latencies) != 0 {
		t.Errorf("%+v", got)
	}
}
