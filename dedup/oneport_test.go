package dedup_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestOnePortIsMerge: for slices of one Service OnePort finds what Merge shows of the port: the
// same winners, in the same order, in the same states (D1, D2, D4), and changes nothing.
func TestOnePortIsMerge(t *testing.T) { rapid.Check(t, onePortIsMerge) }

func onePortIsMerge(t *rapid.T) {
	list := drawOfWeb(t, rapid.SliceOfN(rapid.SampledFrom(sliceNames), 0, 6).Draw(t, "slices"))
	for _, s := range list {
		if rapid.IntRange(0, 3).Draw(t, "usual") > 0 { // so that several slices have the port that is asked for
			s.Ports = []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(80))}}
		}
	}
	o, copies := drawPortOptions(t), copiesOf(list)
	port := dedup.ServicePort{
		Service: types.NamespacedName{Namespace: "ns", Name: "web"}, Port: o.Port,
		Protocol: cmp.Or(o.Protocol, corev1.ProtocolTCP),
	}
	alone := o // without the options that Merge does not have
	alone.OtherPorts, alone.Else = nil, nil
	found, problems := dedup.OnePort(rapid.Permutation(list).Draw(t, "order"), alone)
	view := dedup.Merge(list, dedup.Options{AddressTypes: o.AddressTypes, AllAddresses: o.AllAddresses})
	sameFound(t, found, slices.Collect(view.Endpoints(port)))
	checkOthers(t, list, o, found)
	if !reflect.DeepEqual(list, copies) {
		t.Fatal("a slice was changed")
	}
	for _, p := range problems {
		if faultOf(p).Field == "" || faultOf(p).Detail == "" {
			t.Fatalf("%v does not say what to do", p)
		}
	}
}

// drawPortOptions draws options for slices of Service ns/web.
func drawPortOptions(t *rapid.T) dedup.PortOptions {
	of := drawOptions(t)
	o := dedup.PortOptions{
		Port:         rapid.SampledFrom([]string{"http", "http", "http", "dns", ""}).Draw(t, "port"),
		Protocol:     rapid.SampledFrom([]corev1.Protocol{"TCP", "TCP", "", "UDP"}).Draw(t, "protocol"),
		AddressTypes: of.AddressTypes, AllAddresses: of.AllAddresses,
	}
	if rapid.Bool().Draw(t, "named") {
		o.Service = types.NamespacedName{Namespace: "ns", Name: "web"}
	}
	if rapid.Bool().Draw(t, "other ports") {
		o.OtherPorts = []string{"dns", "http"}
	}
	if rapid.Bool().Draw(t, "else") {
		o.Else = func(*discoveryv1.EndpointSlice, dedup.PortMatch) int32 { return 7 }
	}
	return o
}

// checkOthers: with OtherPorts and Else, OnePort finds at least the addresses that it finds without
// them. Another number than the port's own comes from a slice that does not have the port.
func checkOthers(t *rapid.T, list []*discoveryv1.EndpointSlice, o dedup.PortOptions, alone []dedup.Found) {
	found, _ := dedup.OnePort(list, o)
	if o.OtherPorts == nil && o.Else == nil && len(found) != len(alone) {
		t.Fatalf("the order of slices decides: %v and %v", found, alone)
	}
	for _, f := range alone {
		if !slices.ContainsFunc(found, func(g dedup.Found) bool { return g.Address == f.Address }) {
			t.Fatalf("%s is found without OtherPorts and Else, and not with them", f.Address)
		}
	}
	for _, f := range found {
		if f.Port == 7 && o.Else == nil {
			t.Fatalf("%s has the number of Else, which is nil", f.Address)
		}
	}
}

// endpointOf reads what was found as an Index does: by itself.
func endpointOf(f dedup.Found) dedup.Endpoint {
	alone := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: f.Slice.Name, Labels: map[string]string{discoveryv1.LabelServiceName: "web"},
		},
		AddressType: f.Slice.AddressType, Endpoints: []discoveryv1.Endpoint{*f.Endpoint},
		Ports: []discoveryv1.EndpointPort{{Port: &f.Port, AppProtocol: &f.AppProtocol}},
	}
	alone.Endpoints[0].Addresses = []string{f.Address}
	view := dedup.Merge([]*discoveryv1.EndpointSlice{alone}, dedup.Options{
		AddressTypes: []discoveryv1.AddressType{"IPv4", "IPv6", "FQDN"},
	})
	for _, e := range view.All() {
		if e.Host() != f.Address || e.State != f.State() {
			break
		}
		return e
	}
	return dedup.Endpoint{FQDN: "not as found"}
}

