package mcs_test

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
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
)

// importOf is what a cluster gives to ServiceImport shop/web.
func importOf(cluster string) mcs.Import {
	return mcs.Import{
		Namespace: "shop", Name: "web", Cluster: cluster, ManagedBy: "mcs.example.com",
		Owner: metav1.OwnerReference{APIVersion: "multicluster.x-k8s.io/v1beta1", Kind: "ServiceImport", Name: "web",
			UID: "import-1"},
	}
}

// exported is a slice of Service shop/web in some cluster.
func exported(name string, port int32, addresses ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: name, Labels: map[string]string{
			discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: "endpointslice-controller.k8s.io",
		},
	}}
	s.Ports = []discoveryv1.EndpointPort{{Name: ptr("http"), Port: &port, Protocol: ptr(corev1.ProtocolTCP)}}
	for i, a := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{a}, TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "shop",
				Name: fmt.Sprintf("web-%d", i)},
		})
	}
	return s
}

// imported plans and stores the import of a cluster, beside what the server has.
func imported(t rapid.TB, server *sim.Server, of mcs.Import, ports []corev1.ServicePort, o mirror.CopyOptions,
	from ...*discoveryv1.EndpointSlice) slicer.Plan {
	t.Helper()
	of.Spec.Ports = ports
	in, err := mcs.FromSlices(of, from, o)
	if err != nil {
		t.Fatal(err)
	}
	in.Hints.Mode = hints.Given
	plan, err := check.Compute(gen.Case{Input: in, Existing: server.List()})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range plan.Steps {
		if err := check.Apply(server, step); err != nil {
			t.Fatal(err)
		}
	}
	return plan
}

var http = []corev1.ServicePort{tcp("http", 80)}

// TestImportBesideTheControllerOfMCS: mcs-api's own controller labels each slice of a multi-cluster
// Service with the name of the derived Service. Whatever the source does, both come to rest, and
// the label stays.
func TestImportBesideTheControllerOfMCS(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var server sim.Server
		of, west := importOf("east"), importOf("west")
		of.Namespace, of.Name, west.Namespace, west.Name = gen.Namespace, gen.Name, gen.Namespace, gen.Name
		imported(t, &server, west, http, mirror.CopyOptions{}, exported("web-1", 80, "10.2.0.1"))
		for range 3 {
			from := gen.Slices(t)
			for _, s := range from {
				s.Namespace, s.Labels = gen.Namespace, map[string]string{discoveryv1.LabelServiceName: gen.Name}
			}
			ports := []corev1.ServicePort{tcp("http", 80), tcp("https", 443)}[:rapid.IntRange(0, 2).Draw(t, "ports")]
			keep := chance(t, 2, "keep")
			o := mirror.CopyOptions{KeepZones: keep, KeepNodes: keep, KeepTargetRefs: keep}
			imported(t, &server, of, ports, o, from...)
			relabel(t, &server)
			if plan := imported(t, &server, of, ports, o, from...); len(plan.Steps) > 0 || relabel(t, &server) > 0 {
				t.Fatalf("the two write for ever: %v", plan)
			}
		}
		for _, s := range server.List() {
			if s.Labels[discoveryv1.LabelServiceName] != "derived-1" {
				t.Fatalf("slice %s has lost the label: %v", s.Name, s.Labels)
			}
		}
	})
}

// TestImportDropsNodes: readers that look for their own Node would take one of another
// cluster for it.
func TestImportDropsNodes(t *testing.T) {
	from := exported("web-1", 80, "10.1.0.1")
	from.Endpoints[0].NodeName = ptr("node-1")
	from.Endpoints[0].Hints = &discoveryv1.EndpointHints{
		ForNodes: []discoveryv1.ForNode{{Name: "node-1"}}, ForZones: []discoveryv1.ForZone{{Name: "zone-1"}},
	}
	before := from.DeepCopy()
	for word, kept := range map[string]bool{
		"": true, "distribution=PreferSameZone": true, "policy=Cluster": true, "policy=Local": false, "distribution=PreferSameNode": false,
	} {
		var server sim.Server
		of := importOf("east")
		readSpec(&of.Spec, word)
		imported(t, &server, of, http, mirror.CopyOptions{KeepNodes: true}, from)
		got := server.List()[0].Endpoints[0]
		if (got.NodeName != nil) != kept || (len(got.Hints.ForNodes) > 0) != kept || len(got.Hints.ForZones) != 1 {
			t.Errorf("%q: nodeName %v, hints %v", word, got.NodeName, got.Hints)
		}
	}
	if !reflect.DeepEqual(before, from) {
		t.Error("the source was changed")
	}
}

