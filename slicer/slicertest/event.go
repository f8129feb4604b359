package slicertest

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// event is something that happens between two syncs. Every event is possible at any time, so that a history stays one when
// any event is left out: where there is nothing for it to do, it does nothing.
type event struct {
	needs []Feature
	// do lets it happen and says in words what has happened. n chooses among several Pods or slices. Empty: nothing.
	do func(r *replay, n int) string
}

// events of the Service and its Pods; those of other people and leftovers of the writer are in meddle.go.
var events = []event{
	{nil, func(r *replay, _ int) string {
		r.world.addPod(portNumber)
		return "1 Pod is added"
	}},
	{nil, func(r *replay, _ int) string {
		for range r.kit.many() {
			r.world.addPod(portNumber)
		}
		return fmt.Sprintf("%d Pods are added", r.kit.many())
	}},
	{nil, func(r *replay, n int) string { return r.scale(n, 1) }},
	{nil, func(r *replay, n int) string { return r.scale(n, max(1, len(r.world.pods)-1)) }},
	{nil, func(r *replay, n int) string { return r.scale(n, len(r.world.pods)) }},
	{nil, func(r *replay, _ int) string {
		k := len(r.world.pods)
		r.world.pods = nil
		for range k {
			r.world.addPod(portNumber)
		}
		return when(k > 0, "all Pods are replaced by as many new ones")
	}},
	{nil, func(r *replay, n int) string {
		name := r.world.changePod(n, func(p *corev1.Pod) {
			r.world.made++
			*p = *r.world.pod(p.Name, r.world.made, portNumber)
		})
		return when(name != "", "Pod %s is replaced by one of its name, with another address", name)
	}},
	{nil, func(r *replay, n int) string {
		word := "ready"
		name := r.world.changePod(n, func(p *corev1.Pod) {
			p.Status.Conditions[0].Status = corev1.ConditionTrue
			if r.world.pods[n%len(r.world.pods)].Status.Conditions[0].Status == corev1.ConditionTrue {
				p.Status.Conditions[0].Status, word = corev1.ConditionFalse, "not ready"
			}
		})
		return when(name != "", "Pod %s becomes %s", name, word)
	}},
	{nil, func(r *replay, n int) string {
		name := r.world.changePod(n, func(p *corev1.Pod) {
			now := metav1.Unix(1_700_001_000, 0)
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &now, new(int64)
		})
		return when(name != "", "Pod %s starts to terminate", name)
	}},
	{nil, func(r *replay, _ int) string {
		number := int32(portNumber)
		r.world.change(func(s *corev1.Service) {
			if s.Spec.Ports[0].TargetPort.IntVal == portNumber {
				number = otherNumber
			}
			s.Spec.Ports[0].TargetPort = intstr.FromInt32(number)
		})
		return fmt.Sprintf("the target port becomes %d", number)
	}},
	{nil, func(r *replay, _ int) string {
		name := "http"
		r.world.change(func(s *corev1.Service) {
			if s.Spec.Ports[0].Name == name {
				name = "web"
			}
			s.Spec.Ports[0].Name = name
		})
		return "the port is renamed to " + name
	}},
	{[]Feature{SeveralPorts}, func(r *replay, _ int) string { return r.secondPort() }},
	{[]Feature{NamedPorts}, func(r *replay, n int) string {
		r.world.change(func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
		r.world.removePods(n, 1)
		r.world.addPod(otherNumber)
		return fmt.Sprintf("a Pod is replaced by one whose port http is %d, and the target port is http", otherNumber)
	}},
	{[]Feature{DualStack}, func(r *replay, _ int) string {
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
	}},
	{[]Feature{ServiceLabels}, func(r *replay, _ int) string {
		had := r.world.service.Labels[teamKey] != ""
		r.world.change(func(s *corev1.Service) {
			if had {
				delete(s.Labels, teamKey)
			} else {
				s.Labels = map[string]string{teamKey: "red"}
			}
		})
		if had {
			return "the Service loses the label " + teamKey
		}
		return "the Service gets the label " + teamKey + "=red"
	}},
	{[]Feature{PublishNotReady}, func(r *replay, _ int) string {
		r.world.change(func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = !s.Spec.PublishNotReadyAddresses })
		return fmt.Sprintf("publishNotReadyAddresses becomes %t", r.world.service.Spec.PublishNotReadyAddresses)
	}},
	{[]Feature{LostNodes}, func(r *replay, n int) string {
		if r.world.lacksNode() {
			r.world.nodes = newWorld().nodes
			return "all Nodes are there again"
		}
		if len(r.world.pods) == 0 {
			return ""
		}
		name := r.world.pods[n%len(r.world.pods)].Spec.NodeName
		var left []*corev1.Node
		for _, node := range r.world.nodes {
			if node.Name != name {
				left = append(left, node)
			}
		}
		r.world.nodes = left
		return "Node " + name + " is lost, and its Pods stay"
	}},
	{[]Feature{Hints}, func(r *replay, _ int) string {
		closeBy := corev1.ServiceTrafficDistributionPreferClose
		has := r.world.service.Spec.TrafficDistribution != nil
		r.world.change(func(s *corev1.Service) {
			s.Spec.TrafficDistribution = &closeBy
			if has {
				s.Spec.TrafficDistribution = nil
			}
		})
		if has {
			return "the Service has no trafficDistribution any more"
		}
		return "the Service gets trafficDistribution " + closeBy
	}},
	{[]Feature{Recreated}, func(r *replay, _ int) string {
		r.world.born++
		r.world.change(func(s *corev1.Service) {
			s.UID = types.UID(fmt.Sprintf("service-%d", r.world.born))
			s.CreationTimestamp = metav1.Unix(1_700_000_000+int64(r.world.born), 0)
		})
		r.excused = true
		return "the Service is deleted and created again"
	}},
}

