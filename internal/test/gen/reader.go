package gen

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// LabelCluster is a label of slices that readers may ask for.
const LabelCluster = "multicluster.kubernetes.io/source-cluster"

// Small alphabets, so that everything meets everything.
var (
	SliceNames   = []string{"a", "b", "c", "d"}
	serviceNames = []string{"web", "web", "api", ""}
	triggerTimes = []string{"", "2026-11-20T06:00:00Z", "2026-11-20T07:00:00.5Z", "2026-11-20T08:00:00.5+01:00",
		"yesterday"}
	Versions = []string{"", "9", "10", "010", "x"}
	ipv4s    = []string{"10.0.0.1", "010.0.0.1", "10.0.0.2", "10.0.0.10", "9.0.0.1", "fd00::1", "no address"}
	ipv6s    = []string{"fd00::1", "FD00:0::1", "fd00::2", "::", "10.0.0.1", "::ffff:10.0.0.1"}
	fqdns    = []string{"a.example.com", "a.example.com.", "b.example.com", ".", ""}
)

// Maybe draws a pointer to one of some values, or nil.
func Maybe[T any](t *rapid.T, label string, values ...T) *T {
	i := rapid.IntRange(-1, len(values)-1).Draw(t, label)
	if i < 0 {
		return nil
	}
	return &values[i]
}

// WebSlice is a slice of Service default/web, with endpoints behind port http, number 8080.
func WebSlice(name string, addresses ...string) *discoveryv1.EndpointSlice {
	port, number := "http", int32(8080)
	s := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name,
			Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: &port, Port: &number}},
	}
	for _, address := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{address}})
	}
	return s
}

// Slice draws a slice of a reader's, of which anything may be missing or wrong.
func Slice(t *rapid.T, name string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: name, ResourceVersion: rapid.SampledFrom(Versions).Draw(t, "version"),
		Labels: map[string]string{discoveryv1.LabelServiceName: rapid.SampledFrom(serviceNames).Draw(t, "service")},
	}}
	if cluster := rapid.SampledFrom([]string{"", "east", "west"}).Draw(t, "cluster"); cluster != "" {
		s.Labels[LabelCluster] = cluster
	}
	if at := rapid.SampledFrom(triggerTimes).Draw(t, "trigger time"); at != "" {
		s.Annotations = map[string]string{corev1.EndpointsLastChangeTriggerTime: at}
	}
	texts := ipv4s
	switch s.AddressType = rapid.SampledFrom([]discoveryv1.AddressType{
		"IPv4", "IPv4", "IPv4", "IPv6", "FQDN", "",
	}).Draw(t, "type"); s.AddressType {
	case discoveryv1.AddressTypeIPv6:
		texts = ipv6s
	case discoveryv1.AddressTypeFQDN:
		texts = fqdns
	}
	for range rapid.IntRange(0, 2).Draw(t, "ports") {
		s.Ports = append(s.Ports, discoveryv1.EndpointPort{
			Name:        Maybe(t, "port name", "http", "dns", "", "*"),
			Protocol:    Maybe(t, "protocol", corev1.ProtocolTCP, corev1.ProtocolUDP),
			Port:        Maybe[int32](t, "number", 80, 80, 8080, 1, 0, -1, 65535, 65536),
			AppProtocol: Maybe(t, "app protocol", "", "http", "kubernetes.io/h2c"),
		})
	}
	for range rapid.IntRange(0, 5).Draw(t, "endpoints") {
		s.Endpoints = append(s.Endpoints, endpointOf(t, texts))
	}
	return s
}

// endpoint draws an endpoint with up to two of some addresses.
func endpointOf(t *rapid.T, texts []string) discoveryv1.Endpoint {
	e := discoveryv1.Endpoint{
		Addresses: rapid.SliceOfN(rapid.SampledFrom(texts), 0, 2).Draw(t, "addresses"),
		Conditions: discoveryv1.EndpointConditions{
			Ready: Maybe(t, "ready", false, true), Serving: Maybe(t, "serving", false, true),
			Terminating: Maybe(t, "terminating", false, true),
		},
		Zone: Maybe(t, "zone", "", "zone-a", "zone-b"), NodeName: Maybe(t, "node", "n1"),
		Hostname: Maybe(t, "hostname", "", "h"),
	}
	if rapid.Bool().Draw(t, "has target") {
		e.TargetRef = &corev1.ObjectReference{
			Kind:      rapid.SampledFrom([]string{"Pod", ""}).Draw(t, "kind"),
			Name:      rapid.SampledFrom([]string{"p1", "p2", ""}).Draw(t, "pod"),
			Namespace: rapid.SampledFrom([]string{"", "", "ns"}).Draw(t, "namespace"),
			UID:       rapid.SampledFrom([]types.UID{"", "", "u1", "u2"}).Draw(t, "uid"),
		}
	}
	if rapid.Bool().Draw(t, "has hints") {
		e.Hints = &discoveryv1.EndpointHints{}
		for range rapid.IntRange(0, 2).Draw(t, "zones hinted") {
			e.Hints.ForZones = append(e.Hints.ForZones,
				discoveryv1.ForZone{Name: rapid.SampledFrom([]string{"zone-b", "zone-a"}).Draw(t, "hint")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "nodes hinted") {
			e.Hints.ForNodes = append(e.Hints.ForNodes,
				discoveryv1.ForNode{Name: rapid.SampledFrom([]string{"n2", "n1"}).Draw(t, "hint")})
		}
	}
	return e
}

// Edited returns a copy of a slice in which one endpoint has other fields, and mostly its old
// addresses.
func Edited(t *rapid.T, s *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	s = s.DeepCopy()
	s.ResourceVersion = rapid.SampledFrom(Versions).Draw(t, "version")
	e := &s.Endpoints[rapid.IntRange(0, len(s.Endpoints)-1).Draw(t, "endpoint")]
	if rapid.IntRange(0, 3).Draw(t, "other origin") == 0 { // nothing else changes
		s.Labels[LabelCluster] = rapid.SampledFrom([]string{"east", "west"}).Draw(t, "cluster")
		for i := range s.Ports {
			s.Ports[i].AppProtocol = Maybe(t, "app protocol", "http", "kubernetes.io/h2c")
		}
		return s
	}
	if rapid.IntRange(0, 3).Draw(t, "only the version") == 0 {
		return s
	}
	addresses := e.Addresses
	*e = endpointOf(t, ipv4s)
	if rapid.IntRange(0, 4).Draw(t, "other addresses") > 0 {
		e.Addresses = addresses
	}
	return s
}

// Slices draws slices of one Service, as readers find them.
func Slices(t *rapid.T) []*discoveryv1.EndpointSlice {
	all := Draw(t).Existing
	for i, s := range all {
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[discoveryv1.LabelServiceName] = Name
		s.Name = fmt.Sprintf("s%d", i)
	}
	return all
}
