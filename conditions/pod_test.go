package conditions_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
)

// TestFromPod has for each Pod its State as spell writes it, and whether it has finished.
func TestFromPod(t *testing.T) {
	const yes, no, unknown = corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown
	is := func(statuses ...corev1.ConditionStatus) []corev1.ConditionStatus { return statuses }
	for _, row := range []struct {
		why      string
		phase    corev1.PodPhase
		ready    []corev1.ConditionStatus
		deleting bool
		want     string
		finished bool
	}{
		{"ready is the Ready condition, not ContainersReady", corev1.PodRunning, nil, false, "---", false},
		{"ready is the Ready condition", corev1.PodRunning, is(yes), false, "++-", false},
		{"False is not ready", corev1.PodRunning, is(no), false, "---", false},
		{"Unknown is not: its node is silent", corev1.PodRunning, is(unknown), false, "---", false},
		{"the first of several counts", corev1.PodRunning, is(no, yes), false, "---", false},
		{"terminating is the deletion timestamp; the Pod stays until it is gone", corev1.PodRunning, is(yes), true, "-++", false},
		{"a Pod that waits for its containers may have an IP already", corev1.PodPending, nil, false, "---", false},
		{"an unknown phase is not an end", corev1.PodUnknown, nil, false, "---", false},
		{"a Failed Pod's IP may be another Pod's", corev1.PodFailed, nil, false, "---", true},
		{"a Succeeded Pod's IP may be another Pod's", corev1.PodSucceeded, nil, false, "---", true},
	} {
		pod := &corev1.Pod{Status: corev1.PodStatus{Phase: row.phase, Conditions: []corev1.PodCondition{{Type: corev1.ContainersReady, Status: yes}}}}
		for _, status := range row.ready {
			pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: status})
		}
		if row.deleting {
			pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(100, 0)}
		}
		before := pod.DeepCopy()
		s, published := conditions.FromPod(pod, false), conditions.FromPod(pod, true)
		if spell(s) != row.want || conditions.PodReady(pod) != s.Serving || conditions.Finished(pod) != row.finished {
			t.Errorf("FromPod says %s, PodReady %t, Finished %t: %s", spell(s), conditions.PodReady(pod), conditions.Finished(pod), row.why)
		}
		if s.Ready = true; published != s {
			t.Errorf("the Service asked for whatever there is, and FromPod says %s: %s", spell(published), row.why)
		}
		if d := cmp.Diff(before, pod); d != "" {
			t.Errorf("%s: the Pod was changed:\n%s", row.why, d)
		}
	}
	if s := conditions.FromPod(nil, false); spell(s) != "---" || conditions.PodReady(nil) || conditions.Finished(nil) {
		t.Errorf("of no Pod FromPod says %s", spell(s))
	}
}
