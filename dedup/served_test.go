package dedup_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
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

// servedText is all that is served, one line for each port and each thing that is not used.
func servedText[E fmt.Stringer](s dedup.Served[E]) string {
	lines := []string{}
	for _, p := range s.Ports {
		line := fmt.Sprint(p.Port.Port, "/", p.Port.Protocol, ":")
		for _, e := range p.Endpoints {
			line += " " + e.String()
		}
		lines = append(lines, line)
	}
	for _, u := range s.Unused {
		lines = append(lines, fmt.Sprintf("%s%s", strings.TrimPrefix(u.Slice+": ", ": "), u.Text))
	}
	for _, p := range s.Problems {
		lines = append(lines, "problem "+p.String())
	}
	return strings.Join(lines, "\n")
}

// foundText prints what was found as a View prints its endpoints.
type foundText dedup.Found

func (f foundText) String() string {
	return netip.AddrPortFrom(netip.MustParseAddr(f.Address), uint16(f.Port)).String()
}

func foundTexts(s dedup.Served[dedup.Found]) dedup.Served[foundText] {
	out := dedup.Served[foundText]{Families: s.Families, Unused: s.Unused, Problems: s.Problems}
	for _, p := range s.Ports {
		to := dedup.ServedPort[foundText]{Port: p.Port}
		for _, f := range p.Endpoints {
			to.Endpoints = append(to.Endpoints, foundText(f))
		}
		out.Ports = append(out.Ports, to)
	}
	return out
}