// drawOfWeb draws slices of Service ns/web.
func drawOfWeb(t *rapid.T, names []string) (list []*discoveryv1.EndpointSlice) {
	for _, name := range names {
		s := drawSlice(t, name)
		s.Labels = map[string]string{discoveryv1.LabelServiceName: "web"}
		if s.AddressType == "" {
			s.AddressType = "Other" // Merge cannot read a slice without an address type
		}
		list = append(list, s)
	}
	return list
}

// sameFound compares what is found with the endpoints of a view.
func sameFound(t *rapid.T, found []dedup.Found, want []dedup.Endpoint) {
	if len(found) != len(want) {
		t.Fatalf("found %v, want %v", found, want)
	}
	for i, f := range found {
		if got := endpointOf(f); !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("found\n%+v, want\n%+v", allFields(got), allFields(want[i]))
		}
		is, must := f.Candidate(), want[i].Candidate()
		if is.AddressType != must.AddressType || is.State != must.State || is.NodeName != must.NodeName ||
			is.Zone != must.Zone {
			t.Fatalf("candidate %+v, want %+v", is, must)
		}
	}
}

// TestOnePortNeedsNoNames: slices without namespace, name, label or address type are read all the
// same, and which comes first in the list counts only where nothing tells them apart.
func TestOnePortNeedsNoNames(t *testing.T) {
	unnamed := func(version string, ready bool, addresses ...string) *discoveryv1.EndpointSlice {
		s := slice("", addresses...)
		s.ObjectMeta, s.AddressType = metav1.ObjectMeta{ResourceVersion: version}, ""
		s.Endpoints[0].TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: "p1"}
		s.Endpoints[0].Conditions.Ready = &ready
		return s
	}
	list := []*discoveryv1.EndpointSlice{unnamed("8", true, "10.0.0.1", "fd00::1"), unnamed("9", false, "10.0.0.1"),
		unnamed("9", false, "10.0.0.1")}
	found, problems := dedup.OnePort(list, dedup.PortOptions{Port: "http"})
	if problems != nil || len(found) != 2 || found[0].Slice != list[1] || found[0].State().Ready ||
		found[1].Address != "fd00::1" {
		t.Errorf("found %v, problems %v", found, problems)
	}
	found, problems = dedup.OnePort(list,
		dedup.PortOptions{Port: "http", AddressTypes: []discoveryv1.AddressType{"IPv6"}})
	if problems != nil || len(found) != 1 || found[0].Address != "fd00::1" {
		t.Errorf("of IPv6: found %v, problems %v", found, problems)
	}
}

// TestOnePortElse: what a slice has instead of the port decides what Else is asked, and its answer
// what is found.
func TestOnePortElse(t *testing.T) {
	for _, row := range []struct {
		why    string
		ports  string
		match  dedup.PortMatch
		silent bool // left out without a problem of its own, because NoPort says it
	}{
		{"no ports", "-", dedup.NoPorts, true},
		{"another name", "x:1(h)", dedup.NoName, true},
		{"another protocol", "http:1/udp", dedup.NoProtocol, true},
		{"no number", "x:1(h),http:*(grpc)", dedup.MatchAny, false},
		{"a bad number", "http:0", dedup.MatchBad, false},
	} {
		ask, list := dedup.PortOptions{Port: "http"}, withPorts(t, row.ports)
		found, problems := dedup.OnePort(list, ask)
		if found != nil || len(problems) != 1 || (problems[0].Reason == dedup.NoPort) != row.silent {
			t.Errorf("%s: found %v, problems %v", row.why, found, problems)
		}
		for answer, want := range map[int32]string{0: "[]", 1: "[10.0.0.1:1]", 65535: "[10.0.0.1:65535]",
			-1: "[] BadNumber", 65536: "[] BadNumber"} {
			asked := 0
			ask.Else = func(s *discoveryv1.EndpointSlice, match dedup.PortMatch) int32 {
				if asked++; s != list[0] || match != row.match {
					t.Errorf("%s: Else is asked about %v", row.why, match)
				}
				return answer
			}
			found, problems := dedup.OnePort(list, ask)
			got := []string{}
			for _, f := range found {
				got = append(got, fmt.Sprintf("%s:%d", f.Address, f.Port))
				if want := map[dedup.PortMatch]string{dedup.MatchAny: "grpc"}[row.match]; f.AppProtocol != want {
					t.Errorf("%s: application protocol %q, want %q", row.why, f.AppProtocol, want)
				}
			}
			text := fmt.Sprint(got)
			if len(problems) > 0 && answer != 0 {
				text += " " + string(problems[0].Reason)
			}
			if text != want || asked != 1 {
				t.Errorf("%s: Else returns %d: got %s, want %s; asked %d times", row.why, answer, text, want, asked)
			}
		}
	}
	ask := dedup.PortOptions{Port: "http", Else: func(*discoveryv1.EndpointSlice, dedup.PortMatch) int32 {
		t.Error("Else is asked")
		return 1
	}}
	dedup.OnePort([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), nil}, ask)
}

