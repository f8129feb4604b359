package dedup_test

import (
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
)

// TestAddressesAreAllPorts: Addresses finds what Merge shows of the port AllPorts, whatever ports
// the slices have: each address once, with the same winner, in the same order (D1, D2, D4). It
// changes nothing.
func TestAddressesAreAllPorts(t *testing.T) { rapid.Check(t, addressesAreAllPorts) }

// drawAddressOptions draws options for slices of Service ns/web.
func drawAddressOptions(t *rapid.T) dedup.AddressOptions {
	of := drawOptions(t)
	o := dedup.AddressOptions{AddressTypes: of.AddressTypes, AllAddresses: of.AllAddresses}
	if rapid.Bool().Draw(t, "named") {
		o.Service = types.NamespacedName{Namespace: "ns", Name: "web"}
	}
	return o
}

func addressesAreAllPorts(t *rapid.T) {
	list := drawOfWeb(t, sliceNames[:rapid.IntRange(0, len(sliceNames)).Draw(t, "slices")])
	copies, o := copiesOf(list), drawAddressOptions(t)
	service := types.NamespacedName{Namespace: "ns", Name: "web"}
	found, problems := dedup.Addresses(rapid.Permutation(list).Draw(t, "order"), o)
	view := dedup.Merge(list, dedup.Options{AddressTypes: o.AddressTypes, AllAddresses: o.AllAddresses, AllPorts: true})
	var want []dedup.Endpoint
	for e := range view.Endpoints(dedup.ServicePort{Service: service, AllPorts: true}) {
		e.Port = 1 // as sameFound makes it
		want = append(want, e)
	}
	seen := map[string]bool{}
	for i, f := range found {
		if f.Port != 0 || seen[f.Address] {
			t.Fatalf("%s has port %d, or is there twice", f.Address, f.Port)
		}
		found[i].Port, seen[f.Address] = 1, true
	}
	sameFound(t, found, want)
	for _, p := range problems {
		switch p.Reason {
		case dedup.NoPort, dedup.NoNumber, dedup.BadNumber, dedup.MixedServices, dedup.NoService:
			t.Fatalf("%v", p)
		}
	}
	if !reflect.DeepEqual(list, copies) {
		t.Fatal("Addresses changed a slice")
	}
}

