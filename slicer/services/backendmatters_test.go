package services_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// backendEdit is a change of a Backend.
type backendEdit struct {
	what string
	edit func(*services.Backend)
}

// idleOfBackends are changes of a Backend that no plan shows.
var idleOfBackends = []backendEdit{
	{"resourceVersion of the target", func(b *services.Backend) { b.TargetRef.ResourceVersion += "8" }},
	{"name, beside a target", func(b *services.Backend) {
		if b.TargetRef.Name != "" {
			b.Name = "other"
		}
	}},
	{"another spelling", func(b *services.Backend) {
		for i, ip := range b.Addresses {
			if ip == "fd00::99" {
				b.Addresses[i] = "FD00:0:0::99"
			}
		}
	}},
	{"another time zone", func(b *services.Backend) { b.Changed = b.Changed.In(time.FixedZone("", 3600)) }},
	{"order of declared ports", func(b *services.Backend) {
		if len(b.Ports) == 2 && b.Ports[0].Name != b.Ports[1].Name {
			slices.Reverse(b.Ports)
		}
	}},
	{"TCP by default", func(b *services.Backend) {
		for i := range b.Ports {
			if b.Ports[i].Protocol == "" {
				b.Ports[i].Protocol = corev1.ProtocolTCP
			}
		}
	}},
	{"a protocol that no Service has", func(b *services.Backend) {
		b.Ports = append([]services.BackendPort{{Name: "http", Protocol: "QUIC", Port: 1}}, b.Ports...)
	}},
	{"a declared port twice", func(b *services.Backend) { b.Ports = append(b.Ports, b.Ports...) }},
	{"no declared ports, not nil", func(b *services.Backend) {
		if b.Ports == nil && b.PortNumbers == nil {
			b.Ports, b.PortNumbers = []services.BackendPort{}, map[string]int32{}
		}
	}},
	{"subdomain without hostname", func(b *services.Backend) {
		if b.Hostname == "" {
			b.Subdomain += "x"
		}
	}},
	{"all but the addresses, without any", func(b *services.Backend) {
		if len(b.Addresses) == 0 {
			b.Ready, b.Node, b.Zone, b.Changed, b.Hostname = !b.Ready, "node-9", "zone-9", time.Unix(9, 0), "h9"
			b.Ports, b.PortNumbers = nil, map[string]int32{"p0": 1}
		}
	}},
	{"the state of what has no IP", func(b *services.Backend) {
		if len(b.Addresses) == 1 && b.Addresses[0] == "no-ip" {
			b.Ready, b.Node, b.Zone, b.Changed, b.Hostname = !b.Ready, "node-9", "zone-9", time.Unix(9, 0), "h9"
		}
	}},
}

// editsOfBackends are changes of a Backend that some plan shows, if the Service and the options are
// such.
var editsOfBackends = []backendEdit{
	{"name", func(b *services.Backend) { b.Name = "other" }},
	{"target", func(b *services.Backend) { b.TargetRef.Name = "other" }},
	{"no target", func(b *services.Backend) { b.TargetRef = corev1.ObjectReference{ResourceVersion: "7"} }},
	{"no address", func(b *services.Backend) { b.Addresses = nil }},
	{"another address", func(b *services.Backend) { b.Addresses = append(b.Addresses, "10.0.0.77") }},
	{"another IPv6 address", func(b *services.Backend) { b.Addresses = append(b.Addresses, "fd00::77") }},
	{"another address first", func(b *services.Backend) { b.Addresses = append([]string{"10.0.0.77"}, b.Addresses...) }},
	{"an address twice", func(b *services.Backend) { b.Addresses = append(b.Addresses, b.Addresses...) }},
	{"order of addresses", func(b *services.Backend) { slices.Reverse(b.Addresses) }},
	{"rotated addresses", func(b *services.Backend) {
		if n := len(b.Addresses); n > 1 {
			b.Addresses = append(b.Addresses[1:n:n], b.Addresses[0])
		}
	}},
	{"loopback", func(b *services.Backend) { b.Addresses = append(b.Addresses, "127.0.0.1") }},
	{"no IP", func(b *services.Backend) { b.Addresses = append(b.Addresses, "other-no-ip") }},
	{"no IP alone", func(b *services.Backend) { b.Addresses = []string{"no-ip"} }},
	{"loopback alone", func(b *services.Backend) { b.Addresses = []string{"127.0.0.1"} }},
	{"readiness", func(b *services.Backend) { b.Ready = !b.Ready }},
	{"deletion", func(b *services.Backend) { b.Terminating = !b.Terminating }},
	{"changed", func(b *services.Backend) { b.Changed = time.Date(2026, 11, 3, b.Changed.Hour(), 0, 0, 0, time.UTC) }},
	{"Node", func(b *services.Backend) { b.Node += "-c" }},
	{"zone", func(b *services.Backend) { b.Zone += "-c" }},
	{"hostname", func(b *services.Backend) { b.Hostname += "h" }},
	{"subdomain", func(b *services.Backend) { b.Subdomain = "db" }},
	{"declared port", func(b *services.Backend) {
		b.Ports = append([]services.BackendPort{{Name: "http", Port: 7070}}, b.Ports...)
	}},
	{"declared port that is none", func(b *services.Backend) {
		b.Ports = append([]services.BackendPort{{Name: "http", Port: 0}}, b.Ports...)
	}},
	{"order of declared ports of one name", func(b *services.Backend) {
		b.Ports = append(b.Ports, services.BackendPort{Name: "dns", Port: 54},
			services.BackendPort{Name: "dns", Port: 55})
		slices.Reverse(b.Ports)
	}},
	{"name of a declared port", func(b *services.Backend) {
		for i := range b.Ports {
			b.Ports[i].Name = "dns"
		}
	}},
	{"port number", func(b *services.Backend) { b.PortNumbers = map[string]int32{"p0": 7070} }},
	{"port number of no port", func(b *services.Backend) { b.PortNumbers = map[string]int32{"p9": 7070} }},
}

