package dedup_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestOnePortIsMerge: for slices of one Service OnePort finds what Merge shows of the port: the
// same winners, in the same order, in the same states (D1, D2, D4), and changes nothing. With Else
// it finds at least these addresses.
func TestOnePortIsMerge(t *testing.T) { rapid.Check(t, onePortIsMerge) }

func onePortIsMerge(t *rapid.T) {
	list := drawOfWeb(t, rapid.SliceOfN(rapid.SampledFrom(gen.SliceNames), 0, 6).Draw(t, "slices"))
	for _, s := range list {
		if rapid.IntRange(0, 3).Draw(t, "usual") > 0 { // so that several slices have the port that is asked for
			s.Ports = []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(80))}}
		}
	}
	o, copies := drawOptions(t), copiesOf(list)
	o.ServiceLabel = ""
	port := rapid.SampledFrom([]string{"http", "http", "http", "dns", ""}).Draw(t, "port")
	protocol := rapid.SampledFrom([]corev1.Protocol{"TCP", "TCP", "", "UDP"}).Draw(t, "protocol")
	found, warnings := dedup.OnePort(rapid.Permutation(list).Draw(t, "order"), port, protocol, o)
	view := dedup.Merge(list, o)
	want := slices.Collect(view.Endpoints(dedup.ServicePortName{
		Service: types.NamespacedName{Namespace: "ns", Name: "web"}, Port: port,
		Protocol: cmp.Or(protocol, corev1.ProtocolTCP),
	}))
	if !reflect.DeepEqual(found, want) {
		t.Fatalf("found\n%+v\nwant\n%+v", found, want)
	}
	o.Else = drawElse(t)
	more, _ := dedup.OnePort(list, port, protocol, o)
	for _, e := range found {
		if !slices.ContainsFunc(more, func(other dedup.Endpoint) bool { return other.Host() == e.Host() }) {
			t.Fatalf("%v is found without Else, and not with it", e)
		}
	}
	if !reflect.DeepEqual(list, copies) {
		t.Fatal("a slice was changed")
	}
	for _, w := range warnings {
		if faultOf(w).Field == "" || faultOf(w).Detail == "" {
			t.Fatalf("%v does not say what to do", w)
		}
	}
}

func drawElse(t *rapid.T) func(*discoveryv1.EndpointSlice) int32 {
	if rapid.Bool().Draw(t, "else") {
		return func(*discoveryv1.EndpointSlice) int32 { return 7 }
	}
	return nil
}

// drawOfWeb draws slices of Service ns/web.
func drawOfWeb(t *rapid.T, names []string) (list []*discoveryv1.EndpointSlice) {
	for _, name := range names {
		s := gen.Slice(t, name)
		s.Labels = map[string]string{discoveryv1.LabelServiceName: "web"}
		list = append(list, s)
	}
	return list
}

// TestOnePortElse: Else is asked about each slice that has no number for the port, and its answer
// is what is found.
func TestOnePortElse(t *testing.T) {
	for ports, has := range map[string]bool{
		"-": false, "x:1(h)": false, "http:1/udp": false, "x:1(h),http:*(grpc)": true, "http:0": true,
		"http:80,http:81": true,
	} {
		list := withPorts(t, ports)
		found, warnings := dedup.OnePort(list, "http", "", dedup.Options{})
		if found != nil || len(warnings) != 1 || (warnings[0].Reason == "NoPort") == has {
			t.Errorf("%s: found %v, warnings %v", ports, found, warnings)
		}
		for answer, want := range map[int32]string{0: "[]", 1: "[10.0.0.1:1]", 65535: "[10.0.0.1:65535]",
			-1: "[] BadNumber", 65536: "[] BadNumber"} {
			asked := 0
			found, warnings := dedup.OnePort(list, "http", "", dedup.Options{Else: func(s *discoveryv1.EndpointSlice) int32 {
				if asked++; s != list[0] {
					t.Errorf("%s: Else is asked about another slice", ports)
				}
				return answer
			}})
			text := fmt.Sprint(found)
			if len(warnings) > 0 && answer != 0 {
				text += " " + warnings[0].Reason
			}
			if text != want || asked != 1 {
				t.Errorf("%s: Else returns %d: got %s, want %s; asked %d times", ports, answer, text, want, asked)
			}
		}
	}
	never := dedup.Options{Else: func(*discoveryv1.EndpointSlice) int32 {
		t.Error("Else is asked")
		return 1
	}}
	fqdn := slice("web-f", "a.example.com")
	fqdn.AddressType = discoveryv1.AddressTypeFQDN
	dedup.OnePort([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), nil, fqdn}, "http", "", never)
}

