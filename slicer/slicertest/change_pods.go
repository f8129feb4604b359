package slicertest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/conditions"
)

// podEvents are the events of Pods.
var podEvents = []event{
	{"add-pod", nil, func(r *replay, _ int) string {
		r.cluster.addPods(1)
		return "1 Pod is added"
	}},
	{"add-pods", nil, func(r *replay, _ int) string {
		r.cluster.addPods(r.kit.many())
		return fmt.Sprintf("%d Pods are added", r.kit.many())
	}},
	{"remove-pod", nil, func(r *replay, n int) string { return r.scale(n, 1) }},
	{"remove-all-but-one", nil, func(r *replay, n int) string { return r.scale(n, max(1, len(r.cluster.pods)-1)) }},
	{"remove-all", nil, func(r *replay, n int) string { return r.scale(n, len(r.cluster.pods)) }},
	{"replace-all", nil, func(r *replay, _ int) string {
		had := len(r.cluster.pods)
		r.cluster.pods = nil
		r.cluster.addPods(had)
		return when(had > 0, "all Pods are replaced by as many new ones")
	}},
	{"recreate-pod", nil, onPod("Pod %s is replaced by one of its name, with another address",
		func(w *cluster, p *corev1.Pod) {
			w.made++
			hostname, subdomain := p.Spec.Hostname, p.Spec.Subdomain
			*p = *w.pod(p.Name, w.made, portNumber)
			p.Spec.Hostname, p.Spec.Subdomain = hostname, subdomain
		})},
	{"away", []string{"LateCaches"}, func(r *replay, n int) string {
		w := r.cluster
		if back := w.away; back != nil {
			w.away, w.pods = nil, append(slices.Clone(w.pods), back)
			return back.Name + " is selected again"
		}
		if w.away = w.podAt(n); w.away == nil {
			return ""
		}
		w.removePods(n, 1)
		return w.away.Name + " is no longer selected"
	}},
	{"reuse-address", []string{"ReusedAddresses"}, reuseAddress},
	{"ready", nil, func(r *replay, n int) string {
		p := r.cluster.podAt(n)
		is := corev1.ConditionTrue
		word := "ready"
		if p == nil || p.Status.Phase != corev1.PodRunning {
			return ""
		}
		if conditions.FromPod(p, false).Serving {
			is, word = corev1.ConditionFalse, "not ready"
		}
		r.cluster.changePod(n, func(p *corev1.Pod) { setReady(p, is) })
		return fmt.Sprintf("Pod %s becomes %s", p.Name, word)
	}},
	{"terminate", nil, onPod("Pod %s starts to terminate", func(_ *cluster, p *corev1.Pod) {
		now := metav1.Unix(1_700_001_000, 0)
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &now, new(int64)
	})},
	{"finish", nil, finish},
	{"fail", nil, onPod("Pod %s fails, and stays", func(_ *cluster, p *corev1.Pod) {
		p.Status.Phase = corev1.PodFailed
		setReady(p, corev1.ConditionFalse)
	})},
	{"stateful", []string{"Hostnames"}, func(r *replay, _ int) string {
		for _, subdomain := range []string{r.cluster.service.Name, "other"} {
			p := r.cluster.addPod(portNumber)
			p.Spec.Hostname, p.Spec.Subdomain = p.Name, subdomain
		}
		return fmt.Sprintf("2 Pods with hostnames are added, in the subdomains %s and other", r.cluster.service.Name)
	}},
	{"bare-pod", []string{"NamedPorts"}, func(r *replay, _ int) string {
		r.cluster.change(func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
		p := r.cluster.addPod(portNumber)
		p.Spec.InitContainers = nil
		p.Spec.Containers = []corev1.Container{{Name: "web", Ports: []corev1.ContainerPort{
			{Name: "metrics", Protocol: corev1.ProtocolTCP, ContainerPort: 9100},
		}}}
		return "Pod " + p.Name + " is added, which does not declare the port http, and the target port is http"
	}},
	{"publish-not-ready", []string{"PublishNotReady"}, func(r *replay, _ int) string {
		publish := !r.cluster.service.Spec.PublishNotReadyAddresses
		r.cluster.change(func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = publish })
		return fmt.Sprintf("publishNotReadyAddresses becomes %t", publish)
	}},
	{"pending", nil, func(r *replay, _ int) string {
		p := r.cluster.addPod(portNumber)
		p.Spec.NodeName = ""
		p.Status.PodIP = ""
		p.Status.PodIPs = nil
		p.Status.Phase = corev1.PodPending
		setReady(p, corev1.ConditionFalse)
		return "Pod " + p.Name + " is added, and waits for a Node"
	}},
}

// onPod returns the function of an event that changes one Pod. text describes the event.
func onPod(text string, change func(*cluster, *corev1.Pod)) func(*replay, int) string {
	return func(r *replay, n int) string {
		name := r.cluster.changePod(n, func(p *corev1.Pod) { change(r.cluster, p) })
		return when(name != "", text, name)
	}
}

var finish = onPod("Pod %s finishes, and stays", func(_ *cluster, p *corev1.Pod) {
	p.Status.Phase = corev1.PodSucceeded
	setReady(p, corev1.ConditionFalse)
})

// reuseAddress adds a Pod that has the address of an earlier Pod. The earlier Pod is removed, or it
// finishes and stays.
func reuseAddress(r *replay, n int) string {
	old := r.cluster.podAt(n)
	if old == nil || old.Status.Phase != corev1.PodRunning {
		return ""
	}
	r.excused = true // gaps do not count until all is quiet, because another Pod gets the address
	stays := "has gone"
	if n%2 == 0 {
		finish(r, n)
		stays = "has finished and stays"
	} else {
		r.cluster.removePods(n, 1)
	}
	p := r.cluster.addPod(portNumber)
	p.Status.PodIP, p.Status.PodIPs = old.Status.PodIP, old.Status.PodIPs
	return fmt.Sprintf("Pod %s has the address of Pod %s, which %s", p.Name, old.Name, stays)
}

// scale removes k Pods.
func (r *replay) scale(n, k int) string {
	had := len(r.cluster.pods)
	r.cluster.removePods(n, k)
	return when(had > 0, "%d of %d Pods go", had-len(r.cluster.pods), had)
}