// TestMixedServices is the program that gives the slices of a namespace to a function for one
// Service: it finds nothing and says why, until it names the Service.
func TestMixedServices(t *testing.T) {
	web, admin := of("web-a", "shop", "web", "", "10.0.0.1"), of("admin-a", "shop", "admin", "", "10.0.0.2")
	elsewhere := of("web-a", "test", "web", "", "10.0.0.3")
	imported, derived := of("east", "shop", "", "web", "10.0.0.4"), of("west", "shop", "derived-x", "web", "10.0.0.5")
	both := of("north", "shop", "web", "web", "10.0.0.6")
	unlabelled := of("hand-made", "shop", "", "", "10.0.0.7")
	api := of("south", "shop", "derived-x", "api", "10.0.0.8")
	named := types.NamespacedName{Namespace: "shop", Name: "web"}
	for _, row := range []struct {
		why   string
		list  []*discoveryv1.EndpointSlice
		asked types.NamespacedName
		want  string
	}{
		{"two Services", []*discoveryv1.EndpointSlice{web, admin}, types.NamespacedName{}, "[] MixedServices"},
		{"two namespaces", []*discoveryv1.EndpointSlice{web, elsewhere}, types.NamespacedName{}, "[] MixedServices"},
		{"two imports", []*discoveryv1.EndpointSlice{imported, of("x", "shop", "", "api", "10.0.0.9")}, types.NamespacedName{}, "[] MixedServices"},
		{"a Service and an import of its name", []*discoveryv1.EndpointSlice{web, imported}, types.NamespacedName{}, "[] MixedServices"},
		{"a Service and an import of its name, and a slice of both", []*discoveryv1.EndpointSlice{both, web, imported}, types.NamespacedName{}, "[] MixedServices"},
		{"imports from two clusters", []*discoveryv1.EndpointSlice{imported, derived}, types.NamespacedName{}, "[10.0.0.4 10.0.0.5]"},
		{"two imports behind one Service", []*discoveryv1.EndpointSlice{derived, api}, types.NamespacedName{}, "[10.0.0.5 10.0.0.8]"},
		{"two imports behind one Service, and one of them", []*discoveryv1.EndpointSlice{derived, api, imported}, types.NamespacedName{}, "[10.0.0.4 10.0.0.5 10.0.0.8]"},
		{"a Service and an import that it has not", []*discoveryv1.EndpointSlice{api, imported}, types.NamespacedName{}, "[] MixedServices"},
		{"an import that is named, behind two Services", []*discoveryv1.EndpointSlice{derived, of("y", "shop", "derived-y", "web", "10.0.0.9")}, named, "[] MixedServices"},
		{"a namespace alone", []*discoveryv1.EndpointSlice{web, admin}, types.NamespacedName{Namespace: "shop"}, "[] BadOption"},
		{"a name alone", []*discoveryv1.EndpointSlice{web, elsewhere}, types.NamespacedName{Name: "web"}, "[] BadOption"},
		{"a Service with a slice of another cluster", []*discoveryv1.EndpointSlice{web, both}, types.NamespacedName{}, "[10.0.0.1 10.0.0.6]"},
		{"a slice that names no Service", []*discoveryv1.EndpointSlice{web, unlabelled}, types.NamespacedName{}, "[10.0.0.1 10.0.0.7]"},
		{"a later slice that names no Service", []*discoveryv1.EndpointSlice{web, of("z", "shop", "", "", "10.0.0.7")}, types.NamespacedName{}, "[10.0.0.1 10.0.0.7]"},
		{"one of a namespace's Services is named", []*discoveryv1.EndpointSlice{admin, web, unlabelled, elsewhere}, named, "[10.0.0.1] NoService"},
		{"imports are named", []*discoveryv1.EndpointSlice{admin, imported, derived}, named, "[10.0.0.4 10.0.0.5]"},
		{"a Service that has an import of its name", []*discoveryv1.EndpointSlice{web, imported, both}, named, "[10.0.0.1 10.0.0.6]"},
		{"no slice has the Service of the options", []*discoveryv1.EndpointSlice{admin, elsewhere}, named, "[] MixedServices"},
		{"no slice names a Service", []*discoveryv1.EndpointSlice{unlabelled}, named, "[] NoService"},
	} {
		for range row.list { // in any order
			row.list = append(row.list[1:], row.list[0])
			for door, ask := range map[string]func() ([]dedup.Found, dedup.Problems){
				"OnePort": func() ([]dedup.Found, dedup.Problems) {
					return dedup.OnePort(row.list, dedup.PortOptions{Service: row.asked, Port: "http"})
				},
				"Addresses": func() ([]dedup.Found, dedup.Problems) {
					return dedup.Addresses(row.list, dedup.AddressOptions{Service: row.asked})
				},
			} {
				found, problems := ask()
				list := make([]string, len(found))
				for i, f := range found {
					list[i] = f.Address
				}
				got := fmt.Sprint(list)
				for _, p := range problems {
					got += " " + string(p.Reason)
				}
				if got != row.want {
					t.Errorf("%s of %s: got %s, want %s: %v", door, row.why, got, row.want, problems)
				}
			}
		}
	}
	var many []*discoveryv1.EndpointSlice
	for i := range 200 { // each Service twice
		many = append(many, of(fmt.Sprint("s", i), "shop", fmt.Sprint("s", 100+i/2), "", "10.0.0.8"))
	}
	_, problems := dedup.OnePort(many, dedup.PortOptions{Service: named, Port: "http"})
	const none = `options.service: Not found: "shop/web": the slices belong to shop/s100, shop/s101, shop/s102, shop/s103, shop/s104 and 95 more`
	if problems.String() != none {
		t.Errorf("of a hundred other Services: %v", problems)
	}
	_, problems = dedup.OnePort([]*discoveryv1.EndpointSlice{web, admin},
		dedup.PortOptions{Port: "http", Protocol: corev1.ProtocolTCP})
	const want = `shop/web-a: metadata: Invalid value: "shop/web": other slices belong to shop/admin: pass the slices of one Service, or set options.service`
	if problems.String() != want {
		t.Errorf("got %v", problems)
	}
}