// TestServed has a row for each reason for which an endpoint gets no traffic, in words.
func TestServed(t *testing.T) {
	type slicesOf = []*discoveryv1.EndpointSlice
	web := slice("web-a", "10.0.0.1")
	with := func(name string, change func(*discoveryv1.EndpointSlice)) *discoveryv1.EndpointSlice {
		s := slice(name, "10.0.0.2")
		change(s)
		return s
	}
	v6 := with("web-6", func(s *discoveryv1.EndpointSlice) {
		s.AddressType, s.Endpoints[0].Addresses = "IPv6", []string{"fd00::1"}
	})
	fqdn := with("web-f", func(s *discoveryv1.EndpointSlice) {
		s.AddressType, s.Endpoints[0].Addresses = "FQDN", []string{"db.example.com"}
	})
	ports := func(name string, protocol corev1.Protocol) *discoveryv1.EndpointSlice {
		return with("web-p", func(s *discoveryv1.EndpointSlice) {
			s.Ports[0].Name, s.Ports[0].Protocol = &name, &protocol
		})
	}
	dual := func(s *corev1.Service) {
		s.Spec.IPFamilies, s.Spec.ClusterIPs = []corev1.IPFamily{"IPv6", "IPv4"}, []string{"fd00:1::1", "10.96.0.1"}
	}
	headless := func(s *corev1.Service) { s.Spec.ClusterIP, s.Spec.ClusterIPs = "None", []string{"None"} }
	for _, row := range []struct {
		why             string
		svc             *corev1.Service
		list            slicesOf
		proxy, gateways string
	}{
		{"the endpoints of the Service's slices", webService(), slicesOf{web, of("x", "default", "api", "", "10.0.0.8"), of("web-a", "test", "web", "", "10.0.0.9")}, "80/TCP: 10.0.0.1:8080", ""},
		{"no slices", webService(), nil, "80/TCP:", ""},
		{"the first family first", webService(dual), slicesOf{web, v6}, "80/TCP: [fd00::1]:8080 10.0.0.1:8080", ""},
		{"a family that the Service has not", webService(), slicesOf{web, v6},
			"80/TCP: 10.0.0.1:8080\nweb-6: the Service has no IPv6 cluster IP",
			"80/TCP: 10.0.0.1:8080\nweb-6: spec.ipFamilies of the Service has no IPv6"},
		{"a family without a cluster IP", webService(dual, func(s *corev1.Service) {
			s.Spec.ClusterIPs = s.Spec.ClusterIPs[:1]
		}), slicesOf{web, v6},
			"80/TCP: [fd00::1]:8080\nweb-a: the Service has no IPv4 cluster IP", "80/TCP: [fd00::1]:8080 10.0.0.1:8080"},
		{"no families: clusterIP alone counts", webService(dual, func(s *corev1.Service) {
			s.Spec.IPFamilies = nil
		}), slicesOf{web, v6},
			"80/TCP: 10.0.0.1:8080\nweb-6: the Service has no IPv6 cluster IP", "80/TCP: 10.0.0.1:8080\nweb-6: spec.ipFamilies of the Service has no IPv6"},
		{"FQDN", webService(), slicesOf{fqdn}, "80/TCP:\nweb-f: kube-proxy reads no FQDN slices",
			"80/TCP:\nweb-f: the API gives no meaning to FQDN slices; OnePort reads them if PortOptions.AddressTypes has FQDN"},
		{"another name", webService(), slicesOf{ports("mysql", "TCP")},
			"80/TCP:\nweb-p: the Service has no port mysql/TCP; it has http/TCP\nno slice has the port http/TCP; the slices have mysql/TCP", ""},
		{"a name in the slice and none in the Service", webService(func(s *corev1.Service) {
			s.Spec.Ports[0].Name = ""
		}), slicesOf{web},
			"80/TCP:\nweb-a: the Service has no port http/TCP; it has TCP without a name\nno slice has the port TCP without a name; the slices have http/TCP", ""},
		{"another protocol", webService(), slicesOf{web, ports("http", "UDP")}, "80/TCP: 10.0.0.1:8080\nweb-p: the Service has no port http/UDP; it has http/TCP", ""},
		{"no ports", webService(), slicesOf{with("web-n", func(s *discoveryv1.EndpointSlice) { s.Ports = nil })}, "80/TCP:\nno slice has the port http/TCP; the slices have no ports", ""},
		{"a Service without ports", webService(func(s *corev1.Service) { s.Spec.Ports = nil }), slicesOf{web}, "web-a: the Service has no port http/TCP; it has no ports", ""},
		{"slices without endpoints are in order", webService(), slicesOf{with("web-p", func(s *discoveryv1.EndpointSlice) { s.Endpoints, s.Ports = nil, nil })}, "80/TCP:", ""},
		{"an empty protocol is TCP", webService(func(s *corev1.Service) { s.Spec.Ports[0].Protocol = "" }), slicesOf{web}, "80/: 10.0.0.1:8080", ""},
		{"a headless Service", webService(headless), slicesOf{web}, "the Service is headless: clients take endpoints from DNS, and kube-proxy makes no rules", "80/TCP: 10.0.0.1:8080"},
		{"a Service without cluster IP", webService(headless, func(s *corev1.Service) { s.Spec.ClusterIP = "" }), slicesOf{web}, "the Service has no cluster IP yet", "80/TCP: 10.0.0.1:8080"},
		{"a Service as a client sends it", webService(func(s *corev1.Service) {
			s.Spec = corev1.ServiceSpec{Ports: []corev1.ServicePort{{Name: "http", Port: 80, Protocol: "TCP"}}}
		}), slicesOf{v6, web}, "the Service has no cluster IP yet", "80/TCP: 10.0.0.1:8080 [fd00::1]:8080"},
		{"clusterIPs that do not fit", webService(func(s *corev1.Service) { s.Spec.ClusterIPs = nil }), slicesOf{web},
			"the Service has no cluster IP of its ipFamilies: compare spec.clusterIPs with spec.ipFamilies", "80/TCP: 10.0.0.1:8080"},
		{"an ExternalName", webService(func(s *corev1.Service) { s.Spec.Type = "ExternalName" }), slicesOf{web}, "the Service is an ExternalName: it stands for a DNS name, not for endpoints", ""},
		{"another proxy", webService(func(s *corev1.Service) {
			s.Labels = map[string]string{"service.kubernetes.io/service-proxy-name": "cilium"}
		}), slicesOf{web},
			"the Service has the label service.kubernetes.io/service-proxy-name, so the proxy cilium serves it", "80/TCP: 10.0.0.1:8080"},
		{"another proxy without a name", webService(func(s *corev1.Service) {
			s.Labels = map[string]string{"service.kubernetes.io/service-proxy-name": ""}
		}), slicesOf{web},
			"the Service has the label service.kubernetes.io/service-proxy-name, so the proxy \"\" serves it", "80/TCP: 10.0.0.1:8080"},
		{"a slice with the headless label", webService(),
			slicesOf{web, with("web-h", func(s *discoveryv1.EndpointSlice) {
				s.Labels[corev1.IsHeadlessService] = ""
			})},
			"80/TCP: 10.0.0.1:8080\nweb-h: the slice has the label service.kubernetes.io/headless, so kube-proxy does not read it", "80/TCP: 10.0.0.1:8080 10.0.0.2:8080"},
		{"the labels on the other object, which 1.36 ignores", webService(func(s *corev1.Service) {
			s.Labels = map[string]string{corev1.IsHeadlessService: ""}
		}),
			slicesOf{with("web-x", func(s *discoveryv1.EndpointSlice) { s.Labels["service.kubernetes.io/service-proxy-name"] = "x" })}, "80/TCP: 10.0.0.2:8080", ""},
		{"no number", webService(), slicesOf{web,
			with("web-n", func(s *discoveryv1.EndpointSlice) { s.Ports[0].Port = nil })},
			"80/TCP: 10.0.0.1:8080\nproblem default/web-n: ports[0].port: Required value: set the port's number; a port without one means all ports, and is skipped", ""},
		{"a bad number", webService(), slicesOf{with("web-n", func(s *discoveryv1.EndpointSlice) {
			s.Ports[0].Port = ptr(int32(0))
		})},
			"80/TCP:\nproblem default/web-n: ports[0].port: Invalid value: \"http/TCP\": must have one number from 1 to 65535", ""},
		{"two numbers", webService(), slicesOf{with("web-n", func(s *discoveryv1.EndpointSlice) {
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("http"), Port: ptr(int32(81))})
		})}, "80/TCP:\nproblem default/web-n: ports[0].port: Invalid value: \"http/TCP\": must have one number from 1 to 65535", ""},
		{"a mistake in a slice, once for all ports", webService(func(s *corev1.Service) {
			s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{Name: "dns", Port: 53, Protocol: "UDP"})
		}), slicesOf{with("web-b", func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Addresses[0] = "x"
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("dns"), Protocol: ptr(corev1.ProtocolUDP),
				Port: ptr(int32(53))})
		})}, "80/TCP:\n53/UDP:\nproblem default/web-b: endpoints[0].addresses[0]: Invalid value: \"x\": must be an address of the slice's type", ""},
		{"two ports of one name", webService(func(s *corev1.Service) {
			s.Spec.Ports = append(s.Spec.Ports, s.Spec.Ports[0])
		}), slicesOf{web},
			"80/TCP: 10.0.0.1:8080\n80/TCP: 10.0.0.1:8080", ""},
		{"no Service", nil, slicesOf{web}, "problem service: Required value: pass the Service, not nil", ""},
		{"a Service without name", &corev1.Service{}, slicesOf{web},
			"problem service.metadata.name: Required value: pass the Service as the API server returns it\n" +
				"problem service.metadata.namespace: Required value: pass the Service as the API server returns it", ""},
	} {
		copies := copiesOf(row.list)
		if got := servedText(foundTexts(dedup.OfService(row.svc, row.list))); got != row.proxy {
			t.Errorf("%s: kube-proxy: got\n%s\nwant\n%s", row.why, got, row.proxy)
		}
		if got, want := servedText(foundTexts(dedup.ForGateway(row.svc, row.list))), cmp.Or(row.gateways,
			row.proxy); got != want {
			t.Errorf("%s: gateways: got\n%s\nwant\n%s", row.why, got, want)
		}
		if !reflect.DeepEqual(copies, row.list) {
			t.Errorf("%s: a slice was changed", row.why)
		}
	}
}