// aPanel returns Services of which each looks at something else of a Backend.
func aPanel() []*corev1.Service {
	dual, tcp, udp := withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol), corev1.ProtocolTCP, corev1.ProtocolUDP
	port := func(name string, protocol corev1.Protocol, target intstr.IntOrString) corev1.ServicePort {
		return corev1.ServicePort{Name: name, Protocol: protocol, Port: 80, TargetPort: target}
	}
	// else that is the trigger time of new slices
	uncreated := func(s *corev1.Service) { s.CreationTimestamp = metav1.Time{} }
	return []*corev1.Service{
		aService(dual, withPorts(port("p0", tcp, named("http")), port("p2", tcp, intstr.FromInt32(8080)))),
		aService(dual, withPorts(port("p3", tcp, named("http")))),
		aService(dual, headless, uncreated, withPorts(), func(s *corev1.Service) { s.Name = "db" }),
		aService(dual, withPorts(port("p1", udp, named("dns")))),
		aService(dual, publishingNotReady, withPorts(port("p9", tcp, named("dns")))),
		aService(dual, uncreated, withPorts(port("p3", tcp, named("dns")))),
		aService(dual, withPorts(port("p4", udp, named("http")))),
		aService(dual, withPorts(port("p4", tcp, intstr.FromInt32(8080)), port("p5", udp, intstr.FromInt32(8080)),
			port("p6", tcp, intstr.FromInt32(8081)), port("p7", udp, intstr.FromInt32(8081)),
			port("p8", tcp, intstr.FromInt32(7070)))),
	}
}

// panel is what PlanBackends is given for several Services.
type panel struct {
	services []*corev1.Service
	backends []services.Backend
	existing []*discoveryv1.EndpointSlice
	options  services.Options
}

// plans are what PlanBackends returns for each Service, of all Backends and of the i-th alone.
func (p *panel) plans(i int) (all []slicer.Plan, errs []string) {
	for _, svc := range p.services {
		plan, err := services.PlanBackends(svc, p.backends, p.existing, p.options)
		alone, aloneErr := services.PlanBackends(svc, p.backends[i:i+1], nil, p.options)
		all, errs = append(all, plan, alone), append(errs, fmt.Sprint(err), fmt.Sprint(aloneErr))
	}
	return all, errs
}

// textsOf are all that plans say.
func textsOf(plans []slicer.Plan) (all []string) {
	for _, plan := range plans {
		all = append(append(all, check.Text(plan)...), fmt.Sprint(plan))
	}
	return all
}

// drawPanel draws Backends, half of which the first Service publishes already.
func drawPanel(t *rapid.T) *panel {
	p := &panel{services: aPanel(), options: services.Options{
		ManagedBy: manager, Slices: gen.Options(t), Hints: gen.HintConfig(t), PerFamily: gen.PerFamily(t),
		SkipUnresolved:    rapid.Bool().Draw(t, "skipUnresolved"),
		DeclaredPortsOnly: rapid.Bool().Draw(t, "declaredPortsOnly"),
		AddressTypes: rapid.SampledFrom([][]discoveryv1.AddressType{nil, nil, {"IPv4"}, {"IPv6"},
			{"IPv6", "IPv4"}}).Draw(t, "types"),
	}}
	for i := range rapid.IntRange(1, 4).Draw(t, "backends") {
		p.backends = append(p.backends, gen.Backend(t, i+1))
	}
	if plan, err := services.PlanBackends(p.services[0], p.backends[:(len(p.backends)+1)/2], nil,
		p.options); err == nil {
		p.existing = plan.After()
	}
	return p
}

