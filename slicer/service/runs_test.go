package service

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/hints"
)

// TestTakeShares: many endpoints that a slice has as they are wanted are not copied. Hints make no difference, except where the
// caller gives them, because those that nobody gives must go.
func TestTakeShares(t *testing.T) {
	for mode, shared := range map[hints.Mode]bool{hints.None: true, hints.SameZone: true, hints.Given: false} {
		svc, backends := portedBackends(40, 1)
		held := publishedSlices(t, svc, backends, 1)
		for i := range held[0].Endpoints {
			held[0].Endpoints[i].Hints = &discoveryv1.EndpointHints{}
		}
		m := &memory{}
		w := readBackends(rulesOf(svc, Options{ManagedBy: "m"}), backends, m)
		groups := published(w, held, mode, &m.published)
		if have := &groups[0].Endpoints[0] == &held[0].Endpoints[0]; have != shared || countEndpoints(groups) != 40 {
			t.Errorf("%v: the slice's endpoints are those of the group: %v, want %v", mode, have, shared)
		}
	}
}

// TestGroupedPorts: runs of one port set follow each other and share its ports, in whatever order slices have them.
func TestGroupedPorts(t *testing.T) {
	svc, backends := portedBackends(120, 2)
	held := publishedSlices(t, svc, backends, 3)
	m := &memory{}
	w := readBackends(rulesOf(svc, Options{ManagedBy: "m"}), backends, m)
	groups := published(w, held, hints.None, &m.published)
	ports := map[*discoveryv1.EndpointPort]bool{}
	for _, g := range groups {
		ports[&g.Ports[0]] = true
	}
	if len(groups) != 6 || len(ports) != 2 {
		t.Errorf("%d groups with %d lists of ports, want 6 with 2", len(groups), len(ports))
	}
}

// portedBackends are n backends of which each declares one of so many numbers for the Service's port.
func portedBackends(n, numbers int) (*corev1.Service, []Backend) {
	svc := &corev1.Service{}
	svc.Namespace, svc.Name = "shop", "web"
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	svc.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}}
	backends := make([]Backend, n)
	for i := range backends {
		backends[i] = Backend{Address: fmt.Sprintf("10.0.0.%d", i), Port: BackendPort{Name: "http", Port: int32(8080 + i%numbers)}}
	}
	return svc, backends
}

// publishedSlices are slices that have what is wanted, so many of each group and in turn.
func publishedSlices(t *testing.T, svc *corev1.Service, backends []Backend, each int) []*discoveryv1.EndpointSlice {
	t.Helper()
	in, _, err := BackendsInput(svc, backends, Options{ManagedBy: "m"})
	if err != nil {
		t.Fatal(err)
	}
	var all []*discoveryv1.EndpointSlice
	for i := range each {
		for _, g := range in.Groups {
			n := len(g.Endpoints) / each
			all = append(all, &discoveryv1.EndpointSlice{
				ObjectMeta: metav1.ObjectMeta{
					Name: fmt.Sprintf("web-%d", len(all)), ResourceVersion: fmt.Sprint(1000 - len(all)),
					Labels: map[string]string{discoveryv1.LabelServiceName: svc.Name, discoveryv1.LabelManagedBy: "m"},
				},
				AddressType: g.AddressType, Ports: g.Ports, Endpoints: g.Endpoints[i*n : (i+1)*n],
			})
		}
	}
	return all
}
