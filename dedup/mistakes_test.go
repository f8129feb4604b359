package dedup_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
)

// call is one call with options, of which some may be mistakes.
type call struct {
	dedup.PortOptions
	index dedup.Options
	list  []*discoveryv1.EndpointSlice
}

// mistake is a change to a call that makes it wrong.
type mistake struct {
	field string
	calls string // those that have the option
	make  func(*call)
}

// mistakes are changes to a call that make it wrong, by the field that the answer must name.
var mistakes = []mistake{
	{"options.service.name", "OnePort Addresses Targets", func(c *call) { c.Service.Name, c.Service.Namespace = "", "default" }},
	{"options.service.namespace", "OnePort Addresses Targets", func(c *call) { c.Service.Name, c.Service.Namespace = "web", "" }},
	{"options.service", "OnePort Addresses Targets", func(c *call) { c.Service = types.NamespacedName{Namespace: "default", Name: "wbe"} }},
	{"options.protocol", "OnePort", func(c *call) { c.Protocol = "tcp" }},
	{"options.port", "OnePort", func(c *call) { c.Port = "htpp" }},
	{"options.port", "OnePort", func(c *call) { c.Port, c.OtherPorts = "8080", []string{"", "HTTP"} }},
	{"options.else", "OnePort", func(c *call) {
		c.Port = "none"
		c.Else = func(*discoveryv1.EndpointSlice, dedup.PortMatch) int32 { return 70000 }
	}},
	{"options.addressTypes[0]", "OnePort Addresses Targets NewIndex Merge", func(c *call) {
		c.PortOptions.AddressTypes = []discoveryv1.AddressType{"ipv4"}
		c.index.AddressTypes = []discoveryv1.AddressType{"ipv4"}
	}},
	{"options.addressTypes[1]", "OnePort Addresses Targets NewIndex Merge", func(c *call) {
		c.PortOptions.AddressTypes, c.index.AddressTypes = []discoveryv1.AddressType{"IPv4",
			""}, []discoveryv1.AddressType{"IPv6", "DNS"}
	}},
	{"options.labels[0]", "NewIndex Merge", func(c *call) { c.index.Labels = []string{"a key"} }},
	{"options.labels[1]", "NewIndex Merge", func(c *call) { c.index.Labels = []string{"region", ""} }},
	{"metadata", "Merge", func(c *call) { c.index.Service = dedup.ByLabel("misspelt") }},
	{"metadata", "OnePort Addresses Targets", func(c *call) { c.list = append(c.list, of("other", "default", "api", "")) }},
	{"metadata.labels[kubernetes.io/service-name]", "Merge", func(c *call) { c.list = append(c.list, of("none", "default", "", "")) }},
	{"slices[0]", "OnePort Addresses Targets Merge", func(c *call) { c.list = slices.Insert(c.list, 0, nil) }},
}

// TestMistakesAreReported makes one or two mistakes in a call: the answer is an error or a Problem
// that names the field of one of them, and says what to do. Nothing is silent, and nothing panics.
func TestMistakesAreReported(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		door := rapid.SampledFrom([]string{"OnePort", "Addresses", "Targets", "NewIndex", "Merge"}).Draw(t, "call")
		c := call{list: []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1")}}
		if door == "OnePort" {
			c.Port = "http"
		}
		var fields []string
		for range rapid.IntRange(1, 2).Draw(t, "mistakes") {
			has := func(m mistake) bool { return slices.Contains(strings.Fields(m.calls), door) }
			m := rapid.SampledFrom(mistakes).Filter(has).Draw(t, "mistake")
			m.make(&c)
			fields = append(fields, m.field)
		}
		var faults []error
		switch door {
		case "OnePort":
			_, problems := dedup.OnePort(c.list, c.PortOptions)
			faults = errorsOf(problems)
		case "Addresses":
			_, problems := dedup.Addresses(c.list,
				dedup.AddressOptions{Service: c.Service, AddressTypes: c.PortOptions.AddressTypes})
			faults = errorsOf(problems)
		case "Targets":
			_, problems := dedup.Targets(c.list,
				dedup.AddressOptions{Service: c.Service, AddressTypes: c.PortOptions.AddressTypes})
			faults = errorsOf(problems)
		case "NewIndex":
			ix, err := dedup.NewIndex(c.index)
			if ix != nil {
				t.Fatal("an index with mistakes in its options")
			}
			if joined, ok := err.(interface{ Unwrap() []error }); ok {
				faults = joined.Unwrap()
			}
		case "Merge":
			view := dedup.Merge(c.list, c.index)
			if faults = errorsOf(view.Problems()); len(faults) > 0 && view.Problems()[0].Reason == dedup.BadOption &&
				view.Has(webHTTP.Service) {
				t.Fatal("mistakes in the options, and Merge shows something")
			}
		}
		named := false
		for _, err := range faults {
			var fault *field.Error
			if !errors.As(err, &fault) || fault.Detail == "" {
				t.Fatalf("%v does not say what to do", err)
			}
			named = named || slices.Contains(fields, fault.Field)
		}
		if !named {
			t.Fatalf("%s with mistakes in %v says %v", door, fields, faults)
		}
	})
}

