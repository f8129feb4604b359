package service

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// TestTakeShares: sixteen and more endpoints that a slice has as they are wanted are not copied. Hints make no difference, except
// where the caller gives them, because those that nobody gives must go.
func TestTakeShares(t *testing.T) {
	for _, row := range []struct {
		n      int
		family corev1.IPFamily
		mode   hints.Mode
		shared bool
	}{
		{40, corev1.IPv4Protocol, hints.None, true},
		{40, corev1.IPv6Protocol, hints.None, true},
		{40, corev1.IPv4Protocol, hints.SameZone, true},
		{40, corev1.IPv4Protocol, hints.Given, false},
		{16, corev1.IPv4Protocol, hints.None, true},
		{15, corev1.IPv4Protocol, hints.None, false},
	} {
		for _, target := range []corev1.ObjectReference{{}, {Kind: "VM", Name: "vm", UID: "uid"}} {
			svc, backends := portedBackends(row.n, 1, row.family)
			for i := range backends {
				backends[i].TargetRef = target
			}
			held := publishedSlices(t, svc, backends, 1)
			for i := range held[0].Endpoints {
				held[0].Endpoints[i].Hints = &discoveryv1.EndpointHints{}
			}
			groups := groupsOver(svc, backends, held, row.mode)
			if len(groups) != 1 || len(groups[0].Endpoints) != row.n || groups[0].AddressType != held[0].AddressType {
				t.Errorf("%+v: %d groups", row, len(groups))
			} else if have := &groups[0].Endpoints[0] == &held[0].Endpoints[0]; have != row.shared {
				t.Errorf("%+v, target %q: shared: %v", row, target.Name, have)
			}
		}
	}
}

// TestTakeSharesGiven: where the caller gives hints, endpoints without hints are shared, too.
func TestTakeSharesGiven(t *testing.T) {
	svc, backends := portedBackends(40, 1, corev1.IPv4Protocol)
	held := publishedSlices(t, svc, backends, 1)
	if groups := groupsOver(svc, backends, held, hints.Given); &groups[0].Endpoints[0] != &held[0].Endpoints[0] {
		t.Error("copied")
	}
}

// TestTakeByPorts: endpoints of one slice that want other ports now are grouped apart.
func TestTakeByPorts(t *testing.T) {
	svc, backends := portedBackends(40, 1, corev1.IPv4Protocol)
	held := publishedSlices(t, svc, backends, 1)
	for i := range backends[20:] {
		backends[20+i].Port.Port = 9090
	}
	for i, g := range groupsOver(svc, backends, held, hints.None) {
		want := []int32{8080, 9090}[i]
		if len(g.Endpoints) != 20 || &g.Endpoints[0] != &held[0].Endpoints[20*i] || *g.Ports[0].Port != want {
			t.Errorf("group %d of port %d: %d endpoints", i, *g.Ports[0].Port, len(g.Endpoints))
		}
	}
}

// TestTakeAroundChange: an endpoint that is not as it is wanted is made in its place. Those before and after it are shared.
func TestTakeAroundChange(t *testing.T) {
	svc, backends := portedBackends(40, 1, corev1.IPv4Protocol)
	held := publishedSlices(t, svc, backends, 1)
	backends[20].Ready = true
	groups := groupsOver(svc, backends, held, hints.None)
	if len(groups) != 3 || &groups[0].Endpoints[0] != &held[0].Endpoints[0] || &groups[2].Endpoints[0] != &held[0].Endpoints[21] {
		t.Fatalf("%d groups", len(groups))
	}
	if e := groups[1].Endpoints; len(e) != 1 || !*e[0].Conditions.Ready {
		t.Errorf("made %v", e)
	}
}

// TestTakeOneByOne: endpoints that are made go on in the run before only if they lie behind it, however many were made before.
func TestTakeOneByOne(t *testing.T) {
	for made := range 30 {
		svc, backends := portedBackends(made+17, 1, corev1.IPv4Protocol)
		held := publishedSlices(t, svc, backends, 1)
		for i := range backends {
			backends[i].Ready = i < made || i == made+16
		}
		addresses, kept := map[string]bool{}, 0
		for _, g := range groupsOver(svc, backends, held, hints.None) {
			if g.Changed == nil {
				kept += len(g.Endpoints)
			}
			for _, e := range g.Endpoints {
				addresses[e.Addresses[0]] = true
			}
		}
		if len(addresses) != made+17 || kept != 16 {
			t.Errorf("%d are made first: %d addresses, %d endpoints as the slice has them", made, len(addresses), kept)
		}
	}
}

