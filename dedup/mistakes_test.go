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
	{"options.service.name", "OnePort Addresses", func(c *call) { c.Service.Name, c.Service.Namespace = "", "default" }},
	{"options.service.namespace", "OnePort Addresses", func(c *call) { c.Service.Name, c.Service.Namespace = "web", "" }},
	{"options.service", "OnePort Addresses", func(c *call) { c.Service = types.NamespacedName{Namespace: "default", Name: "wbe"} }},
	{"options.protocol", "OnePort", func(c *call) { c.Protocol = "tcp" }},
	{"options.protocol", "Addresses", func(c *call) { c.Protocol = "TCP" }},
	{"options.port", "OnePort", func(c *call) { c.Port = "htpp" }},
	{"options.port", "OnePort", func(c *call) { c.Port, c.OtherPorts = "8080", []string{"", "HTTP"} }},
	{"options.port", "Addresses", func(c *call) { c.Port = "http" }},
	{"options.otherPorts", "Addresses", func(c *call) { c.OtherPorts = []string{"http"} }},
	{"options.else", "Addresses", func(c *call) { c.Else = func(*discoveryv1.EndpointSlice, dedup.PortMatch) int32 { return 80 } }},
	{"options.else", "OnePort", func(c *call) {
		c.Port = "none"
		c.Else = func(*discoveryv1.EndpointSlice, dedup.PortMatch) int32 { return 70000 }
	}},
	{"options.addressTypes[0]", "OnePort Addresses NewIndex Merge", func(c *call) {
		c.PortOptions.AddressTypes, c.index.AddressTypes = []discoveryv1.AddressType{"ipv4"}, []discoveryv1.AddressType{"ipv4"}
	}},
	{"options.addressTypes[1]", "OnePort Addresses NewIndex Merge", func(c *call) {
		c.PortOptions.AddressTypes, c.index.AddressTypes = []discoveryv1.AddressType{"IPv4", ""}, []discoveryv1.AddressType{"IPv6", "DNS"}
	}},
	{"options.labels[0]", "NewIndex Merge", func(c *call) { c.index.Labels = []string{"a key"} }},
	{"options.labels[1]", "NewIndex Merge", func(c *call) { c.index.Labels = []string{"region", ""} }},
	{"metadata", "Merge", func(c *call) { c.index.Service = dedup.ByLabel("misspelt") }},
	{"metadata", "OnePort Addresses", func(c *call) { c.list = append(c.list, of("other", "default", "api", "")) }},
	{"metadata.labels[kubernetes.io/service-name]", "Merge", func(c *call) { c.list = append(c.list, of("none", "default", "", "")) }},
	{"slices[0]", "OnePort Addresses Merge", func(c *call) { c.list = slices.Insert(c.list, 0, nil) }},
	{"ports", "Merge", func(c *call) {
		headless := slice("web-h", "10.0.0.2")
		headless.Ports = nil
		c.list = append(c.list, headless)
	}},
}

// TestMistakesAreNamed makes one or two mistakes in a call: the answer is an error or a Problem that names the field of one of them,
// and says what to do. Nothing is silent, and nothing panics.
func TestMistakesAreNamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		door := rapid.SampledFrom([]string{"OnePort", "Addresses", "NewIndex", "Merge"}).Draw(t, "call")
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
		var err error
		switch door {
		case "OnePort":
			_, problems := dedup.OnePort(c.list, c.PortOptions)
			err = problems.Err()
		case "Addresses":
			_, problems := dedup.Addresses(c.list, c.PortOptions)
			err = problems.Err()
		case "NewIndex":
			var ix *dedup.Index
			if ix, err = dedup.NewIndex(c.index); ix != nil {
				t.Fatal("an index with mistakes in its options")
			}
		case "Merge":
			view := dedup.Merge(c.list, c.index)
			if err = view.Problems().Err(); view.Problems()[0].Reason == dedup.BadOption && view.Has(webHTTP.Service) {
				t.Fatal("mistakes in the options, and Merge shows something")
			}
		}
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok {
			t.Fatalf("%s with mistakes in %v: %v", door, fields, err)
		}
		named := false
		for _, err := range joined.Unwrap() {
			var fault *field.Error
			if !errors.As(err, &fault) || fault.Detail == "" {
				t.Fatalf("%v does not say what to do", err)
			}
			named = named || slices.Contains(fields, fault.Field)
		}
		if !named {
			t.Fatalf("%s with mistakes in %v says %v", door, fields, err)
		}
	})
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

// TestAnyOfThesePorts: of several names the first one with a number counts in each slice, and only a Service without any of them
// has a problem.
func TestAnyOfThesePorts(t *testing.T) {
	for _, row := range []struct {
		why, asked, ports, want string
	}{
		{"the first name", "http h2c", "h2c:80,http:81", "81"},
		{"another name", "http web h2c", "metrics:80,h2c:81", "81"},
		{"the first other name, not the first port", "http web h2c", "h2c:80,web:81", "81"},
		{"a number before none", "http h2c", "http:*,h2c:81", "81"},
		{"no number", "http h2c web", "h2c:*,metrics:81,web:*", `NoNumber default/web-a: ports: Required value: a port without a number means all ports, which this reader drops`},
		{"none of them", "http h2c", "metrics:80", `NoPort options.port: Not found: "http, h2c/TCP": the slices have metrics/TCP`},
	} {
		asked := strings.Fields(row.asked)
		found, problems := dedup.OnePort(withPorts(t, row.ports), dedup.PortOptions{Port: asked[0], OtherPorts: asked[1:]})
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