// TestServedLookups: ports are found by name, and by number and protocol, which DNS Services share
// between TCP and UDP.
func TestServedLookups(t *testing.T) {
	served := dedup.OfService(webService(func(s *corev1.Service) {
		s.Spec.Ports = []corev1.ServicePort{{Name: "dns-tcp", Port: 53, Protocol: "TCP"},
			{Name: "dns", Port: 53, Protocol: "UDP"}}
	}), nil)
	for _, row := range []struct {
		number   int32
		protocol corev1.Protocol
		want     string
	}{{53, "UDP", "dns true"}, {53, "TCP", "dns-tcp true"}, {53, "", "dns-tcp true"}, {53, "SCTP", " false"},
		{80, "TCP", " false"}} {
		if p, ok := served.Number(row.number, row.protocol); fmt.Sprint(p.Port.Name, " ", ok) != row.want {
			t.Errorf("%d/%s: %s %v, want %s", row.number, row.protocol, p.Port.Name, ok, row.want)
		}
	}
	if p, ok := served.Named("dns"); p.Port.Protocol != "UDP" || !ok {
		t.Errorf("dns is %v, %v", p, ok)
	}
	if p, ok := served.Named("http"); p.Port.Port != 0 || ok {
		t.Errorf("http is %v, %v", p, ok)
	}
}