// TestGroupedPorts: runs of one port set follow each other and share its ports, in whatever order slices have them. What no slice
// has is one run for each port set.
func TestGroupedPorts(t *testing.T) {
	svc, backends := portedBackends(240, 2, corev1.IPv4Protocol)
	for runs, held := range map[int][]*discoveryv1.EndpointSlice{6: publishedSlices(t, svc, backends, 3), 2: nil} {
		groups := groupsOver(svc, backends, held, hints.None)
		ports := map[*discoveryv1.EndpointPort]bool{}
		for _, g := range groups {
			ports[&g.Ports[0]] = true
		}
		if len(groups) != runs || len(ports) != 2 || countEndpoints(groups) != 240 {
			t.Errorf("%d groups with %d lists of ports, want %d with 2", len(groups), len(ports), runs)
		}
	}
}

// TestAppendOwn: the Service's own slices come with the highest resourceVersion first, then by name.
func TestAppendOwn(t *testing.T) {
	svc, backends := portedBackends(8, 1, corev1.IPv4Protocol)
	existing := publishedSlices(t, svc, backends, 4)
	for i, version := range []string{"9", "100", "7", "100"} {
		existing[i].ResourceVersion = version
	}
	var names []string
	all := []*discoveryv1.EndpointSlice{existing[3], nil, existing[2], existing[0], existing[1]}
	for _, s := range appendOwn(nil, rulesOf(svc, Options{ManagedBy: "m"}), all) {
		names = append(names, s.Name)
	}
	if want := []string{"web-1", "web-3", "web-0", "web-2"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// TestAppendOwnByKey: with a Key those are the Service's own that have all of its labels, whatever Service they name.
func TestAppendOwnByKey(t *testing.T) {
	svc, backends := portedBackends(8, 1, corev1.IPv4Protocol)
	existing := publishedSlices(t, svc, backends, 4)
	for i, network := range []string{"blue", "green", "blue", ""} {
		existing[i].Labels["network"] = network
	}
	existing[2].Labels[discoveryv1.LabelServiceName] = "other"
	own := appendOwn(nil, rulesOf(svc, Options{ManagedBy: "m", Key: map[string]string{"network": "blue"}}), existing)
	if len(own) != 2 || own[0] != existing[0] || own[1] != existing[2] {
		t.Errorf("%d slices, want 2", len(own))
	}
}

// groupsOver are the groups of what backends want, over the slices that there are.
func groupsOver(svc *corev1.Service, backends []Backend, held []*discoveryv1.EndpointSlice, mode hints.Mode) []slicer.Group {
	m := &memory{}
	w := m.begin(rulesOf(svc, Options{ManagedBy: "m"}), workloads{backends: backends}, nil)
	return published(w, held, mode, &m.published)
}

// portedBackends are n backends of which each declares one of so many numbers for the Service's port.
func portedBackends(n, numbers int, family corev1.IPFamily) (*corev1.Service, []Backend) {
	svc := &corev1.Service{}
	svc.Namespace, svc.Name = "shop", "web"
	svc.Spec.IPFamilies = []corev1.IPFamily{family}
	svc.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}}
	backends := make([]Backend, n)
	for i := range backends {
		backends[i] = Backend{Address: fmt.Sprintf("10.0.0.%d", i), Port: BackendPort{Name: "http", Port: int32(8080 + i%numbers)}}
		if family == corev1.IPv6Protocol {
			backends[i].Address = fmt.Sprintf("fd00::%x", i+1)
		}
	}
	return svc, backends
}

// publishedSlices are slices that have what is wanted, so many of each group and in turn.
func publishedSlices(t *testing.T, svc *corev1.Service, backends []Backend, each int) []*discoveryv1.EndpointSlice {
	t.Helper()
	in, err := BackendsInput(svc, backends, Options{ManagedBy: "m"})
	if err != nil {
		t.Fatal(err)
	}
	var all []*discoveryv1.EndpointSlice
	for i := range each {
		for _, g := range in.Groups {
			n := len(g.Endpoints) / each
			all = append(all, &discoveryv1.EndpointSlice{
				ObjectMeta: metav1.ObjectMeta{
					Namespace: svc.Namespace, Name: fmt.Sprintf("web-%d", len(all)), ResourceVersion: fmt.Sprint(1000 - len(all)),
					Labels: map[string]string{discoveryv1.LabelServiceName: svc.Name, discoveryv1.LabelManagedBy: "m"},
				},
				AddressType: g.AddressType, Ports: g.Ports, Endpoints: g.Endpoints[i*n : (i+1)*n],
			})
		}
	}
	return all
}

func countEndpoints(groups []slicer.Group) (n int) {
	for _, g := range groups {
		n += len(g.Endpoints)
	}
	return n
}