// scale takes k Pods away.
func (r *replay) scale(n, k int) string {
	had := len(r.world.pods)
	r.world.removePods(n, k)
	return when(had > 0, "%d of %d Pods go", had-len(r.world.pods), had)
}

func (r *replay) secondPort() string {
	has := len(r.world.service.Spec.Ports) > 1
	r.world.change(func(s *corev1.Service) {
		if has {
			s.Spec.Ports = s.Spec.Ports[:1]
			return
		}
		s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{
			Name: "metrics", Protocol: corev1.ProtocolTCP, Port: 9100, TargetPort: intstr.FromInt32(9100),
		})
	})
	if has {
		return "the Service loses its second port"
	}
	return "the Service gets a second port, metrics:9100"
}

// when returns the text if the condition holds, and nothing else.
func when(happened bool, format string, args ...any) string {
	if !happened {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// setups are what a history may begin with, before the writer starts. Each can be left out, too.
var setups = []event{
	{nil, func(r *replay, n int) string {
		for range n {
			r.world.addPod(portNumber)
		}
		return when(n > 0, "%s", count(n, "Pod"))
	}},
	{[]Feature{Headless}, func(r *replay, _ int) string {
		r.world.change(func(s *corev1.Service) {
			s.Spec.ClusterIP = corev1.ClusterIPNone
			setFamilies(s, s.Spec.IPFamilies...)
		})
		return "no cluster IP"
	}},
	{[]Feature{DualStack}, func(r *replay, _ int) string {
		r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv4Protocol, corev1.IPv6Protocol) })
		return "both families"
	}},
	{[]Feature{IPv6}, func(r *replay, _ int) string {
		r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
		return "IPv6 only"
	}},
	{[]Feature{NamedPorts}, func(r *replay, _ int) string {
		r.world.change(func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
		return "a target port by name"
	}},
	{[]Feature{SeveralPorts}, func(r *replay, _ int) string { return r.secondPort() }},
	{nil, func(r *replay, _ int) string {
		r.world.change(func(s *corev1.Service) { s.Name = longName })
		return "a name of 63 letters"
	}},
	{[]Feature{Spelling}, func(r *replay, _ int) string {
		r.world.spelled = true
		if !dual(r.world.service) {
			r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
		}
		return "IPv6 addresses in capital letters"
	}},
}