// TestBackendMattersOfRefusedList: an address that the API server refuses keeps all JoinedAddresses
// from being published, so the zone of the Backend does not matter.
func TestBackendMattersOfRefusedList(t *testing.T) {
	for address, want := range map[string]bool{"10.0.0.2": true, "127.0.0.1": false} {
		old := services.Backend{Name: "a", Addresses: []string{"10.0.0.1", address}, Zone: "a"}
		changed := old
		changed.Zone = "b"
		o := services.Options{ManagedBy: manager, PerFamily: services.JoinedAddresses}
		if got := services.BackendMatters(&old, &changed, o); got != want {
			t.Errorf("with %s: BackendMatters returns %v", address, got)
		}
	}
}

// TestBackendMattersOfFirstAddress: the address that is published matters if one that is refused
// comes before it, and an address behind it does not.
func TestBackendMattersOfFirstAddress(t *testing.T) {
	old := services.Backend{Name: "a", Addresses: []string{"127.0.0.1", "10.0.0.1", "10.0.0.2"}}
	o := services.Options{ManagedBy: manager, PerFamily: services.FirstAddress}
	for i, want := range []bool{false, true, false} {
		changed := gen.Copy(old)
		changed.Addresses[i] = []string{"127.0.0.2", "10.0.0.3", "10.0.0.4"}[i]
		if got := services.BackendMatters(&old, &changed, o); got != want {
			t.Errorf("address %d: BackendMatters returns %v", i, got)
		}
	}
}

// TestBackendMatters: if BackendMatters says no, plans with the old and the new Backend are equal
// for Services of all kinds. It says so of at least 95% of the pairs whose plans are equal, and of
// all changes that no plan shows.
func TestBackendMatters(t *testing.T) {
	var seen pairs
	edits := slices.Concat(idleOfBackends, editsOfBackends)
	rapid.Check(t, func(t *rapid.T) {
		p := drawPanel(t)
		i := rapid.IntRange(0, len(p.backends)-1).Draw(t, "Backend")
		old := gen.Copy(p.backends[i])
		rapid.SampledFrom(edits).Draw(t, "earlier").edit(&old)
		others := rapid.SliceOfN(rapid.SampledFrom(idleOfBackends), 0, 2).Draw(t, "others")
		p.backends[i] = old
		before, errs := p.plans(i)
		first := rapid.IntRange(0, len(edits)-1).Draw(t, "first edit")
		for k := range 4 {
			n := (first + k*len(edits)/4) % len(edits)
			changed := gen.Copy(old)
			for _, e := range append([]backendEdit{edits[n]}, others...) {
				e.edit(&changed)
			}
			if reflect.DeepEqual(old, changed) {
				continue
			}
			given := jsonText(old, changed)
			matters := services.BackendMatters(&old, &changed, p.options)
			if matters != services.BackendMatters(&changed, &old, p.options) || given != jsonText(old, changed) {
				t.Fatalf("%s: the answer depends on the order, or a Backend was changed", edits[n].what)
			}
			if matters && n < len(idleOfBackends) {
				t.Fatalf("%s matters:\n%+v\n%+v", edits[n].what, old, changed)
			}
			p.backends[i] = changed
			after, afterErrs := p.plans(i)
			equal := slices.Equal(errs, afterErrs) &&
				(reflect.DeepEqual(before, after) || slices.Equal(textsOf(before), textsOf(after)))
			if !equal && !matters {
				t.Fatalf("%s: BackendMatters is false, and the plans differ:\n%+v\n%+v\n%s", edits[n].what, old,
					changed,
					cmp.Diff(errs, afterErrs)+cmp.Diff(textsOf(before), textsOf(after)))
			}
			mistake := slices.ContainsFunc(errs, func(err string) bool { return err != "<nil>" }) // there is no plan
			seen.add(equal && !mistake, matters)
		}
	})
	seen.check(t)
}

// pairs counts Backends before and after a change.
type pairs struct {
	all, equal int // of equal plans
	found      int // of equal plans, and BackendMatters is false
}

func (p *pairs) add(equal, matters bool) {
	p.all++
	if equal {
		p.equal++
	}
	if equal && !matters {
		p.found++
	}
}

func (p *pairs) check(t *testing.T) {
	t.Logf("%d pairs, %d with equal plans, of which BackendMatters is false for %d", p.all, p.equal, p.found)
	if !t.Failed() && p.equal >= 1000 && p.found*100 < p.equal*95 {
		t.Errorf("BackendMatters is false for %d of %d pairs whose plans are equal, want 95%%", p.found, p.equal)
	}
}
