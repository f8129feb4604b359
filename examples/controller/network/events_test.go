package network

import (
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/slicewright/slicewright/slicer"
)

// TestPodChanges: an update of a Pod causes a sync exactly if the plans with the Pod before and after differ.
func TestPodChanges(t *testing.T) {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u", Annotations: map[string]string{Annotation: "net"}}}
	svc.Spec = corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}}}
	var nodes []*corev1.Node
	for _, name := range []string{"n0", "n1"} {
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	before := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", Labels: map[string]string{"app": "web"}, Finalizers: []string{"example.com/wait"},
			Annotations: map[string]string{Status: `[{"name":"shop/net","ips":["10.1.0.1"]}]`}},
		Spec: corev1.PodSpec{NodeName: "n0", Containers: []corev1.Container{{Name: "web"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIPs: []corev1.PodIP{{IP: "10.244.0.1"}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	plan := func(pod *corev1.Pod) slicer.Plan {
		plan, err := (&Controller{Max: 100}).Plan(svc, []*corev1.Pod{pod}, NewNodes(nodes), nil)
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	for why, edit := range map[string]func(*corev1.Pod){
		"syncs: the network status":    func(p *corev1.Pod) { p.Annotations[Status] = `[{"name":"shop/net","ips":["10.1.0.2"]}]` },
		"syncs: not ready":             func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse },
		"syncs: deleted":               func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1e9, 0)} },
		"syncs: another Node":          func(p *corev1.Pod) { p.Spec.NodeName = "n1" },
		"syncs: not the Service's now": func(p *corev1.Pod) { p.Labels["app"] = "quarantine" },
		"another annotation":           func(p *corev1.Pod) { p.Annotations["backup.example.com/last"] = "now" },
		"no finalizer":                 func(p *corev1.Pod) { p.Finalizers = nil },
		"a restart": func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "web", RestartCount: 1}}
		},
		"another condition": func(p *corev1.Pod) {
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "example.com/quota", Status: corev1.ConditionTrue})
		},
		"the cluster's own network": func(p *corev1.Pod) { p.Status.PodIPs[0].IP = "10.244.0.2" },
	} {
		after := before.DeepCopy()
		edit(after)
		after.ResourceVersion = "2"
		syncs, want := podChanges.Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}), why[:5] == "syncs"
		if differ := !reflect.DeepEqual(plan(before), plan(after)); syncs != want || differ != want {
			t.Errorf("%s: causes a sync: %t, the plans differ: %t", why, syncs, differ)
		}
	}
}
