package service_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// since says when a Pod's Ready condition last changed; the Service of these tests was created at 100.
func since(seconds int64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = at(seconds) }
}

// TestInputChanged: an endpoint changed when its Pod's Ready condition did, or when its backend says so.
func TestInputChanged(t *testing.T) {
	without := aPod(3)
	without.Status.Conditions = nil
	in, err := derive(t, aService(), []*corev1.Pod{aPod(1, since(200)), aPod(2, unready, since(300)), without}, nodes, service.Options{})
	if d := cmp.Diff([]time.Time{at(200).Time, at(300).Time, {}}, in.Groups[0].Changed); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	backends := []service.Backend{{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"10.0.0.2"}, Changed: at(200).Time}}
	in, err = deriveBackends(t, aService(), backends, service.Options{})
	if d := cmp.Diff([]time.Time{{}, at(200).Time}, in.Groups[0].Changed); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if !in.Set.Created.Equal(at(100).Time) || in.Set.TriggerTime != nil {
		t.Errorf("created %v, trigger time %v", in.Set.Created, in.Set.TriggerTime)
	}
}
