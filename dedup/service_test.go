package dedup_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// webService is Service default/web with a cluster IP and the TCP port http.
func webService(change ...func(*corev1.Service)) *corev1.Service {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}, Spec: corev1.ServiceSpec{
		ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"}, IPFamilies: []corev1.IPFamily{"IPv4"},
		Ports: []corev1.ServicePort{{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP}},
	}}
	for _, c := range change {
		c(svc)
	}
	return svc
}

// TestServiceIsEnumeration compares ForProxy and ForGateway, of a list and of an Index, with a
// plain reading of each endpoint of each slice, and Unused with a plain reading of the reasons.
// Options that read more do not change what kube-proxy reads.
// SLICEWRIGHT_CASES says how many Services are drawn, 1000 without it, and SLICEWRIGHT_SEED which.
func TestServiceIsEnumeration(t *testing.T) {
	cases, seed := nightly.Cases(t, 1000), nightly.Seed(t, 1)
	met := map[string]int{}
	for n := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
		svc, list := gen.Served(r)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		var ix dedup.Index
		for _, s := range list {
			ix.Handle(nil, s)
			ix.Flush()
		}
		for kind, view := range map[string]dedup.View{
			"list": dedup.Merge(list, dedup.Options{}), "index": ix.View(),
			"wide": dedup.Merge(list, dedup.Options{AnyPort: true, AllAddresses: true}),
		} {
			for _, gateway := range []bool{false, true} {
				if gateway && kind == "wide" {
					continue // a gateway uses all that the options ask for
				}
				service := view.ForProxy(svc)
				if gateway {
					service = view.ForGateway(svc)
				}
				if got, want := listed(service), enumerated(svc, list, gateway); got != want {
					t.Fatalf("SLICEWRIGHT_SEED=%d, case %d: gateway %v, of a %s:\n%s\nwant\n%s", seed, n, gateway, kind, got, want)
				}
				for _, u := range service.Unused {
					met[u.Reason]++
				}
			}
		}
	}
	for _, reason := range []string{
		"HeadlessSlice", "IsExternalName", "NoClusterIP", "NoEndpoints", "NoPorts", "NoServicePort", "NoSlicePort", "NoSlices",
		"OtherFamily", "OtherProxy",
	} {
		if met[reason] == 0 {
			t.Errorf("%s was never met", reason)
		}
	}
}

// listed is what a Service has, and the reasons of what gets no traffic, in lines.
func listed(s dedup.Service) string {
	text := ""
	for _, p := range s.Ports {
		text += fmt.Sprintln(p.Port.Name, p.Port.Protocol, p.Endpoints)
	}
	lines := []string{}
	for _, u := range s.Unused {
		lines = append(lines, strings.TrimSpace(u.Slice.Name+" "+u.Reason))
	}
	slices.Sort(lines)
	return text + fmt.Sprint(lines)
}

// enumerated is listed by a plain reading: for each port and family, each endpoint of each slice in
// turn.
func enumerated(svc *corev1.Service, list []*discoveryv1.EndpointSlice, gateway bool) string {
	families := familiesByHand(svc, gateway)
	_, claimed := svc.Labels["service.kubernetes.io/service-proxy-name"]
	switch {
	case svc.Spec.Type == corev1.ServiceTypeExternalName:
		return "[IsExternalName]"
	case !gateway && claimed:
		return "[OtherProxy]"
	case families == nil:
		return "[NoClusterIP]"
	}
	text := ""
	for _, p := range svc.Spec.Ports {
		endpoints := []netip.AddrPort{}
		for _, f := range families {
			var own []netip.AddrPort
			for _, s := range list {
				if reasonOf(s, families, gateway) != "" || s.AddressType != f {
					continue
				}
				for _, q := range s.Ports {
					for _, e := range s.Endpoints {
						if isPort(q, p) && q.Port != nil {
							own = append(own, netip.AddrPortFrom(netip.MustParseAddr(e.Addresses[0]), uint16(*q.Port)))
						}
					}
				}
			}
			slices.SortFunc(own, netip.AddrPort.Compare)
			endpoints = append(endpoints, slices.Compact(own)...)
		}
		text += fmt.Sprintln(p.Name, p.Protocol, endpoints)
	}
	return text + fmt.Sprint(reasons(svc, list, families, gateway))
}