// TestServedIsEnumeration compares OfService, View.OfService and ForGateway with a plain reading of
// each endpoint of each slice. SLICEWRIGHT_CASES says how many Services are drawn, 1000 without it,
// and SLICEWRIGHT_SEED which.
func TestServedIsEnumeration(t *testing.T) {
	cases, seed := nightly.Cases(t, 1000), nightly.Seed(t, 1)
	met := map[dedup.UnusedReason]int{}
	for n := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
		svc, list := gen.Served(r)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		proxied, gateways := dedup.OfService(svc, list), dedup.ForGateway(svc, list)
		viewed := dedup.Merge(list, dedup.Options{Service: dedup.Proxied}).OfService(svc)
		for _, c := range []struct{ call, got, want string }{
			{"OfService", listed(foundTexts(proxied), true), enumerated(svc, list, false)},
			{"ForGateway", listed(foundTexts(gateways), true), enumerated(svc, list, true)},
			{"View.OfService", listed(viewed, false), listed(foundTexts(proxied), false)},
		} {
			if c.got != c.want {
				t.Fatalf("SLICEWRIGHT_SEED=%d, case %d: %s:\n%s\nwant\n%s", seed, n, c.call, c.got, c.want)
			}
		}
		for _, u := range slices.Concat(proxied.Unused, viewed.Unused) {
			met[u.Reason]++
		}
	}
	for _, reason := range []dedup.UnusedReason{
		dedup.NoClusterIP, dedup.IsExternalName, dedup.OtherProxy, dedup.HeadlessSlice, dedup.OtherFamily, dedup.NoServicePort, dedup.NoSlicePort,
	} {
		if met[reason] == 0 {
			t.Errorf("%s was never met", reason)
		}
	}
}

// listed is what is served, and if asked for what is not, in lines.
func listed[E fmt.Stringer](s dedup.Served[E], unused bool) string {
	text := fmt.Sprintln(s.Families)
	for _, p := range s.Ports {
		text += fmt.Sprintln(p.Port.Name, p.Port.Protocol, p.Endpoints)
	}
	var lines []string
	for _, u := range s.Unused {
		if unused && u.Slice != "" {
			lines = append(lines, fmt.Sprintln(u.Slice, u.Reason, u.Port.Port, u.Port.Protocol, u.AddressType))
		}
	}
	slices.Sort(lines)
	return text + strings.Join(lines, "")
}