// TestOnePortProblems: each thing that is skipped is a problem, and nothing else is.
func TestOnePortProblems(t *testing.T) {
	with := func(change func(*discoveryv1.EndpointSlice)) *discoveryv1.EndpointSlice {
		s := slice("web-b", "10.0.0.2")
		change(s)
		return s
	}
	for _, row := range []struct {
		why  string
		list []*discoveryv1.EndpointSlice
		ask  dedup.PortOptions
		want string
	}{
		{"nothing to find", nil, dedup.PortOptions{}, ""},
		{"a Service without endpoints", []*discoveryv1.EndpointSlice{with(func(s *discoveryv1.EndpointSlice) { s.Endpoints, s.Ports = nil, nil })}, dedup.PortOptions{Port: "http"}, ""},
		{"Pods that lack the port beside those that have it", []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), with(func(s *discoveryv1.EndpointSlice) { s.Ports = nil })}, dedup.PortOptions{Port: "http"}, ""},
		{"no slice has the port", []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1")}, dedup.PortOptions{Port: "grpc"}, `options.port: Not found: "grpc/TCP": the slices have http/TCP`},
		{"no slice has the protocol", []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), with(func(s *discoveryv1.EndpointSlice) { s.Ports[0].Name = ptr("") })}, dedup.PortOptions{Port: "http", Protocol: "UDP"}, `options.port: Not found: "http/UDP": the slices have TCP without a name, http/TCP`},
		{"no slice has ports", []*discoveryv1.EndpointSlice{with(func(s *discoveryv1.EndpointSlice) { s.Ports = nil })}, dedup.PortOptions{}, `options.port: Not found: "/TCP": the slices have no ports`},
		{"another family is not asked for", []*discoveryv1.EndpointSlice{with(func(s *discoveryv1.EndpointSlice) { s.AddressType = "FQDN" })}, dedup.PortOptions{Port: "grpc"}, ""},
		{"a nil slice", []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), nil}, dedup.PortOptions{Port: "http"}, "slices[1]: Required value: give a slice, not nil"},
		{"an address", []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.256")}, dedup.PortOptions{Port: "http"}, `default/web-a: endpoints[0].addresses[0]: Invalid value: "10.0.0.256": must be an address of the slice's type`},
		{"an address of a slice without a name", []*discoveryv1.EndpointSlice{slice("", "10.0.0.1", "x")}, dedup.PortOptions{Port: "http"}, `slices[0].endpoints[1].addresses[0]: Invalid value: "x": must be an address of the slice's type`},
		{"an address with a zone", []*discoveryv1.EndpointSlice{slice("web-a", "fe80::1%eth0")}, dedup.PortOptions{Port: "http"}, `default/web-a: endpoints[0].addresses[0]: Invalid value: "fe80::1%eth0": must be an address of the slice's type, without a zone (%), which only one node knows`},
		{"no address", []*discoveryv1.EndpointSlice{with(func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses = nil })}, dedup.PortOptions{Port: "http"}, "default/web-b: endpoints[0].addresses: Required value: give the endpoint an address"},
		{"an address type", []*discoveryv1.EndpointSlice{with(func(s *discoveryv1.EndpointSlice) { s.AddressType = "ipv4" })}, dedup.PortOptions{Port: "http"}, `default/web-b: addressType: Unsupported value: "ipv4": supported values: "IPv4", "IPv6", "FQDN"`},
		{"a slice twice", []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), slice("web-a", "10.0.0.1")}, dedup.PortOptions{Port: "http"}, `default/web-a: slices[1]: Invalid value: "default/web-a": is in the list more than once, and only the newest is read; pass each slice once`},
		{"more addresses, once for a slice", []*discoveryv1.EndpointSlice{with(func(s *discoveryv1.EndpointSlice) {
			s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1", "10.0.0.2"}},
				{Addresses: []string{"10.0.0.3", "10.0.0.4"}}}
		})}, dedup.PortOptions{Port: "http"}, "default/web-b: endpoints: Forbidden: only the first address of each endpoint is read; set AllAddresses if the reader can use the others"},
	} {
		_, problems := dedup.OnePort(row.list, row.ask)
		if got := problems.String(); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.why, got, row.want)
		}
	}
	same := slice("web-a", "10.0.0.1")
	if found, problems := dedup.OnePort([]*discoveryv1.EndpointSlice{same, same},
		dedup.PortOptions{Port: "http"}); len(found) != 1 || problems != nil {
		t.Errorf("one object twice: found %v, problems %v", found, problems)
	}
}

