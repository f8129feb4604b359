package mcs_test

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
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
	plan, err := check.Compute(gen.World{Input: in, Existing: server.List()})
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

// The check of mcs-api's conformance tests about slices: "Exporting a service should create an MCS
// EndpointSlice in the service's namespace in each cluster with the required MCS labels.
// Unexporting should delete the EndpointSlice." And not another cluster's.
func TestMCSConformanceSlices(t *testing.T) {
	var server sim.Server
	imported(t, &server, importOf("east"), http, mirror.CopyOptions{}, exported("web-1", 8080, "10.1.0.1"))
	imported(t, &server, importOf("west"), http, mirror.CopyOptions{}, exported("web-1", 9090, "10.2.0.1"))
	clusters := map[string]int{}
	for _, s := range server.List() {
		if s.Namespace != "shop" || s.Labels["multicluster.kubernetes.io/service-name"] != "web" ||
			s.Labels[discoveryv1.LabelManagedBy] != "mcs.example.com" {
			t.Errorf("slice %s/%s has labels %v", s.Namespace, s.Name, s.Labels)
		}
		if name, ok := s.Labels[discoveryv1.LabelServiceName]; ok {
			t.Errorf("kube-proxy would take the slice for one of Service %q", name)
		}
		if owner := s.OwnerReferences; len(owner) != 1 || owner[0].UID != "import-1" || owner[0].Controller != nil ||
			owner[0].BlockOwnerDeletion != nil {
			t.Errorf("owners %v", owner)
		}
		clusters[s.Labels["multicluster.kubernetes.io/source-cluster"]]++
	}
	if want := map[string]int{"east": 1, "west": 1}; !maps.Equal(clusters, want) {
		t.Fatalf("slices of %v, want %v", clusters, want)
	}
	derived := importOf("west") // now the caller knows the Service, and its name is a label
	derived.DerivedService = "derived-1"
	imported(t, &server, derived, http, mirror.CopyOptions{}, exported("web-1", 9090, "10.2.0.1"))
	imported(t, &server, importOf("east"), nil, mirror.CopyOptions{})
	if left := server.List(); len(left) != 1 || left[0].Labels["multicluster.kubernetes.io/source-cluster"] != "west" ||
		left[0].Labels[discoveryv1.LabelServiceName] != "derived-1" {
		t.Errorf("after east no longer exports: %v", left)
	}
}

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

// TestImportDropsForeignNodes: readers that look for their own Node would take one of another
// cluster for it.
func TestImportDropsForeignNodes(t *testing.T) {
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

// TestErrorsNameTheRemedy: what is no import or no export is an error that says what to give, and
// so is a Warning.
func TestErrorsNameTheRemedy(t *testing.T) {
	of := func(change func(*mcs.Import), from ...*discoveryv1.EndpointSlice) error {
		i := importOf("east")
		change(&i)
		in, err := mcs.FromSlices(i, from, mirror.CopyOptions{})
		if len(in.Warnings) > 0 {
			return in.Warnings[0].Err
		}
		return err
	}
	merge := func(exports ...mcs.Export) error {
		_, err := mcs.MergeExports(exports)
		return err
	}
	for want, err := range map[string]error{
		"import.cluster: Required value: give the id of the cluster":    of(func(i *mcs.Import) { i.Cluster = "" }),
		"is the value of a label: a valid label must":                   of(func(i *mcs.Import) { i.Name = "a b" }),
		"choose a name of your own":                                     of(func(i *mcs.Import) { i.ManagedBy = mirror.KubernetesManager }),
		"key.managedBy: Required value: choose a name":                  of(func(i *mcs.Import) { i.ManagedBy = "" }),
		`import.spec.ipFamilies[0]: Unsupported value: "ipv6"`:          of(func(i *mcs.Import) { i.Spec.IPFamilies = []corev1.IPFamily{"ipv6"} }),
		"give Import.Spec the ports that Merged.ByCluster has for it":   of(func(*mcs.Import) {}, exported("web-1", 80, "10.1.0.1")),
		"exports[0].cluster: Required value: give the id":               merge(mcs.Export{}),
		`exports[1].cluster: Duplicate value: "a": give one export for`: merge(mcs.Export{Cluster: "a"}, mcs.Export{Cluster: "a"}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
