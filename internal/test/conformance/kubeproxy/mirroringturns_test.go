package kubeproxy

//lint:file-ignore SA1019 Endpoints are deprecated, and what the controller under test mirrors.

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
)

// TestMirroringInTurns: what Kubernetes' controller wrote under its own name our plan leaves alone,
// and it leaves alone what we wrote. Not drawn is what Kubernetes takes for several ports or
// addresses although their slices cannot tell them apart: a port with an appProtocol in several
// subsets, two ports of one name, and targetRefs that differ in UID or kind alone.
func TestMirroringInTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, service := drawMirrored(t), &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}}
		service.Spec.ClusterIP = rapid.SampledFrom([]string{"10.96.0.1", corev1.ClusterIPNone}).Draw(t, "cluster IP")
		for _, theirsFirst := range []bool{true, false} {
			var server sim.Server
			for syncs := 0; theirsFirst && theirs(t, &server, e, service) > 0; syncs++ {
				if syncs == 20 {
					t.Fatalf("Kubernetes does not rest by itself:\n%s", show(server.List()))
				}
			}
			ours(t, &server, e, service, theirsFirst)
			if n := theirs(t, &server, e, service); n > 0 {
				t.Fatalf("Kubernetes writes %d slices after us:\n%s", n, show(server.List()))
			}
		}
	})
}

// ours plans and writes under Kubernetes' name.
func ours(t *rapid.T, server *sim.Server, e *corev1.Endpoints, service *corev1.Service, rest bool) {
	plan, err := mirror.Plan(e, service, server.List(),
		mirror.Options{ManagedBy: mirror.KubernetesManager, MaxAddressesPerSubset: mirroredLimit})
	if err != nil {
		t.Fatal(err)
	}
	if rest && !plan.Empty() {
		t.Fatalf("we write what Kubernetes leaves alone:\n%v", plan)
	}
	for _, step := range plan.Steps {
		if err := check.Apply(server, step); err != nil {
			t.Fatal(err)
		}
	}
}

const mirroredLimit = 4

// theirs is a sync of Kubernetes' controller after a restart; it returns how often it has written.
func theirs(t *rapid.T, server *sim.Server, e *corev1.Endpoints, service *corev1.Service) (writes int) {
	client := fake.NewClientset()
	client.PrependReactor("*", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		writes++
		switch a := action.(type) {
		case clienttesting.CreateActionImpl:
			s, err := server.Create(a.GetObject().(*discoveryv1.EndpointSlice))
			return true, s, err
		case clienttesting.UpdateActionImpl:
			s, err := server.Update(a.GetObject().(*discoveryv1.EndpointSlice))
			return true, s, err
		case clienttesting.DeleteActionImpl:
			return true, nil, server.Delete(a.GetName(), nil)
		}
		t.Fatalf("%v is no write", action)
		return false, nil, nil
	})
	if err := newMirroring(client, mirroredLimit).sync(context.Background(), e.DeepCopy(), service,
		server.List()); err != nil {
		t.Log(err)
	}
	return writes
}

// drawMirrored draws Endpoints as an API server may store them.
func drawMirrored(t *rapid.T) *corev1.Endpoints {
	pick := func(label string, n int) bool { return rapid.IntRange(0, n-1).Draw(t, label) == n-1 }
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web", UID: "e1"}}
	if pick("labels", 3) {
		e.Labels = map[string]string{"app": "web", corev1.IsHeadlessService: ""}
	}
	if pick("annotations", 3) {
		e.Annotations = map[string]string{"note": "ours", corev1.EndpointsLastChangeTriggerTime: "2026-01-01T00:00:00Z"}
	}
	h2c := "kubernetes.io/h2c"
	ports := []corev1.EndpointPort{{Name: "http", Port: 80}, {Name: "alt", Port: 81}, {Name: "https", Port: 443},
		{Name: "h2c", Port: 82, AppProtocol: &h2c}, {Name: "dns", Port: 53, Protocol: "UDP"}}
	for n := range rapid.IntRange(0, 4).Draw(t, "subsets") {
		var s corev1.EndpointSubset
		for _, p := range ports {
			if p.AppProtocol != nil && n > 0 {
				continue // in several subsets Kubernetes takes them for several ports
			}
			if pick("port", 3) {
				if p.Protocol == "" {
					p.Protocol = corev1.ProtocolTCP
				}
				s.Ports = append(s.Ports, *p.DeepCopy())
			}
		}
		for _, ip := range []string{"10.0.0.1", "10.0.0.10", "10.0.0.2", "fd00::1", "fd00::2"} {
			for _, list := range []*[]corev1.EndpointAddress{&s.Addresses, &s.NotReadyAddresses} {
				if pick("address", 3) {
					*list = append(*list, drawMirroredAddress(t, ip))
				}
			}
		}
		e.Subsets = append(e.Subsets, s)
	}
	return e
}

func drawMirroredAddress(t *rapid.T, ip string) corev1.EndpointAddress {
	pick := func(label string, n int) bool { return rapid.IntRange(0, n-1).Draw(t, label) == n-1 }
	a := corev1.EndpointAddress{IP: ip}
	if pick("hostname", 6) {
		a.Hostname = rapid.SampledFrom([]string{"db-0", "db-1"}).Draw(t, "host")
	}
	if pick("node", 4) {
		node := rapid.SampledFrom([]string{"n1", "n2"}).Draw(t, "node name")
		a.NodeName = &node
	}
	if pick("target", 3) {
		name := rapid.SampledFrom([]string{"p1", "p2"}).Draw(t, "name")
		a.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: name,
			UID: types.UID("uid-of-" + name)}
	}
	return a
}

func show(all []*discoveryv1.EndpointSlice) (text string) {
	for _, s := range all {
		text += s.String() + "\n"
	}
	return text
}