// withPorts is a list of one slice, whose ports are read from a text.
func withPorts(t *testing.T, text string) []*discoveryv1.EndpointSlice {
	ports, err := scenario.ParsePorts(text)
	if err != nil {
		t.Fatal(err)
	}
	s := slice("web-a", "10.0.0.1")
	s.Ports = ports
	return []*discoveryv1.EndpointSlice{s}
}

func TestResolvePort(t *testing.T) {
	for _, row := range []struct {
		why, ports string
		name       string
		protocol   corev1.Protocol
		number     int32
		match      dedup.PortMatch
	}{
		{"the number of the name", "http:80,https:443", "https", "TCP", 443, dedup.MatchNumber},
		{"an empty protocol is TCP", "http:80", "http", "", 80, dedup.MatchNumber},
		{"a nil name is empty", "80", "", "TCP", 80, dedup.MatchNumber},
		{"a name without a number means all ports", "http:*", "http", "TCP", 0, dedup.MatchAny},
		{"all ports of another name do not matter (nginx-gateway-fabric stumbles there)", "metrics:*,http:8080", "http", "TCP", 8080, dedup.MatchNumber},
		{"protocols are told apart", "dns:53,dns:5353/udp", "dns", "UDP", 5353, dedup.MatchNumber},
		{"another name is no match, whatever its number", "http:80", "web", "TCP", 0, dedup.NoName},
		{"a port of the protocol has another name, and one of the name another protocol", "web:80/udp,http:80", "web", "TCP", 0, dedup.NoName},
		{"no port has the protocol, whatever its name", "dns:53/udp", "web", "TCP", 0, dedup.NoProtocol},
		{"no ports are something else than no match", "-", "http", "TCP", 0, dedup.NoPorts},
		{"no port has number 0", "http:0", "http", "TCP", 0, dedup.MatchBad},
		{"above the last port", "http:65536", "http", "TCP", 0, dedup.MatchBad},
		{"the last port", "http:65535", "http", "TCP", 65535, dedup.MatchNumber},
		{"a negative number is not all ports", "http:-1", "http", "TCP", 0, dedup.MatchBad},
		{"two numbers of one name are anybody's guess", "http:80,http:81", "http", "TCP", 0, dedup.MatchBad},
		{"all ports do not count beside a number", "http:*,http:81,http:*", "http", "TCP", 81, dedup.MatchNumber},
		{"a bad number does not count beside a good one", "http:0,http:81,http:70000", "http", "TCP", 81, dedup.MatchNumber},
		{"a bad number does not count beside all ports", "http:0,http:*,http:0", "http", "TCP", 0, dedup.MatchAny},
		{"said twice is said once", "http:80,http:80", "http", "TCP", 80, dedup.MatchNumber},
	} {
		number, match := dedup.ResolvePort(withPorts(t, row.ports)[0], row.name, row.protocol)
		if number != row.number || match != row.match {
			t.Errorf("%s: got %d %v, want %d %v", row.why, number, match, row.number, row.match)
		}
	}
}
