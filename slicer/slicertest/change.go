package slicertest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// What happens to the Service.

// toggle is an event that gives the Service something, or takes it away where it is there, with the words for both.
func toggle(has func(*corev1.Service) bool, gets string, give func(*corev1.Service), loses string, take func(*corev1.Service)) func(*replay, int) string {
	return func(r *replay, _ int) string {
		if has(r.world.service) {
			r.world.change(take)
			return loses
		}
		r.world.change(give)
		return gets
	}
}

var changeNumber = toggle(func(s *corev1.Service) bool { return s.Spec.Ports[0].TargetPort.IntVal == portNumber },
	fmt.Sprintf("the target port becomes %d", portNumber), func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromInt32(portNumber) },
	fmt.Sprintf("the target port becomes %d", otherNumber), func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromInt32(otherNumber) })

var renamePort = toggle(func(s *corev1.Service) bool { return s.Spec.Ports[0].Name == "http" },
	"the port is renamed to http", func(s *corev1.Service) { s.Spec.Ports[0].Name = "http" },
	"the port is renamed to web", func(s *corev1.Service) { s.Spec.Ports[0].Name = "web" })

var toggleLabel = toggle(func(s *corev1.Service) bool { return s.Labels[teamKey] != "" },
	"the Service gets the label "+teamKey+"=red", func(s *corev1.Service) { s.Labels = map[string]string{teamKey: "red"} },
	"the Service loses the label "+teamKey, func(s *corev1.Service) { delete(s.Labels, teamKey) })

var toggleDistribution = toggle(func(s *corev1.Service) bool { return s.Spec.TrafficDistribution != nil },
	"the Service gets trafficDistribution "+corev1.ServiceTrafficDistributionPreferClose, func(s *corev1.Service) {
		near := corev1.ServiceTrafficDistributionPreferClose
		s.Spec.TrafficDistribution = &near
	},
	"the Service has no trafficDistribution any more", func(s *corev1.Service) { s.Spec.TrafficDistribution = nil })

var toggleAppProtocol = toggle(func(s *corev1.Service) bool { return s.Spec.Ports[0].AppProtocol != nil },
	"the port gets appProtocol kubernetes.io/h2c", func(s *corev1.Service) {
		h2c := "kubernetes.io/h2c"
		s.Spec.Ports[0].AppProtocol = &h2c
	},
	"the port has no appProtocol any more", func(s *corev1.Service) { s.Spec.Ports[0].AppProtocol = nil })

var toggleSecondPort = togglePorts("a second port, metrics:9100", "its second port", 9100,
	corev1.ServicePort{Name: "metrics", Protocol: corev1.ProtocolTCP, Port: 9100, TargetPort: intstr.FromInt32(9100)})

// toggleDNS has two protocols on one number.
var toggleDNS = togglePorts("port 5353 for DNS, by UDP and by TCP", "its ports for DNS", 53,
	corev1.ServicePort{Name: "dns-udp", Protocol: corev1.ProtocolUDP, Port: 53, TargetPort: intstr.FromInt32(5353)},
	corev1.ServicePort{Name: "dns-tcp", Protocol: corev1.ProtocolTCP, Port: 53, TargetPort: intstr.FromInt32(5353)})

// togglePorts gives the Service ports of one number.
func togglePorts(gets, loses string, number int32, ports ...corev1.ServicePort) func(*replay, int) string {
	is := func(p corev1.ServicePort) bool { return p.Port == number }
	return toggle(func(s *corev1.Service) bool { return slices.ContainsFunc(s.Spec.Ports, is) },
		"the Service gets "+gets, func(s *corev1.Service) { s.Spec.Ports = append(s.Spec.Ports, ports...) },
		"the Service loses "+loses, func(s *corev1.Service) { s.Spec.Ports = slices.DeleteFunc(s.Spec.Ports, is) })
}

func toggleFamilies(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) {
		if dual(s) {
			setFamilies(s, s.Spec.IPFamilies[0])
		} else {
			setFamilies(s, corev1.IPv4Protocol, corev1.IPv6Protocol)
		}
	})
	if dual(r.world.service) {
		return "the Service gets both families"
	}
	return fmt.Sprintf("the Service has %s only", r.world.service.Spec.IPFamilies[0])
}

func togglePublishNotReady(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = !s.Spec.PublishNotReadyAddresses })
	return fmt.Sprintf("publishNotReadyAddresses becomes %t", r.world.service.Spec.PublishNotReadyAddresses)
}

// recreateService has the garbage collector find the old slices later than the writer does.
func recreateService(r *replay, _ int) string {
	r.world.born++
	r.world.change(func(s *corev1.Service) {
		s.UID = types.UID(fmt.Sprintf("service-%d", r.world.born))
		s.CreationTimestamp = metav1.Unix(1_700_000_000+int64(r.world.born), 0)
	})
	r.excused, r.collector = true, false
	return "the Service is deleted and created again"
}

// deleteService has the garbage collector find the old slices before there is a Service again.
func deleteService(r *replay, n int) string {
	recreateService(r, n)
	r.collector = true
	r.collect()
	return "the Service is deleted, its slices are collected, and it is created again"
}

func recreateWithOtherFamily(r *replay, n int) string {
	family := corev1.IPv6Protocol
	if r.world.service.Spec.IPFamilies[0] == family {
		family = corev1.IPv4Protocol
	}
	text := recreateService(r, n)
	r.world.change(func(s *corev1.Service) { setFamilies(s, family) })
	return fmt.Sprintf("%s, with %s only", text, family)
}

