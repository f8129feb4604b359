package network

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/slicewright/slicewright/slicer"
)

// day is one day of the Pods of a Deployment on a second network, as the watch of Pods tells it: each write is an update event.
type day struct {
	random  *rand.Rand
	now     time.Time
	updates map[string]int // by what was written
	syncs   map[string]int // of those, what podChanges lets through
	idle    []*corev1.Pod  // versions of which podChanges says that nothing changed, in turn before and after
}

// write changes a Pod and hands the event to the predicate.
func (d *day) write(pod *corev1.Pod, what string, edit func(*corev1.Pod)) *corev1.Pod {
	d.now = d.now.Add(time.Second)
	now := pod.DeepCopy()
	edit(now)
	now.ResourceVersion = fmt.Sprint(d.now.Unix())
	if d.updates[what]++; podChanges.Update(event.UpdateEvent{ObjectOld: pod, ObjectNew: now}) {
		d.syncs[what]++
	} else {
		d.idle = append(d.idle, pod, now)
	}
	return now
}

func (d *day) annotate(pod *corev1.Pod, what, name, value string) *corev1.Pod {
	return d.write(pod, what, func(p *corev1.Pod) { metav1.SetMetaDataAnnotation(&p.ObjectMeta, name, value) })
}

// condition is what the scheduler, a kubelet or a readiness gate's controller writes. Containers change with readiness.
func (d *day) condition(pod *corev1.Pod, what string, kind corev1.PodConditionType, status corev1.ConditionStatus) *corev1.Pod {
	return d.write(pod, what, func(p *corev1.Pod) {
		c := corev1.PodCondition{Type: kind, Status: status, LastTransitionTime: metav1.NewTime(d.now)}
		for i := range p.Status.Conditions {
			if p.Status.Conditions[i].Type == kind {
				p.Status.Conditions[i] = c
				return
			}
		}
		p.Status.Conditions = append(p.Status.Conditions, c)
	})
}

func (d *day) containers(pod *corev1.Pod, what string, state corev1.ContainerState, restarts int32) *corev1.Pod {
	return d.write(pod, what, func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "web", State: state, RestartCount: restarts}}
	})
}

// begin is what happens to a Pod from its creation until it is ready: six writes.
func (d *day) begin(i int) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("web-%d", i), Labels: map[string]string{"app": "web"}}}
	pod.Spec.Containers = []corev1.Container{{Name: "web", Ports: []corev1.ContainerPort{{ContainerPort: 8080}}}}
	pod = d.write(pod, "scheduled", func(p *corev1.Pod) { p.Spec.NodeName = fmt.Sprint("n", i%50) })
	pod = d.condition(pod, "initialized", corev1.PodInitialized, corev1.ConditionTrue)
	pod = d.annotate(pod, "network status", Status, fmt.Sprintf(`[{"name":"shop/net","ips":["10.1.%d.%d"]}]`, i/250, i%250+1))
	pod = d.containers(pod, "pulling", corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}, 0)
	pod = d.write(pod, "running", func(p *corev1.Pod) {
		p.Status.Phase, p.Status.PodIP = corev1.PodRunning, fmt.Sprintf("10.244.%d.%d", i/250, i%250+1)
		p.Status.PodIPs = []corev1.PodIP{{IP: p.Status.PodIP}}
	})
	return d.condition(pod, "ready", corev1.PodReady, corev1.ConditionTrue)
}

// hour is what an hour brings to a Pod that runs: an operator notes something on it; now and then a readiness gate's controller writes,
// and of a hundred Pods one has a container that restarts.
func (d *day) hour(pod *corev1.Pod, hour int) *corev1.Pod {
	pod = d.annotate(pod, "annotation", "backup.example.com/last", fmt.Sprint(hour))
	if d.random.IntN(8) == 0 {
		pod = d.condition(pod, "another condition", "example.com/quota", corev1.ConditionTrue)
	}
	if d.random.IntN(100) == 0 {
		pod = d.condition(pod, "restart: not ready", corev1.PodReady, corev1.ConditionFalse)
		pod = d.containers(pod, "restart: waiting", corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}, 0)
		pod = d.containers(pod, "restart: running", corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, 1)
		pod = d.condition(pod, "restart: ready", corev1.PodReady, corev1.ConditionTrue)
	}
	return pod
}

// end is what happens to a Pod from its deletion on: four writes.
func (d *day) end(pod *corev1.Pod) {
	pod = d.write(pod, "deleted", func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: d.now} })
	pod = d.condition(pod, "not ready", corev1.PodReady, corev1.ConditionFalse)
	pod = d.containers(pod, "terminated", corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}, 0)
	d.write(pod, "no finalizer", func(p *corev1.Pod) { p.Finalizers = nil })
}

// TestDay counts: of the updates of Pods in a day with a rolling update at noon, at most a fifth cause a sync. For the rest the plans
// with the Pod before and after are the same.
func TestDay(t *testing.T) {
	d := &day{rand.New(rand.NewPCG(1, 1)), time.Unix(1e9, 0), map[string]int{}, map[string]int{}, nil}
	const size = 200
	var pods []*corev1.Pod
	for i := range size {
		pods = append(pods, d.begin(i))
	}
	for hour := range 24 {
		for i := range pods {
			if hour == 12 {
				d.end(pods[i])
				pods[i] = d.begin(size + i)
			}
			pods[i] = d.hour(pods[i], hour)
		}
	}
	updates, syncs := 0, 0
	for _, what := range slices.Sorted(maps.Keys(d.updates)) {
		n := d.updates[what]
		updates, syncs = updates+n, syncs+d.syncs[what]
		t.Logf("%5d of %5d: %s", d.syncs[what], n, what)
	}
	t.Logf("%5d of %5d updates cause a sync", syncs, updates)
	if 5*syncs > updates || syncs < 6*size {
		t.Errorf("%d of %d updates cause a sync", syncs, updates)
	}
	d.compare(t)
}

// compare plans with each version before and after.
func (d *day) compare(t *testing.T) {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u", Annotations: map[string]string{Annotation: "net"}}}
	svc.Spec = corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}}}
	c := &Controller{Max: 100}
	for i := 0; i < len(d.idle); i += 2 {
		var plans [2]slicer.Plan
		for j, pod := range d.idle[i : i+2] {
			var err error
			if plans[j], err = c.Plan(svc, []*corev1.Pod{pod}, NewNodes(nil), nil); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(plans[0], plans[1]) {
			t.Fatalf("an update that causes no sync changes\n%v to\n%v", plans[0], plans[1])
		}
	}
}