func errorsOf(problems dedup.Problems) (all []error) {
	for _, p := range problems {
		all = append(all, p.Err)
	}
	return all
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

// TestOtherPorts: of several names the first one with a number counts in each slice, and only
// a Service without any of them has a problem.
func TestOtherPorts(t *testing.T) {
	for _, row := range []struct {
		why, asked, ports, want string
	}{
		{"the first name", "http h2c", "h2c:80,http:81", "81"},
		{"another name", "http web h2c", "metrics:80,h2c:81", "81"},
		{"the first other name, not the first port", "http web h2c", "h2c:80,web:81", "81"},
		{"a number before none", "http h2c", "http:*,h2c:81", "81"},
		{"no number", "http h2c web", "h2c:*,metrics:81,web:*", `NoNumber default/web-a: ports: Required value: set the port's number; a port without one means all ports, and is skipped`},
		{"none of them", "http h2c", "metrics:80", `NoPort options.port: Not found: "http, h2c/TCP": the slices have metrics/TCP`},
	} {
		asked := strings.Fields(row.asked)
		found, problems := dedup.OnePort(withPorts(t, row.ports),
			dedup.PortOptions{Port: asked[0], OtherPorts: asked[1:]})
		got := ""
		for _, f := range found {
			got += fmt.Sprint(f.Port)
		}
		for _, p := range problems {
			got += string(p.Reason) + " " + p.String()
		}
		if got != row.want {
			t.Errorf("%s: got %s, want %s", row.why, got, row.want)
		}
	}
}

// TestValidInputHasNoProblem: what Kubernetes and other writers publish in good order is no
// Problem, whether or not it is read.
func TestValidInputHasNoProblem(t *testing.T) {
	noPorts := slice("web-n", "10.0.0.2")
	noPorts.Ports = nil // of a headless Service, or of Pods that do not have a named port
	keyed, unlabelled := of("web-k", "default", "", ""), of("web-u", "default", "", "")
	keyed.Labels = map[string]string{"second.example.com/service": "web",
		discoveryv1.LabelManagedBy: "slices.example.com"}
	unlabelled.Labels = map[string]string{discoveryv1.LabelManagedBy: "slices.example.com"}
	web := slice("web-a", "10.0.0.1")
	imported := of("web-i", "default", "", "web", "10.0.0.3")
	named := types.NamespacedName{Namespace: "default", Name: "web"}
	for _, row := range []struct {
		why  string
		list []*discoveryv1.EndpointSlice
		want string // the reasons of problems
	}{
		{"a slice without ports", []*discoveryv1.EndpointSlice{web, noPorts}, ""},
		{"an import", []*discoveryv1.EndpointSlice{web, imported}, ""},
		{"a slice with another Key", []*discoveryv1.EndpointSlice{web, keyed}, ""},
		{"a slice with no label that says whose it is", []*discoveryv1.EndpointSlice{web, unlabelled}, " NoService"},
	} {
		_, one := dedup.OnePort(row.list, dedup.PortOptions{Service: named, Port: "http"})
		for call, problems := range map[string]dedup.Problems{
			"Merge": dedup.Merge(row.list, dedup.Options{}).Problems(), "OnePort": one,
			"Merge with Proxied": dedup.Merge(row.list, dedup.Options{Service: dedup.Proxied}).Problems(),
		} {
			got := ""
			for _, p := range problems {
				got += " " + string(p.Reason)
			}
			if got != row.want {
				t.Errorf("%s: %s: problems%s, want%s: %v", row.why, call, got, row.want, problems)
			}
		}
	}
	view := dedup.Merge([]*discoveryv1.EndpointSlice{imported, keyed}, dedup.Options{})
	for service := range view.Services() {
		t.Errorf("%v is known", service)
	}
	if !dedup.Merge([]*discoveryv1.EndpointSlice{noPorts}, dedup.Options{}).Has(webHTTP.Service) {
		t.Error("the Service of a slice without ports is not known")
	}
}

// TestNilIndex: a nil Index, as NewIndex returns it with an error, says what to do, and does not
// panic.
func TestNilIndex(t *testing.T) {
	ix, err := dedup.NewIndex(dedup.Options{AddressTypes: []discoveryv1.AddressType{"ipv4"}})
	if ix != nil || err == nil {
		t.Fatalf("got %v, %v", ix, err)
	}
	const want = "index: Required value: the Index is nil: use the Index of NewIndex only if its error is nil"
	ix.Replace([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1")})
	ix.Delete("default", "web-a")
	if !ix.Upsert(slice("web-a", "10.0.0.1")) || !ix.Handle(nil, slice("web-a", "10.0.0.1")) {
		t.Error("a caller is told that no Flush is needed")
	}
	for range 2 {
		changes, problems := ix.Flush()
		if problems.String() != want || len(changes.Ports) > 0 {
			t.Errorf("Flush: %v, %v", changes, problems)
		}
	}
	if view := ix.View(); view.Problems().String() != want || view.Has(webHTTP.Service) {
		t.Errorf("View: %v", view.Problems())
	}
}

// TestAllPortsIsNoName: no name that a client can ask for is ServicePort.AllPorts, and a port that
// has an odd name is a port.
func TestAllPortsIsNoName(t *testing.T) {
	odd := slice("web-a", "10.0.0.1")
	odd.Ports = append(odd.Ports, discoveryv1.EndpointPort{Name: ptr("*"), Port: ptr(int32(53))},
		discoveryv1.EndpointPort{Name: ptr("any")})
	view := dedup.Merge([]*discoveryv1.EndpointSlice{odd}, dedup.Options{AllPorts: true})
	for _, row := range []struct {
		port dedup.ServicePort
		want string
	}{
		{dedup.ServicePort{Port: "*"}, "[10.0.0.1:53]"},
		{dedup.ServicePort{Port: ""}, "[]"},
		{dedup.ServicePort{Port: "", Protocol: "*"}, "[]"},
		{dedup.ServicePort{Port: "any"}, "[]"}, // without a number
		{dedup.ServicePort{AllPorts: true}, "[10.0.0.1:*]"},
		{dedup.ServicePort{Port: "*", AllPorts: true}, "[10.0.0.1:*]"},
	} {
		row.port.Service = webHTTP.Service
		list := slices.Collect(view.Endpoints(row.port))
		if got := fmt.Sprint(list); got != row.want {
			t.Errorf("%v: %s, want %s", row.port, got, row.want)
		}
	}
	ports := slices.Collect(view.Ports(webHTTP.Service))
	if got := fmt.Sprint(ports); got != "[default/web:* default/web:*/TCP default/web:http/TCP]" {
		t.Errorf("ports %s", got)
	}
	if !slices.IsSortedFunc(ports, dedup.ServicePort.Compare) {
		t.Error("the ports are not in their order")
	}
	const want = "default/web-a: ports[2].port: Required value: set the port's number, or KeepAnyPort; " +
		"the endpoints of a port without one are only behind AllPorts"
	if got := view.Problems().String(); got != want {
		t.Errorf("problems %s", got)
	}
}

func TestPointers(t *testing.T) {
	list := []int{7, 8}
	if got := dedup.Pointers(list); len(got) != 2 || got[0] != &list[0] || got[1] != &list[1] {
		t.Errorf("got %v", got)
	}
	if got := dedup.Pointers[int](nil); got == nil || len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