// reasons are those of Unused, by a plain reading.
func reasons(svc *corev1.Service, list []*discoveryv1.EndpointSlice, families []discoveryv1.AddressType,
	gateway bool) []string {
	lines := []string{}
	var own, used []*discoveryv1.EndpointSlice
	endpoints := 0
	for _, s := range list {
		reason := reasonOf(s, families, gateway)
		if reason == "of another Service" {
			continue
		}
		own = append(own, s)
		endpoints += len(s.Endpoints)
		switch {
		case len(s.Endpoints) == 0:
		case reason != "":
			lines = append(lines, s.Name+" "+reason)
		default:
			used = append(used, s)
		}
	}
	switch {
	case len(own) == 0:
		return []string{"NoSlices"}
	case endpoints == 0:
		return []string{"NoEndpoints"}
	}
	for _, s := range used {
		if len(s.Ports) == 0 {
			lines = append(lines, s.Name+" NoPorts")
		}
		for _, q := range s.Ports {
			if !slices.ContainsFunc(svc.Spec.Ports, func(p corev1.ServicePort) bool { return isPort(q, p) }) {
				lines = append(lines, s.Name+" NoServicePort")
			}
		}
	}
	for _, p := range svc.Spec.Ports {
		has := func(s *discoveryv1.EndpointSlice) bool {
			return slices.ContainsFunc(s.Ports, func(q discoveryv1.EndpointPort) bool { return isPort(q, p) })
		}
		switch {
		case len(used) == 0:
		case !slices.ContainsFunc(used, has):
			lines = append(lines, "NoSlicePort")
		default:
			for _, s := range used {
				if len(s.Ports) > 0 && !has(s) {
					lines = append(lines, s.Name+" NoSlicePort")
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func isPort(q discoveryv1.EndpointPort, p corev1.ServicePort) bool {
	return *q.Name == p.Name && *q.Protocol == p.Protocol
}

// reasonOf says why a slice is not used, or "".
func reasonOf(s *discoveryv1.EndpointSlice, families []discoveryv1.AddressType, gateway bool) string {
	_, headless := s.Labels[corev1.IsHeadlessService]
	switch {
	case s.Namespace != "default" || s.Labels[discoveryv1.LabelServiceName] != "web":
		return "of another Service"
	case headless && !gateway:
		return "HeadlessSlice"
	case !slices.Contains(families, s.AddressType):
		return "OtherFamily"
	default:
		return ""
	}
}

// familiesByHand are the families in which a Service of gen.Served is served; nil if it is not.
func familiesByHand(svc *corev1.Service, gateway bool) (all []discoveryv1.AddressType) {
	s := svc.Spec
	_, claimed := svc.Labels["service.kubernetes.io/service-proxy-name"]
	if s.Type == corev1.ServiceTypeExternalName || !gateway && (claimed || s.ClusterIP == "" || s.ClusterIP == "None") {
		return nil
	}
	for i, f := range s.IPFamilies {
		if gateway || len(s.ClusterIPs) > i {
			all = append(all, discoveryv1.AddressType(f))
		}
	}
	switch {
	case len(s.IPFamilies) > 0:
		return all
	case strings.Contains(s.ClusterIP, ":"):
		return []discoveryv1.AddressType{"IPv6"}
	case strings.Contains(s.ClusterIP, "."):
		return []discoveryv1.AddressType{"IPv4"}
	}
	return []discoveryv1.AddressType{"IPv4", "IPv6"}
}
