package conditions_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
)

// FuzzOf gives every combination of nil and value to the readers; base 3 digits choose them.
func FuzzOf(f *testing.F) {
	for n := range 27 {
		f.Add(uint8(n))
	}
	f.Fuzz(func(t *testing.T, n uint8) {
		text := string([]byte{"-+."[n%3], "-+."[n/3%3], "-+."[n/9%3]})
		c := parse(text)
		s := conditions.Of(c)
		if spell(c) != text {
			t.Fatalf("Of changed %s to %s", text, spell(c))
		}
		if want := text[0] != '-'; s.Ready != want {
			t.Errorf("%s: ready %t", text, s.Ready)
		}
		if want := text[1] != '-'; s.Serving != want {
			t.Errorf("%s: serving %t", text, s.Serving)
		}
		if want := text[2] == '+'; s.Terminating != want {
			t.Errorf("%s: terminating %t", text, s.Terminating)
		}
		usable := conditions.Usable([]discoveryv1.EndpointConditions{c}, conditions.Of)
		if want := s.Ready || s.ServesWhileTerminating(); (len(usable) == 1) != want {
			t.Errorf("%s alone: usable %t, want %t", text, len(usable) == 1, want)
		}
	})
}

// FuzzFromPod builds Pods of any text, and no Pod at all, and holds FromPod against the package comment's table.
func FuzzFromPod(f *testing.F) {
	f.Add(true, false, false, "Ready", "True", "Running", "10.0.0.1")
	f.Add(false, true, true, "Ready", "Unknown", "Failed", "")
	f.Add(true, true, true, "", "", "", "fd00::1")
	f.Fuzz(func(t *testing.T, exists, deleting, publish bool, kind, status, phase, ip string) {
		var p *corev1.Pod
		if exists {
			p = &corev1.Pod{Status: corev1.PodStatus{
				Phase: corev1.PodPhase(phase), PodIP: ip,
				Conditions: []corev1.PodCondition{{
					Type: corev1.PodConditionType(kind), Status: corev1.ConditionStatus(status),
				}},
			}}
			if deleting {
				p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
			}
		}
		ready := exists && kind == "Ready" && status == "True"
		want := conditions.State{
			Ready:       ready && !deleting || publish,
			Serving:     ready,
			Terminating: exists && deleting,
		}
		untouched(t, p, func() {
			if got := conditions.FromPod(p, publish); got != want {
				t.Errorf("FromPod() = %+v, want %+v", got, want)
			}
			if conditions.Publishable(p) && (conditions.Finished(p) || ip == "") {
				t.Errorf("a Pod of phase %q with IP %q is publishable", phase, ip)
			}
		})
	})
}
