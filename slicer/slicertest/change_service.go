package slicertest

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// portEvents are the events of the Service's ports.
var portEvents = []event{
	{"number", nil, toggle(func(s *corev1.Service) bool { return s.Spec.Ports[0].TargetPort.IntVal == portNumber },
		fmt.Sprintf("the target port becomes %d", portNumber), func(s *corev1.Service) {
			s.Spec.Ports[0].TargetPort = intstr.FromInt32(portNumber)
		},
		fmt.Sprintf("the target port becomes %d", otherNumber), func(s *corev1.Service) {
			s.Spec.Ports[0].TargetPort = intstr.FromInt32(otherNumber)
		})},
	{"rename-port", nil, toggle(func(s *corev1.Service) bool { return s.Spec.Ports[0].Name == "http" },
		"the port is renamed to http", func(s *corev1.Service) { s.Spec.Ports[0].Name = "http" },
		"the port is renamed to web", func(s *corev1.Service) { s.Spec.Ports[0].Name = "web" })},
	{"toggle-second-port", []string{"SeveralPorts"}, toggleSecondPort},
	{"dns", []string{"SeveralPorts", "Protocols"}, togglePorts(
		"port 5353 for DNS, by UDP and by TCP", "its ports for DNS", 53,
		corev1.ServicePort{Name: "dns-udp", Protocol: corev1.ProtocolUDP, Port: 53, TargetPort: intstr.FromInt32(5353)},
		corev1.ServicePort{Name: "dns-tcp", Protocol: corev1.ProtocolTCP, Port: 53,
			TargetPort: intstr.FromInt32(5353)})},
	{"app-protocol", []string{"AppProtocol"}, toggle(
		func(s *corev1.Service) bool { return s.Spec.Ports[0].AppProtocol != nil },
		"the port gets appProtocol kubernetes.io/h2c", func(s *corev1.Service) {
			h2c := "kubernetes.io/h2c"
			s.Spec.Ports[0].AppProtocol = &h2c
		},
		"the port has no appProtocol any more", func(s *corev1.Service) { s.Spec.Ports[0].AppProtocol = nil })},
	{"split-numbers", []string{"NamedPorts"}, func(r *replay, n int) string {
		r.cluster.change(func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
		r.cluster.removePods(n, 1)
		r.cluster.addPod(otherNumber)
		return fmt.Sprintf("a Pod is replaced by one whose port http is %d, and the target port is http", otherNumber)
	}},
}

// serviceEvents are the other events of the Service.
var serviceEvents = []event{
	{"families", []string{"DualStack"}, func(r *replay, _ int) string {
		if first := r.cluster.service.Spec.IPFamilies[0]; dual(r.cluster.service) {
			r.cluster.change(func(s *corev1.Service) { setFamilies(s, first) })
			return fmt.Sprintf("the Service has %s only", first)
		}
		r.cluster.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv4Protocol, corev1.IPv6Protocol) })
		return "the Service gets both families"
	}},
	{"label", []string{"ServiceLabels"}, toggle(
		func(s *corev1.Service) bool { return s.Labels[teamKey] != "" },
		"the Service gets the label "+teamKey+"=red", func(s *corev1.Service) {
			metav1.SetMetaDataLabel(&s.ObjectMeta, teamKey, "red")
		},
		"the Service loses the label "+teamKey, func(s *corev1.Service) { delete(s.Labels, teamKey) })},
	{"recreate", []string{"Recreated"}, recreate},
	{"recreate-other-family", []string{"Recreated", "IPv6"}, func(r *replay, n int) string {
		family := corev1.IPv6Protocol
		if r.cluster.service.Spec.IPFamilies[0] == family {
			family = corev1.IPv4Protocol
		}
		text := recreate(r, n)
		r.cluster.change(func(s *corev1.Service) { setFamilies(s, family) })
		return fmt.Sprintf("%s, with %s only", text, family)
	}},
	{"gone", []string{"Gone"}, func(r *replay, n int) string {
		if r.cluster.deleted {
			r.cluster.deleted = false
			return recreate(r, n)
		}
		r.cluster.deleted, r.excused, r.collector = true, true, n%2 == 0
		return "the Service is deleted for good"
	}},
	{"unmanaged", []string{"Unmanaged"}, func(r *replay, n int) string {
		gets, spec := "a selector and the type ClusterIP", corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP,
			Selector: map[string]string{"app": "web"}}
		if r.cluster.isManaged() && n%2 == 0 {
			gets, spec.Selector = "no selector", nil
		} else if r.cluster.isManaged() {
			gets, spec.Type, spec.ExternalName = "the type ExternalName", corev1.ServiceTypeExternalName, "example.com"
		}
		r.cluster.change(func(s *corev1.Service) {
			s.Spec.Selector, s.Spec.Type, s.Spec.ExternalName = spec.Selector, spec.Type, spec.ExternalName
		})
		return "the Service has " + gets + " now"
	}},
	{"delete-service", []string{"Recreated"}, func(r *replay, n int) string {
		recreate(r, n)
		r.collector = true // the collector finds the old slices before the new Service exists
		r.collect()
		return "the Service is deleted, its slices are collected, and it is created again"
	}},
}

