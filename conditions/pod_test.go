package conditions_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
)

// pod returns a running Pod with an IP, changed by each edit.
func pod(edits ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{Status: corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: "10.0.0.1", PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}},
		Conditions: []corev1.PodCondition{{Type: corev1.ContainersReady, Status: corev1.ConditionTrue}},
	}}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func readiness(status corev1.ConditionStatus) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: status})
	}
}

func ready(p *corev1.Pod)    { readiness(corev1.ConditionTrue)(p) }
func deleting(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: time.Unix(100, 0)} }

func phase(phase corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = phase }
}

// TestFromPod has for each Pod its State as spell writes it, and whether it has finished.
func TestFromPod(t *testing.T) {
	for _, row := range []struct {
		why      string
		pod      *corev1.Pod
		want     string
		finished bool
	}{
		{"nobody is there", nil, "---", false},
		{"without conditions nothing is known", &corev1.Pod{}, "---", false},
		{"ready is the Ready condition, not ContainersReady", pod(), "---", false},
		{"ready is the Ready condition", pod(ready), "++-", false},
		{"False is not ready", pod(readiness(corev1.ConditionFalse)), "---", false},
		{"Unknown is not: its node is silent", pod(readiness(corev1.ConditionUnknown)), "---", false},
		{"the first of several counts", pod(readiness(corev1.ConditionFalse), ready), "---", false},
		{"terminating is the deletion timestamp; the Pod stays until it is gone", pod(ready, deleting), "-++", false},
		{"a Pod that waits for its containers may have an IP already", pod(phase(corev1.PodPending)), "---", false},
		{"an unknown phase is not an end", pod(phase(corev1.PodUnknown)), "---", false},
		{"a Failed Pod's IP may be another Pod's", pod(phase(corev1.PodFailed)), "---", true},
		{"a Succeeded Pod's IP may be another Pod's", pod(phase(corev1.PodSucceeded)), "---", true},
	} {
		before := row.pod.DeepCopy()
		s, published := conditions.FromPod(row.pod, false), conditions.FromPod(row.pod, true)
		if spell(s) != row.want || conditions.PodReady(row.pod) != s.Serving {
			t.Errorf("FromPod says %s, PodReady %t: %s", spell(s), conditions.PodReady(row.pod), row.why)
		}
		if s.Ready = true; published != s {
			t.Errorf("the Service asked for whatever there is, and FromPod says %s: %s", spell(published), row.why)
		}
		if conditions.Finished(row.pod) != row.finished {
			t.Errorf("finished %t: %s", conditions.Finished(row.pod), row.why)
		}
		if d := cmp.Diff(before, row.pod); d != "" {
			t.Errorf("%s: the Pod was changed:\n%s", row.why, d)
		}
	}
}
