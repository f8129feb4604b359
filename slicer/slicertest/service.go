package slicertest

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// What happens to the Service.

func changeNumber(r *replay, _ int) string {
	number := int32(portNumber)
	r.world.change(func(s *corev1.Service) {
		if s.Spec.Ports[0].TargetPort.IntVal == portNumber {
			number = otherNumber
		}
		s.Spec.Ports[0].TargetPort = intstr.FromInt32(number)
	})
	return fmt.Sprintf("the target port becomes %d", number)
}

func renamePort(r *replay, _ int) string {
	name := "http"
	r.world.change(func(s *corev1.Service) {
		if s.Spec.Ports[0].Name == name {
			name = "web"
		}
		s.Spec.Ports[0].Name = name
	})
	return "the port is renamed to " + name
}

func toggleSecondPort(r *replay, _ int) string {
	isMetrics := func(p corev1.ServicePort) bool { return p.Name == "metrics" }
	has := slices.ContainsFunc(r.world.service.Spec.Ports, isMetrics)
	r.world.change(func(s *corev1.Service) {
		if has {
			s.Spec.Ports = slices.DeleteFunc(s.Spec.Ports, isMetrics)
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

func toggleLabel(r *replay, _ int) string {
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
}

func togglePublishNotReady(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = !s.Spec.PublishNotReadyAddresses })
	return fmt.Sprintf("publishNotReadyAddresses becomes %t", r.world.service.Spec.PublishNotReadyAddresses)
}

func toggleDistribution(r *replay, _ int) string {
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

// toggleDNS has two protocols on one number.
func toggleDNS(r *replay, _ int) string {
	isDNS := func(p corev1.ServicePort) bool { return p.Port == 53 }
	had := slices.ContainsFunc(r.world.service.Spec.Ports, isDNS)
	r.world.change(func(s *corev1.Service) {
		if s.Spec.Ports = slices.DeleteFunc(s.Spec.Ports, isDNS); had {
			return
		}
		for _, p := range []corev1.Protocol{corev1.ProtocolUDP, corev1.ProtocolTCP} {
			s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{
				Name: "dns-" + strings.ToLower(string(p)), Protocol: p, Port: 53, TargetPort: intstr.FromInt32(5353),
			})
		}
	})
	if had {
		return "the Service loses its ports for DNS"
	}
	return "the Service gets port 5353 for DNS, by UDP and by TCP"
}

func toggleAppProtocol(r *replay, _ int) string {
	had := r.world.service.Spec.Ports[0].AppProtocol != nil
	r.world.change(func(s *corev1.Service) {
		if s.Spec.Ports[0].AppProtocol = nil; !had {
			h2c := "kubernetes.io/h2c"
			s.Spec.Ports[0].AppProtocol = &h2c
		}
	})
	if had {
		return "the port has no appProtocol any more"
	}
	return "the port gets appProtocol kubernetes.io/h2c"
}