// placeEvents are the events of Nodes and of the fields that ask for hints.
var placeEvents = []event{
	{"node", []string{"LostNodes"}, toggleNode},
	{"zone", nil, func(r *replay, n int) string {
		name := nodeName(n)
		if p := r.cluster.podAt(n); p != nil {
			name = cmp.Or(p.Spec.NodeName, name)
		}
		for _, node := range r.cluster.nodes {
			if node.Labels[corev1.LabelTopologyZone] == "" {
				name = node.Name
			}
		}
		at := slices.IndexFunc(r.cluster.nodes, func(node *corev1.Node) bool { return node.Name == name })
		if at < 0 {
			return ""
		}
		r.cluster.nodes = slices.Clone(r.cluster.nodes)
		was, later := r.cluster.nodes[at], r.cluster.node(int(name[len(name)-1]-'0'))
		r.cluster.nodes[at] = later
		if was.Labels[corev1.LabelTopologyZone] == "" {
			later.UID = was.UID
			return "Node " + name + " gets its zone"
		}
		delete(later.Labels, corev1.LabelTopologyZone)
		return "Node " + name + " is replaced by one of its name that has no zone yet"
	}},
	{"distribution", []string{"Hints"}, distribute(corev1.ServiceTrafficDistributionPreferClose)},
	{"same-zone", []string{"Hints"}, distribute(corev1.ServiceTrafficDistributionPreferSameZone)},
	{"same-node", []string{"Hints"}, distribute(corev1.ServiceTrafficDistributionPreferSameNode)},
	{"topology", []string{"Hints"}, toggle(isTopologyAware,
		"the Service gets topology-mode Auto", func(s *corev1.Service) {
			metav1.SetMetaDataAnnotation(&s.ObjectMeta, corev1.AnnotationTopologyMode, "Auto")
		},
		"the Service has no topology-mode any more", func(s *corev1.Service) {
			delete(s.Annotations, corev1.AnnotationTopologyMode)
		})},
}

// distribute returns the function of an event that sets trafficDistribution to a value, or removes
// it if it has this value already.
func distribute(value string) func(*replay, int) string {
	return toggle(func(s *corev1.Service) bool {
		return s.Spec.TrafficDistribution != nil && *s.Spec.TrafficDistribution == value
	},
		"the Service gets trafficDistribution "+value, func(s *corev1.Service) { s.Spec.TrafficDistribution = &value },
		"the Service has no trafficDistribution any more", func(s *corev1.Service) { s.Spec.TrafficDistribution = nil })
}

// isTopologyAware reports whether the Service has a topology mode. New hints then depend on earlier
// hints.
func isTopologyAware(s *corev1.Service) bool {
	return s.Annotations[corev1.AnnotationTopologyMode] != ""
}

// toggle returns the function of an event that gives the Service something or, if the Service has
// it, takes it away. gets and loses describe the two events.
func toggle(has func(*corev1.Service) bool, gets string, give func(*corev1.Service), loses string,
	take func(*corev1.Service)) func(*replay, int) string {
	return func(r *replay, _ int) string {
		if has(r.cluster.service) {
			r.cluster.change(take)
			return loses
		}
		r.cluster.change(give)
		return gets
	}
}

var toggleSecondPort = togglePorts("a second port, metrics:9100", "its second port", 9100,
	corev1.ServicePort{Name: "metrics", Protocol: corev1.ProtocolTCP, Port: 9100, TargetPort: intstr.FromInt32(9100)})

// togglePorts returns the function of an event that adds ports with this number to the Service, or
// removes them.
func togglePorts(gets, loses string, number int32, ports ...corev1.ServicePort) func(*replay, int) string {
	is := func(p corev1.ServicePort) bool { return p.Port == number }
	return toggle(func(s *corev1.Service) bool { return slices.ContainsFunc(s.Spec.Ports, is) },
		"the Service gets "+gets, func(s *corev1.Service) { s.Spec.Ports = append(s.Spec.Ports, ports...) },
		"the Service loses "+loses, func(s *corev1.Service) { s.Spec.Ports = slices.DeleteFunc(s.Spec.Ports, is) })
}

// recreate replaces the Service by a new one. The garbage collector finds the old slices later than
// the writer.
func recreate(r *replay, _ int) string {
	r.cluster.born++
	r.cluster.change(func(s *corev1.Service) {
		s.UID = types.UID(fmt.Sprintf("service-%d", r.cluster.born))
		s.CreationTimestamp = metav1.Unix(1_700_000_000+int64(r.cluster.born), 0)
	})
	r.excused, r.collector = true, false
	return "the Service is deleted and created again"
}

// toggleNode removes a Node, or adds the Node that it removed before. At most one Node is missing,
// because a cluster deletes the Pods of lost Nodes if there are several.
func toggleNode(r *replay, n int) string {
	for i := range nodes {
		if nodeOf(r.cluster.nodes, nodeName(i)) == nil {
			r.cluster.nodes = append(slices.Clone(r.cluster.nodes), r.cluster.node(i))
			return "Node " + nodeName(i) + " is there again"
		}
	}
	pod := r.cluster.podAt(n)
	if pod == nil || pod.Spec.NodeName == "" {
		return ""
	}
	name := pod.Spec.NodeName
	r.cluster.nodes = slices.DeleteFunc(slices.Clone(r.cluster.nodes), func(node *corev1.Node) bool {
		return node.Name == name
	})
	return "Node " + name + " is lost, and its Pods stay"
}