// enumerated is listed by a plain reading: for each port and family, each endpoint of each slice in
// turn.
func enumerated(svc *corev1.Service, list []*discoveryv1.EndpointSlice, gateway bool) string {
	families := familiesByHand(svc, gateway)
	text := fmt.Sprintln(families)
	if families == nil {
		return text
	}
	for _, p := range svc.Spec.Ports {
		endpoints := []netip.AddrPort{}
		for _, f := range families {
			var own []netip.AddrPort
			for _, s := range list {
				_, headless := s.Labels[corev1.IsHeadlessService]
				if s.Namespace != "default" || s.Labels[discoveryv1.LabelServiceName] != "web" ||
					headless && !gateway || s.AddressType != f {
					continue
				}
				for _, q := range s.Ports {
					for _, e := range s.Endpoints {
						if *q.Name == p.Name && *q.Protocol == p.Protocol && q.Port != nil {
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
	var lines []string
	for _, s := range list {
		_, headless := s.Labels[corev1.IsHeadlessService]
		switch {
		case s.Namespace != "default" || s.Labels[discoveryv1.LabelServiceName] != "web":
		case headless && !gateway:
			lines = append(lines, fmt.Sprintln(s.Name, "HeadlessSlice", "", "", ""))
		case len(s.Endpoints) == 0:
		case !slices.Contains(families, s.AddressType):
			lines = append(lines, fmt.Sprintln(s.Name, "OtherFamily", "", "", s.AddressType))
		default:
			for _, q := range s.Ports {
				if !slices.ContainsFunc(svc.Spec.Ports,
					func(p corev1.ServicePort) bool { return p.Name == *q.Name && p.Protocol == *q.Protocol }) {
					lines = append(lines, fmt.Sprintln(s.Name, "NoServicePort", *q.Name, *q.Protocol, ""))
				}
			}
		}
	}
	slices.Sort(lines)
	return text + strings.Join(lines, "")
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

// TestViewWithoutProxied: endpoints of a headless slice are left out of a View that has them, and
// reported.
func TestViewWithoutProxied(t *testing.T) {
	headless := slice("web-h", "10.0.0.2")
	headless.Labels[corev1.IsHeadlessService] = ""
	anyPort := slice("web-n", "10.0.0.3")
	anyPort.Ports[0].Port = nil
	v6 := slice("web-6", "fd00::1")
	v6.AddressType = "IPv6"
	view := dedup.Merge([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), headless, anyPort, v6},
		dedup.Options{KeepAnyPort: true, AllPorts: true})
	const want = "80/TCP: 10.0.0.1:8080\n53/UDP:\nweb-h: the slice has the label service.kubernetes.io/headless, so " +
		"kube-proxy does not read it\n" +
		"the Service has no IPv6 cluster IP\nno slice has the port dns/UDP; the slices have http/TCP"
	svc := webService(func(s *corev1.Service) {
		s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{Name: "dns", Port: 53, Protocol: "UDP"})
	})
	if got := servedText(view.OfService(svc)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := servedText(dedup.View{}.OfService(nil)); got != "problem service: Required value: pass the Service, "+
		"not nil" {
		t.Errorf("of no Service: %s", got)
	}
	var ix dedup.Index
	ix.Upsert(slice("web-a", "10.0.0.1"))
	ix.Flush()
	relabelled := slice("web-a", "10.0.0.1")
	relabelled.Labels[corev1.IsHeadlessService] = ""
	ix.Upsert(relabelled)
	if ix.Flush(); len(ix.View().OfService(webService()).Ports[0].Endpoints) != 0 {
		t.Error("a label that a slice gets is not seen")
	}
}

// TestTargetsOfBothFamilies: a reader that reaches a Pod by any of its addresses uses one endpoint
// for each Pod, from an Index as from a list of slices.
func TestTargetsOfBothFamilies(t *testing.T) {
	all := []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1", "10.0.0.2"), slice("web-b", "fd00::1", "fd00::2")}
	all[1].AddressType = discoveryv1.AddressTypeIPv6
	for _, s := range all {
		for i, pod := range []string{"web-0", "web-1"} {
			s.Endpoints[i].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod,
				UID: types.UID(pod)}
		}
	}
	found, _ := dedup.OnePort(all, dedup.PortOptions{Port: "http"})
	joined := slices.Collect(dedup.Merge(all, dedup.Options{}).Endpoints(webHTTP))
	policy := routing.Policy{AnyFamily: true}
	for name, used := range map[string]int{
		"Found":    len(routing.Route(found, dedup.Found.Candidate, routing.Location{}, policy).Endpoints),
		"Endpoint": len(routing.Route(joined, dedup.Endpoint.Candidate, routing.Location{}, policy).Endpoints),
	} {
		if used != 2 || len(found) != 4 || len(joined) != 4 {
			t.Errorf("%s: %d of %d and %d endpoints are used, want one for each of two Pods", name, used, len(found),
				len(joined))
		}
	}
}