// TestTargets has two Pods on the network of one node, and other reasons for which an address is
// there twice.
func TestTargets(t *testing.T) {
	entry := func(address, pod, uid, hostname string, ready bool) discoveryv1.Endpoint {
		e := discoveryv1.Endpoint{Addresses: []string{address},
			Conditions: discoveryv1.EndpointConditions{Ready: &ready}}
		if hostname != "" {
			e.Hostname = &hostname
		}
		if pod != "" {
			e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod, UID: types.UID(uid)}
		}
		return e
	}
	unnamed := func(uid, hostname string, ready bool) discoveryv1.Endpoint {
		e := entry("10.0.0.1", "?", uid, hostname, ready)
		e.TargetRef.Name = ""
		return e
	}
	of := func(name, version string, entries ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
		s := slice(name)
		s.ResourceVersion, s.Endpoints = version, entries
		return s
	}
	for _, row := range []struct {
		why, want string
		list      []*discoveryv1.EndpointSlice
	}{
		{"two Pods on the network of their node, in the order of names",
			"10.0.0.1 db-0 true, 10.0.0.1 db-1 false, 10.0.0.2 db-2 true", []*discoveryv1.EndpointSlice{
				of("a", "1", entry("10.0.0.1", "db-1", "u1", "", false), entry("10.0.0.2", "db-2", "u2", "", true)),
				of("b", "2", entry("10.0.0.1", "db-0", "u9", "", true)),
			}},
		{"one Pod on its way from slice to slice: the newest", "10.0.0.1 db-0 false", []*discoveryv1.EndpointSlice{
			of("a", "2", entry("10.0.0.1", "db-0", "u0", "db-0", false)), of("b", "1", entry("10.0.0.1", "db-0", "u0", "", true)),
		}},
		{"a new Pod of the name is another target", "10.0.0.1 db-0 false, 10.0.0.1 db-0 true",
			[]*discoveryv1.EndpointSlice{
				of("a", "2", entry("10.0.0.1", "db-0", "u0", "", false), entry("10.0.0.1", "db-0", "u1", "", true)),
			}},
		{"one target by its UID, without a name, whatever the hostnames", "10.0.0.1  false",
			[]*discoveryv1.EndpointSlice{
				of("a", "2", unnamed("u0", "x", false)), of("b", "1", unnamed("u0", "y", true)),
			}},
		{"hostnames without targets", "10.0.0.1 - true, 10.0.0.1 x true, 10.0.0.1 y false",
			[]*discoveryv1.EndpointSlice{
				of("a", "2", entry("10.0.0.1", "", "", "y", false), entry("10.0.0.1", "", "", "x", true)),
				of("b", "3", entry("10.0.0.1", "", "", "x", false), entry("10.0.0.1", "", "", "", true)),
			}},
	} {
		for range 2 {
			found, problems := dedup.Targets(row.list, dedup.AddressOptions{})
			var texts []string
			for _, f := range found {
				name := "-"
				if f.Endpoint.Hostname != nil {
					name = *f.Endpoint.Hostname
				}
				if f.Endpoint.TargetRef != nil {
					name = f.Endpoint.TargetRef.Name
				}
				texts = append(texts, fmt.Sprint(f.Address, " ", name, " ", f.State().Ready))
			}
			if got := strings.Join(texts, ", "); got != row.want || problems != nil {
				t.Errorf("%s: got %s, want %s: %v", row.why, got, row.want, problems)
			}
			slices.Reverse(row.list)
		}
	}
}

// TestTargetsAreAddresses: Targets finds the addresses that Addresses finds. For each address it
// finds each target that a slice has there, once, and for each target the endpoint that Addresses
// finds in the slices without the other targets.
func TestTargetsAreAddresses(t *testing.T) { rapid.Check(t, targetsAreAddresses) }

func targetsAreAddresses(t *rapid.T) {
	list := rapid.Custom(func(t *rapid.T) []*discoveryv1.EndpointSlice { // a failure prints the endpoints alone
		return drawOfWeb(t, sliceNames[:rapid.IntRange(0, len(sliceNames)).Draw(t, "slices")])
	}).Draw(t, "slices")
	o := dedup.AddressOptions{AllAddresses: rapid.Bool().Draw(t, "all addresses")}
	type target struct{ uid, kind, namespace, name, hostname string }
	targetOf := func(e *discoveryv1.Endpoint) (is target) {
		if r := e.TargetRef; r != nil && r.UID != "" {
			return target{uid: string(r.UID)}
		} else if r != nil {
			is = target{kind: r.Kind, namespace: r.Namespace, name: r.Name}
		}
		if is.name == "" && e.Hostname != nil {
			is.hostname = *e.Hostname
		}
		return is
	}
	var want []string
	targets := map[target]bool{}
	for _, s := range list {
		for i := range s.Endpoints {
			targets[targetOf(&s.Endpoints[i])] = true
		}
	}
	text := func(f dedup.Found) string {
		return fmt.Sprintf("%s %v %v %s", f.Address, targetOf(f.Endpoint), f.State(), f.Slice.Name)
	}
	for one := range targets {
		own := copiesOf(list)
		for _, s := range own {
			s.Endpoints = slices.DeleteFunc(s.Endpoints, func(e discoveryv1.Endpoint) bool {
				return targetOf(&e) != one
			})
		}
		found, _ := dedup.Addresses(own, o)
		for _, f := range found {
			want = append(want, text(f))
		}
	}
	found, problems := dedup.Targets(rapid.Permutation(list).Draw(t, "order"), o)
	addresses, others := dedup.Addresses(list, o)
	if problems.String() != others.String() {
		t.Fatalf("problems %v, of Addresses %v", problems, others)
	}
	var got, distinct, all []string
	for _, f := range found {
		got = append(got, text(f))
		distinct = append(distinct, f.Address)
	}
	for _, f := range addresses {
		all = append(all, f.Address)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		var entries []string
		for _, s := range list {
			for i := range s.Endpoints {
				e := &s.Endpoints[i]
				entries = append(entries, fmt.Sprint(s.Name, " ", e.Addresses, " ", targetOf(e)))
			}
		}
		t.Fatalf("got\n%s\nwant\n%s\nthe slices have\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"),
			strings.Join(entries, "\n"))
	}
	if distinct = slices.Compact(distinct); !slices.Equal(distinct, all) {
		t.Fatalf("addresses %v, want %v", distinct, all)
	}
}