// relabel does what the EndpointSlice controller of mcs-api does, and returns how many slices it
// wrote.
func relabel(t *rapid.T, server *sim.Server) (written int) {
	for _, s := range server.List() {
		s = s.DeepCopy()
		if s.DeletionTimestamp != nil || s.Labels["multicluster.kubernetes.io/service-name"] == "" ||
			s.Labels[discoveryv1.LabelServiceName] == "derived-1" {
			continue
		}
		s.Labels[discoveryv1.LabelServiceName] = "derived-1"
		if _, err := server.Update(s); err != nil {
			t.Fatal(err)
		}
		written++
	}
	return written
}

func ptr[T any](v T) *T { return &v }

func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

func pick[E any](t *rapid.T, label string, from ...E) E {
	return from[rapid.IntRange(0, len(from)-1).Draw(t, label)]
}

// export is a cluster's export, made a number of seconds after others.
func export(cluster string, seconds int64, ports ...corev1.ServicePort) mcs.Export {
	return mcs.Export{Cluster: cluster, CreationTimestamp: time.Unix(seconds, 0), Spec: corev1.ServiceSpec{Ports: ports}}
}

func tcp(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: number, Protocol: corev1.ProtocolTCP}
}

func udp(name string, number int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: number, Protocol: corev1.ProtocolUDP}
}

func showPorts(ports []corev1.ServicePort) []string {
	list := []string{}
	for _, p := range ports {
		list = append(list, endpoint.Port{Name: p.Name, Protocol: p.Protocol, Number: int64(p.Port)}.String())
	}
	return list
}

func drawExports(t *rapid.T, unnamed bool) []mcs.Export {
	var exports []mcs.Export
	for _, cluster := range []string{"a", "b", "c", "d"}[:rapid.IntRange(0, 4).Draw(t, "exports")] {
		e := export(cluster, int64(rapid.IntRange(1, 3).Draw(t, "created")))
		for range rapid.IntRange(0, 4).Draw(t, "ports") {
			p := pick(t, "port", tcp, udp)(pick(t, "name", "http", "https", "dns"),
				pick(t, "number", int32(80), 81, 443))
			if unnamed {
				p.Name = pick(t, "name", "", "http", "Bad_Name")
				p.Port = pick(t, "number", int32(80), 81, 0, 65536)
			}
			if chance(t, 4, "app") {
				p.AppProtocol = ptr(pick(t, "which", "a/b", "", "c"))
			}
			p.NodePort = pick(t, "node port", int32(0), 30080) // the cluster's own
			e.Spec.Ports = append(e.Spec.Ports, p)
		}
		if unnamed {
			e.Spec.SessionAffinity = pick(t, "affinity", "", corev1.ServiceAffinityClientIP)
			readSpec(&e.Spec, pick(t, "field", "", "timeout=10", "policy=Local", "distribution=PreferSameZone"))
		}
		e.Spec.IPFamilies = pick(t, "families", nil, []corev1.IPFamily{"IPv4"}, []corev1.IPFamily{"IPv6"},
			[]corev1.IPFamily{"IPv4", "IPv6"},
			[]corev1.IPFamily{"IPv6", "IPv4", "IPv6"}, []corev1.IPFamily{"IPv8"})
		exports = append(exports, e)
	}
	return exports
}

// TestExportsInAnyOrder: the order of the exports makes no difference, and nothing is changed or
// shared. Which ports and fields win is said by the scenario exports.
func TestExportsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exports := drawExports(t, chance(t, 2, "unnamed"))
		before, reversed := slices.Clone(exports), slices.Clone(exports)
		for i := range before {
			before[i].Spec = *exports[i].Spec.DeepCopy()
		}
		slices.Reverse(reversed)
		merged, err := mcs.MergeExports(exports)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := mcs.MergeExports(reversed)
		if d := cmp.Diff(merged, again) + cmp.Diff(before, exports); d != "" {
			t.Fatalf("in reversed order, or the exports changed:\n%s", d)
		}
		if a, b, shared := check.Shared(check.Memories{Owner: "the exports", Of: &exports},
			check.Memories{Owner: "the result", Of: &merged}); shared {
			t.Fatalf("%s and %s share memory", a, b)
		}
	})
}
