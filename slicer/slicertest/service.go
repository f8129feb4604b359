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
