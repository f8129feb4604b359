package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/yaml"

	"github.com/slicewright/slicewright/examples/vms/machines"
	"github.com/slicewright/slicewright/internal/test/cluster/apiserver"
)

// teachMachines teaches the API server what a VirtualMachineInstance is, and lets the controller's user do what rbac.yaml says
// and nothing else.
func teachMachines(t *testing.T) {
	t.Helper()
	crd, role := &unstructured.Unstructured{}, &unstructured.Unstructured{}
	for file, object := range map[string]*unstructured.Unstructured{"testdata/crd.yaml": crd, "../../../../examples/vms/rbac.yaml": role} {
		text, err := os.ReadFile(file)
		if err := errors.Join(err, yaml.UnmarshalStrict(text, &object.Object), admin.Create(t.Context(), object)); err != nil {
			t.Fatal(err)
		}
	}
	if err := admin.Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.GetName()},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.GetName()},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: apiserver.Controller}},
	}); err != nil {
		t.Fatal(err)
	}
	list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": machines.APIVersion, "kind": machines.Kind + "List"}}
	wait(t, "no kind", func() string {
		if err := admin.List(t.Context(), list); err != nil {
			return err.Error()
		}
		return ""
	})
}

// machine is a VM in a phase with these addresses, and port http as the number.
func machine(namespace, name, phase string, port int64, addresses ...any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": machines.APIVersion, "kind": machines.Kind,
		"metadata": map[string]any{"namespace": namespace, "name": name, "labels": map[string]any{"app": "web"}},
		"spec": map[string]any{"domain": map[string]any{"devices": map[string]any{"interfaces": []any{map[string]any{
			"name": "default", "ports": []any{map[string]any{"name": "http", "port": port, "protocol": "TCP"}},
		}}}}},
		"status": map[string]any{
			"phase": phase, "nodeName": "node-1",
			"interfaces": []any{map[string]any{"name": "default", "ipAddresses": addresses}},
			"conditions": []any{map[string]any{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"}},
		},
	}}
}

// TestMachines runs the controller of examples/vms: it publishes the VMs that run, each family and each number of the named port in
// slices of its own, sends an event about the one that lacks an address, and leaves nothing when the Service selects none.
func TestMachines(t *testing.T) {
	t.Parallel()
	teachMachines(t)
	c, dual := &cluster{T: t, server: shared, admin: admin, namespace: newNamespace(t, admin, "vms")}, corev1.IPFamilyPolicyRequireDualStack
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "web", Annotations: map[string]string{machines.Selector: "app=web"}},
		Spec:       corev1.ServiceSpec{IPFamilyPolicy: &dual, Ports: []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}}},
	}
	for _, o := range []client.Object{svc,
		machine(c.namespace, "well", "Running", 8080, "10.0.0.1", "fd00::1"),
		machine(c.namespace, "other-number", "Running", 9090, "10.0.0.2", "fd00::2"),
		machine(c.namespace, "single", "Running", 8080, "10.0.0.3"),
		machine(c.namespace, "starting", "Scheduled", 8080, "10.0.0.4"),
	} {
		c.do(admin.Create(t.Context(), o))
	}
	c.run(func(ctx context.Context, o manager.Options) error {
		return machines.Run(ctx, shared.Config(apiserver.Controller), o)
	})
	published := func(want string) {
		t.Helper()
		wait(t, "published", func() string {
			var list discoveryv1.EndpointSliceList
			c.do(admin.List(t.Context(), &list, client.InNamespace(c.namespace)))
			var have []string
			for _, s := range list.Items {
				for _, e := range s.Endpoints {
					have = append(have, fmt.Sprint(e.TargetRef.Name, e.Addresses, *s.Ports[0].Port, *e.Conditions.Ready))
				}
			}
			if slices.Sort(have); strings.Join(have, ", ") != want {
				return fmt.Sprint(have)
			}
			return ""
		})
	}
	published("other-number[10.0.0.2] 9090 true, other-number[fd00::2] 9090 true, single[10.0.0.3] 8080 true, " +
		"well[10.0.0.1] 8080 true, well[fd00::1] 8080 true")
	c.event("NoAddressOfType", "single")
	change(c, svc, func(svc *corev1.Service) { svc.Annotations[machines.Selector] = "" })
	published("")
}