// TestOnePortWarnings: each thing that is left out is a Warning, and nothing else is.
func TestOnePortWarnings(t *testing.T) {
	with := func(change func(*discoveryv1.EndpointSlice)) *discoveryv1.EndpointSlice {
		s := slice("web-b", "10.0.0.2")
		change(s)
		return s
	}
	type list = []*discoveryv1.EndpointSlice
	web := slice("web-a", "10.0.0.1")
	noPorts := with(func(s *discoveryv1.EndpointSlice) { s.Ports = nil })
	for _, row := range []struct {
		why  string
		list list
		port string
		want string
	}{
		{"nothing to find", nil, "", ""},
		{"a Service without endpoints", list{with(func(s *discoveryv1.EndpointSlice) { s.Endpoints, s.Ports = nil, nil })}, "http", ""},
		{"Pods that lack the port beside those that have it", list{web, noPorts}, "http", ""},
		{"no slice has the port", list{web}, "grpc", `port: Not found: "grpc/TCP": the slices have http/TCP`},
		{"no slice has ports", list{noPorts}, "", `port: Not found: "TCP without a name": the slices have no ports`},
		{"another family is not asked for", list{with(func(s *discoveryv1.EndpointSlice) { s.AddressType = "FQDN" })}, "grpc", ""},
		{"a nil slice", list{web, nil}, "http", "slices[1]: Required value: give a slice, not nil"},
		{"an address", list{slice("web-a", "10.0.0.256")}, "http", `default/web-a: endpoints[0].addresses[0]: Invalid value: "10.0.0.256": must be an address of the slice's type`},
		{"an address of a slice without a name", list{slice("", "10.0.0.1", "x")}, "http", `slices[0].endpoints[1].addresses[0]: Invalid value: "x": must be an address of the slice's type`},
		{"an address with a zone", list{slice("web-a", "fe80::1%eth0")}, "http", `default/web-a: endpoints[0].addresses[0]: Invalid value: "fe80::1%eth0": must be an address of the slice's type, without a zone (%), which only one node knows`},
		{"no address", list{with(func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses = nil })}, "http", "default/web-b: endpoints[0].addresses: Required value: give the endpoint an address"},
		{"an address type", list{with(func(s *discoveryv1.EndpointSlice) { s.AddressType = "ipv4" })}, "http", `default/web-b: addressType: Unsupported value: "ipv4": supported values: "IPv4", "IPv6", "FQDN"`},
		{"no address type", list{with(func(s *discoveryv1.EndpointSlice) { s.AddressType = "" })}, "http", `default/web-b: addressType: Unsupported value: "": supported values: "IPv4", "IPv6", "FQDN"`},
		{"a slice twice", list{web, slice("web-a", "10.0.0.1")}, "http", `default/web-a: slices[1]: Invalid value: "default/web-a": is in the list more than once, and only the newest is read; pass each slice once`},
		{"one object twice", list{web, web}, "http", ""},
		{"a mistake at another port", list{with(func(s *discoveryv1.EndpointSlice) {
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("dns"), Port: ptr(int32(0))})
		})}, "http", ""},
		{"more addresses, once for a slice", list{with(func(s *discoveryv1.EndpointSlice) {
			s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1", "10.0.0.2"}},
				{Addresses: []string{"10.0.0.3", "10.0.0.4"}}}
		})}, "http", "default/web-b: endpoints: Forbidden: only the first address of each endpoint is read; set Options.AllAddresses if the reader can use the others"},
		{"two Services", list{of("x-a", "default", "api", ""), web}, "http", `default/x-a: metadata: Invalid value: "default/api": other slices belong to default/web: pass the slices of one Service`},
		{"two namespaces", list{web, of("web-a", "test", "web", "")}, "http", `test/web-a: metadata: Invalid value: "test/web": other slices belong to default/web: pass the slices of one Service`},
		{"two imports", list{of("a", "default", "", "web"), of("b", "default", "", "api")}, "http", `default/b: metadata: Invalid value: "import default/api": other slices belong to import default/web: pass the slices of one Service`},
		{"imports of one Service", list{of("a", "default", "web", "web"), of("b", "default", "web", "api")}, "http", ""},
		{"a slice without a label", list{web, of("hand-made", "default", "", "")}, "http", ""},
	} {
		found, warnings := dedup.OnePort(row.list, row.port, "", dedup.Options{})
		if got := warnings.String(); got != row.want || strings.Contains(got, "metadata") && found != nil {
			t.Errorf("%s: got\n%s\nwant\n%s", row.why, got, row.want)
		}
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

// of is a slice with an address of a Service, of an import, of both or of none.
func of(name, namespace, service, imported string, addresses ...string) *discoveryv1.EndpointSlice {
	s := slice(name, addresses...)
	s.Namespace, s.Labels = namespace, map[string]string{}
	if service != "" {
		s.Labels[discoveryv1.LabelServiceName] = service
	}
	if imported != "" {
		s.Labels["multicluster.kubernetes.io/service-name"] = imported
	}
	return s
}

var slice = gen.WebSlice // of Service default/web, port http

// TestIncrementalIsRebuild compares an Index with merges and with a plain reading of the slices
// that there are (D1 to D4). After the last delete nothing is left (D6).
func TestIncrementalIsRebuild(t *testing.T) { rapid.Check(t, incrementalIsRebuild) }

func FuzzIncrementalIsRebuild(f *testing.F) { f.Fuzz(rapid.MakeFuzz(incrementalIsRebuild)) }

func incrementalIsRebuild(t *rapid.T) {
	if n := dedup.Size(rebuildIndex(t)); n != 0 {
		t.Fatalf("D6: %d things are left after the last delete", n)
	}
}

// TestSlicerAgreesAboutNewest holds readers and writers to one order of slices: of several slices
// that hold a Pod, a plan keeps it in the one that a reader takes it from.
func TestSlicerAgreesAboutNewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"},
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web-0"}}
		var list []*discoveryv1.EndpointSlice
		for _, name := range gen.SliceNames[:rapid.IntRange(2, 4).Draw(t, "slices")] {
			s := slice(name)
			s.Labels[discoveryv1.LabelManagedBy] = "test"
			s.ResourceVersion = rapid.SampledFrom([]string{"", "9", "10", "010", "x", "99999999999999999999",
				"100000000000000000000"}).Draw(t, "version")
			s.Endpoints = []discoveryv1.Endpoint{pod}
			list = append(list, s)
		}
		plan, err := slicer.Compute(slicer.Input{
			Key: slicer.Key{Namespace: "default", Name: "web", ManagedBy: "test"},
			Groups: []slicer.Group{{
				AddressType: list[0].AddressType, Ports: list[0].Ports, Endpoints: []slicer.Endpoint{{API: pod}},
			}},
		}, list)
		if err != nil {
			t.Fatal(err)
		}
		kept := map[string]bool{}
		for _, s := range list {
			kept[s.Name] = true
		}
		for _, step := range plan.Steps {
			if step.New == nil {
				delete(kept, step.Old.Name)
			}
		}
		found, _ := dedup.OnePort(list, "http", "", dedup.Options{})
		if len(kept) != 1 || len(found) != 1 || !kept[found[0].Slice] {
			t.Fatalf("the plan keeps the Pod in %v, and a reader takes it from %v", kept, found)
		}
	})
}

// TestFirstAppProtocol: of several ports with one name, protocol and number the first text counts,
// in any order.
func TestFirstAppProtocol(t *testing.T) {
	for _, texts := range [][]string{{"a", "b", ""}, {"b", "", "a"}, {"", "b", "a"}, {"a", "a", "b"}} {
		s := gen.WebSlice("web-a", "10.0.0.1")
		s.Ports = nil
		for i := range texts {
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{Port: ptr(int32(1)), AppProtocol: &texts[i]})
		}
		n := 0
		for _, e := range dedup.Merge([]*discoveryv1.EndpointSlice{s}, dedup.Options{}).All() {
			if n++; e.AppProtocol != "a" || e.Port != 1 {
				t.Errorf("of %q: %q at port %d", texts, e.AppProtocol, e.Port)
			}
		}
		if n != 1 {
			t.Errorf("%d endpoints, want 1", n)
		}
	}
}
