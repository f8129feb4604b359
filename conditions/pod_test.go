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
		Phase:  corev1.PodRunning,
		PodIP:  "10.0.0.1",
		PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}},
		Conditions: []corev1.PodCondition{
			{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
			{Type: corev1.ContainersReady, Status: corev1.ConditionTrue},
		},
	}}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func condition(kind corev1.PodConditionType, status corev1.ConditionStatus) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kind, Status: status})
	}
}

func ready(p *corev1.Pod)    { condition(corev1.PodReady, corev1.ConditionTrue)(p) }
func deleting(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: time.Unix(100, 0)} }

func phase(phase corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = phase }
}

func ips(ip string, all ...corev1.PodIP) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.PodIP, p.Status.PodIPs = ip, all }
}

// untouched fails the test if f changes the Pod.
func untouched(t *testing.T, p *corev1.Pod, f func()) {
	t.Helper()
	before := p.DeepCopy()
	f()
	if d := cmp.Diff(before, p); d != "" {
		t.Errorf("the Pod was changed:\n%s", d)
	}
}

func TestFromPod(t *testing.T) {
	for _, row := range []struct {
		why             string
		pod             *corev1.Pod
		publishNotReady bool
		want            conditions.State
	}{
		{"nobody is there", nil, false, conditions.State{}},
		{"the Service asked for whatever there is", nil, true, conditions.State{Ready: true}},
		{"ready is the Ready condition, not ContainersReady", pod(), false, conditions.State{}},
		{"ready is the Ready condition", pod(ready), false, conditions.State{Ready: true, Serving: true}},
		{"terminating is the deletion timestamp", pod(ready, deleting), false, conditions.State{Serving: true, Terminating: true}},
		{"the Service's wish is heeded", pod(deleting), true, conditions.State{Ready: true, Terminating: true}},
	} {
		untouched(t, row.pod, func() {
			if got := conditions.FromPod(row.pod, row.publishNotReady); got != row.want {
				t.Errorf("FromPod() = %+v, want %+v: %s", got, row.want, row.why)
			}
		})
	}
}

func TestPodReady(t *testing.T) {
	for _, row := range []struct {
		why  string
		pod  *corev1.Pod
		want bool
	}{
		{"nil is not ready", nil, false},
		{"without conditions nothing is known", &corev1.Pod{}, false},
		{"other conditions do not count", pod(), false},
		{"True is ready", pod(ready), true},
		{"False is not", pod(condition(corev1.PodReady, corev1.ConditionFalse)), false},
		{"Unknown is not: its node is silent", pod(condition(corev1.PodReady, corev1.ConditionUnknown)), false},
		{"the first of several counts", pod(condition(corev1.PodReady, corev1.ConditionFalse), ready), false},
	} {
		untouched(t, row.pod, func() {
			if got := conditions.PodReady(row.pod); got != row.want {
				t.Errorf("PodReady() = %t, want %t: %s", got, row.want, row.why)
			}
			if c := conditions.ReadyCondition(row.pod); (c != nil && c.Status == corev1.ConditionTrue) != row.want {
				t.Errorf("ReadyCondition() = %v, want one that says %t: %s", c, row.want, row.why)
			}
		})
	}
}

func TestPublishableAndFinished(t *testing.T) {
	for _, row := range []struct {
		why                   string
		pod                   *corev1.Pod
		publishable, finished bool
	}{
		{"nil is nothing", nil, false, false},
		{"a running Pod is published", pod(), true, false},
		{"a Pod that waits for its containers may have an IP already", pod(phase(corev1.PodPending)), true, false},
		{"an unknown phase is not an end", pod(phase(corev1.PodUnknown)), true, false},
		{"a Failed Pod's IP may be another Pod's", pod(phase(corev1.PodFailed)), false, true},
		{"a Succeeded Pod's IP may be another Pod's", pod(phase(corev1.PodSucceeded)), false, true},
		{"a terminating Pod stays until it is gone", pod(deleting), true, false},
		{"without IP there is nothing to publish", pod(ips("")), false, false},
		{"podIPs alone will do", pod(ips("", corev1.PodIP{IP: "fd00::1"})), true, false},
		{"podIP alone will do, as old API servers wrote it", pod(ips("10.0.0.1")), true, false},
	} {
		untouched(t, row.pod, func() {
			if got := conditions.Publishable(row.pod); got != row.publishable {
				t.Errorf("Publishable() = %t, want %t: %s", got, row.publishable, row.why)
			}
			if got := conditions.Finished(row.pod); got != row.finished {
				t.Errorf("Finished() = %t, want %t: %s", got, row.finished, row.why)
			}
		})
	}
}
