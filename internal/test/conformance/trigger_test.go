package conformance

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/slicer/services"
)

// second is a time of these tests.
func second(n int64) metav1.Time { return metav1.Time{Time: time.Unix(1_800_000_000+n, 0).UTC()} }

// triggerService is a Service that was created at a second; each creation has a UID of its own.
func triggerService(created int64) *corev1.Service {
	svc := NewCluster(0).Service
	svc.UID, svc.CreationTimestamp = types.UID(fmt.Sprint("service-", created)), second(created)
	return svc
}

// readySince is Pod i, whose Ready condition turned true at a second.
func readySince(i int, at int64) *corev1.Pod {
	pod := NewPod(i, "")
	pod.Status.Conditions[1].LastTransitionTime = second(at)
	return pod
}

// moment is what a sync sees, and what happened just before.
type moment struct {
	service *corev1.Service
	pods    []*corev1.Pod
	deleted bool // the Service, before it was created again
}

// seen is a sync of a Service that was created at a second, with Pods that have been ready since
// other seconds.
func seen(created int64, ready ...int64) moment {
	m := moment{service: triggerService(created)}
	for i, at := range ready {
		m.pods = append(m.pods, readySince(i+1, at))
	}
	return m
}

// triggerCases are the situations in which Kubernetes tests its trigger_time_tracker. differs says
// why the last trigger time is another one; it is "" where it is the same.
var triggerCases = []struct {
	why     string
	moments []moment
	differs string
}{
	{"a new Service without Pods", []moment{seen(2)}, ""},
	{"a new Service that finds Pods, older and newer", []moment{seen(3, 0, 1, 5)}, ""},
	{"the first Pods come, and the earlier counts", []moment{seen(0), seen(0, 2, 1)}, ""},
	{"two Pods were unready and ready again between two syncs", []moment{seen(0, 1, 2, 3), seen(0, 5, 4, 3)},
		"the slices say already what is wanted, so that nothing is written"},
	{"nothing changes", []moment{seen(0, 1, 2, 3), seen(0, 1, 2, 3)}, ""},
	{"a Pod goes, and comes again", []moment{seen(0, 1, 2), seen(0, 1), seen(0, 1, 4)}, ""},
	{"the Service is deleted and created again", []moment{seen(0, 1, 2), {triggerService(3), seen(3, 1, 2).pods, true}}, ""},
	{"the Service's ports change", []moment{seen(0, 1, 2), {withPort(triggerService(0), 9090), seen(0, 1, 2).pods, false}}, ""},
}

func withPort(svc *corev1.Service, port int32) *corev1.Service {
	svc.Spec.Ports[0].TargetPort = intstr.FromInt32(port)
	return svc
}

// TestTriggerTimeTracker holds the trigger times that plans write against those of Kubernetes'
// tracker, which remembers what it saw at the last sync. A plan reads that back from the slices.
func TestTriggerTimeTracker(t *testing.T) {
	different := 0
	for _, c := range triggerCases {
		t.Run(c.why, func(t *testing.T) {
			tracker := util.NewTriggerTimeTracker()
			var existing []*discoveryv1.EndpointSlice
			for i, m := range c.moments {
				if m.deleted {
					tracker.DeleteService(m.service.Namespace, m.service.Name)
				}
				want := tracker.ComputeEndpointLastChangeTriggerTime(m.service.Namespace, m.service, m.pods)
				plan, err := services.Plan(m.service, m.pods, nil, existing,
					services.Options{ManagedBy: services.KubernetesManager})
				if err != nil {
					t.Fatal(err)
				}
				have := time.Time{}
				for _, step := range plan.Steps {
					if step.New == nil || step.New.Annotations[corev1.EndpointsLastChangeTriggerTime] == "" {
						continue
					}
					at, err := time.Parse(time.RFC3339Nano, step.New.Annotations[corev1.EndpointsLastChangeTriggerTime])
					if err != nil {
						t.Fatal(err)
					}
					if have.IsZero() || at.Before(have) {
						have = at
					}
				}
				same := have.Equal(want)
				if !same && i == len(c.moments)-1 && c.differs != "" {
					different++
				} else if !same || i == len(c.moments)-1 && c.differs != "" {
					t.Errorf("sync %d: the tracker says %v, the plan writes %v\n%v", i, want, have, plan)
				}
				existing = plan.After()
			}
		})
	}
	if different != 1 {
		t.Errorf("%d cases differ, want the one that is listed", different)
	}
}