// What happens to Pods and Nodes.

func addPod(r *replay, _ int) string {
	r.world.addPod(portNumber)
	return "1 Pod is added"
}

func addPods(r *replay, _ int) string {
	for range r.kit.many() {
		r.world.addPod(portNumber)
	}
	return fmt.Sprintf("%d Pods are added", r.kit.many())
}

// toggleAway lets a Pod lose the label that the Service selects, or the one that lost it get it back.
func toggleAway(r *replay, n int) string {
	w := r.world
	if back := w.away; back != nil {
		w.away, w.pods = nil, append(slices.Clone(w.pods), back)
		return back.Name + " is selected again"
	}
	if len(w.pods) == 0 {
		return ""
	}
	w.away = w.pods[n%len(w.pods)]
	w.removePods(n, 1)
	return w.away.Name + " is no longer selected"
}

func removePod(r *replay, n int) string { return r.scale(n, 1) }

func removeAllButOne(r *replay, n int) string { return r.scale(n, max(1, len(r.world.pods)-1)) }

func removeAll(r *replay, n int) string { return r.scale(n, len(r.world.pods)) }

func replaceAll(r *replay, _ int) string {
	k := len(r.world.pods)
	r.world.pods = nil
	for range k {
		r.world.addPod(portNumber)
	}
	return when(k > 0, "all Pods are replaced by as many new ones")
}

// onPod is an event that changes one Pod, with the words for it.
func onPod(text string, change func(*world, *corev1.Pod)) func(*replay, int) string {
	return func(r *replay, n int) string {
		name := r.world.changePod(n, func(p *corev1.Pod) { change(r.world, p) })
		return when(name != "", text, name)
	}
}

var recreatePod = onPod("Pod %s is replaced by one of its name, with another address", func(w *world, p *corev1.Pod) {
	w.made++
	*p = *w.pod(p.Name, w.made, portNumber)
})

// reuseAddress has a new Pod with the address of one that has gone, or that has finished and stays.
func reuseAddress(r *replay, n int) string {
	if len(r.world.pods) == 0 || r.world.pods[n%len(r.world.pods)].Status.Phase != corev1.PodRunning {
		return ""
	}
	r.excused = true // the address goes to another endpoint
	old := r.world.pods[n%len(r.world.pods)]
	stays := "has gone"
	if n%2 == 0 {
		finishPod(r, n)
		stays = "has finished and stays"
	} else {
		r.world.removePods(n, 1)
	}
	r.world.addPod(portNumber)
	name := r.world.changePod(len(r.world.pods)-1, func(p *corev1.Pod) { p.Status.PodIP, p.Status.PodIPs = old.Status.PodIP, old.Status.PodIPs })
	return fmt.Sprintf("Pod %s has the address of Pod %s, which %s", name, old.Name, stays)
}

func toggleReady(r *replay, n int) string {
	is, word := corev1.ConditionTrue, "ready"
	if len(r.world.pods) > 0 && r.world.pods[n%len(r.world.pods)].Status.Phase != corev1.PodRunning {
		return ""
	}
	name := r.world.changePod(n, func(p *corev1.Pod) {
		if podReady(p) {
			is, word = corev1.ConditionFalse, "not ready"
		}
		p.Status.Conditions[0].Status = is
	})
	return when(name != "", "Pod %s becomes %s", name, word)
}

var terminatePod = onPod("Pod %s starts to terminate", func(_ *world, p *corev1.Pod) {
	now := metav1.Unix(1_700_001_000, 0)
	p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &now, new(int64)
})

var finishPod = onPod("Pod %s finishes, and stays", func(_ *world, p *corev1.Pod) {
	p.Status.Phase, p.Status.Conditions[0].Status = corev1.PodSucceeded, corev1.ConditionFalse
})

// addPending adds a Pod that has neither a Node nor an address yet.
func addPending(r *replay, _ int) string {
	r.world.addPod(portNumber)
	name := r.world.changePod(len(r.world.pods)-1, func(p *corev1.Pod) {
		p.Spec.NodeName, p.Status.PodIP, p.Status.PodIPs = "", "", nil
		p.Status.Phase, p.Status.Conditions[0].Status = corev1.PodPending, corev1.ConditionFalse
	})
	return "Pod " + name + " is added, and waits for a Node"
}

func splitNumbers(r *replay, n int) string {
	r.world.change(func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
	r.world.removePods(n, 1)
	r.world.addPod(otherNumber)
	return fmt.Sprintf("a Pod is replaced by one whose port http is %d, and the target port is http", otherNumber)
}

func toggleNode(r *replay, n int) string {
	if all := newWorld().nodes; len(r.world.nodes) < len(all) { // of several lost Nodes the cluster deletes the Pods
		r.world.nodes = all
		return "all Nodes are there again"
	}
	name := ""
	if len(r.world.pods) > 0 {
		name = r.world.pods[n%len(r.world.pods)].Spec.NodeName
	}
	if name == "" {
		return ""
	}
	r.world.nodes = slices.DeleteFunc(slices.Clone(r.world.nodes), func(node *corev1.Node) bool { return node.Name == name })
	return "Node " + name + " is lost, and its Pods stay"
}

// scale takes k Pods away.
func (r *replay) scale(n, k int) string {
	had := len(r.world.pods)
	r.world.removePods(n, k)
	return when(had > 0, "%d of %d Pods go", had-len(r.world.pods), had)
}
