package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/slicewright/slicewright/examples/vms/machines"
	"github.com/slicewright/slicewright/internal/test/cluster/apiserver"
)

// cluster is a namespace with a dual-stack Service web, which selects VMs with label app=web, and a slice of another
// manager of the same Service.
type cluster struct {
	*testing.T
	namespace string
	service   *corev1.Service
	foreign   *discoveryv1.EndpointSlice
}

func newCluster(t *testing.T) *cluster {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "vms-"}}
	if err := admin.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	dual := corev1.IPFamilyPolicyRequireDualStack
	c := &cluster{T: t, namespace: ns.Name}
	c.service = &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ns.Name, Name: "web", Annotations: map[string]string{machines.Selector: "app=web,tier!=test"},
		},
		Spec: corev1.ServiceSpec{
			IPFamilyPolicy: &dual,
			Ports:          []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}},
		},
	}
	c.foreign = &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: "web-other", Labels: map[string]string{
			discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: "other.example.com",
		}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.9.9.9"}}},
	}
	c.do(admin.Create(t.Context(), c.service))
	c.do(admin.Create(t.Context(), c.foreign))
	return c
}

func (c *cluster) do(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// machine creates a VM that runs and is ready, and returns what is to be published for it: address and port.
func (c *cluster) machine(name string, port int, addresses []string, edit ...func(*unstructured.Unstructured)) []string {
	c.Helper()
	c.do(admin.Create(c.Context(), newMachine(c.namespace, name, port, addresses, edit...)))
	var wanted []string
	for _, a := range addresses {
		wanted = append(wanted, fmt.Sprintf("%s %d true", a, port))
	}
	return wanted
}

func newMachine(namespace, name string, port int, addresses []string, edit ...func(*unstructured.Unstructured)) *unstructured.Unstructured {
	list := make([]any, len(addresses))
	for i := range addresses {
		list[i] = addresses[i]
	}
	vm := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": machines.APIVersion, "kind": machines.Kind,
		"metadata": map[string]any{"namespace": namespace, "name": name, "labels": map[string]any{"app": "web"}},
		"spec": map[string]any{"domain": map[string]any{"devices": map[string]any{"interfaces": []any{map[string]any{
			"name": "default", "masquerade": map[string]any{},
			"ports": []any{map[string]any{"name": "http", "port": int64(port), "protocol": "TCP"}},
		}}}}},
		"status": map[string]any{
			"phase": "Running", "nodeName": "node-1",
			"interfaces": []any{map[string]any{"name": "default", "ipAddress": addresses[0], "ipAddresses": list}},
			"conditions": []any{map[string]any{
				"type": "Ready", "status": "True", "lastProbeTime": nil, "lastTransitionTime": "2026-01-02T03:04:05Z",
			}},
		},
	}}
	for _, f := range edit {
		f(vm)
	}
	return vm
}

// start runs a controller until the function that it returns is called, or the test is over.
func (c *cluster) start() (stop func()) {
	yes := true
	o := manager.Options{
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{c.namespace: {}}},
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: &yes},
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := machines.Run(ctx, shared.Config(apiserver.Controller), o); err != nil {
			c.Errorf("the controller ended: %v", err)
		}
	}()
	stop = func() { cancel(); <-done }
	c.Cleanup(stop)
	return stop
}

// slices returns the controller's slices by name.
func (c *cluster) slices() map[string]*discoveryv1.EndpointSlice {
	c.Helper()
	var list discoveryv1.EndpointSliceList
	c.do(admin.List(c.Context(), &list, client.InNamespace(c.namespace), client.MatchingLabels{discoveryv1.LabelManagedBy: machines.ManagedBy}))
	found := map[string]*discoveryv1.EndpointSlice{}
	for i := range list.Items {
		found[list.Items[i].Name] = &list.Items[i]
	}
	return found
}

// published returns each endpoint as address, port and whether it is ready, sorted. A slice of the wrong family, above the
// maximum or of a different port name is an error.
func (c *cluster) published() (endpoints []string) {
	c.Helper()
	for name, s := range c.slices() {
		if len(s.Endpoints) > 100 {
			c.Errorf("%s has %d endpoints", name, len(s.Endpoints))
		}
		for _, e := range s.Endpoints {
			family := discoveryv1.AddressTypeIPv4
			if slices.Contains([]byte(e.Addresses[0]), ':') {
				family = discoveryv1.AddressTypeIPv6
			}
			if len(e.Addresses) != 1 || s.AddressType != family || len(s.Ports) != 1 || *s.Ports[0].Name != "http" {
				c.Errorf("%s: endpoint %v in a slice of %s with ports %v", name, e.Addresses, s.AddressType, s.Ports)
				continue
			}
			endpoints = append(endpoints, fmt.Sprintf("%s %d %t", e.Addresses[0], *s.Ports[0].Port, *e.Conditions.Ready))
		}
	}
	slices.Sort(endpoints)
	return endpoints
}

// converge waits until exactly the wanted endpoints are published, each once, and returns the UIDs of the slices. The other
// manager's slice must be as it was.
func (c *cluster) converge(wanted []string) (uids []string) {
	c.Helper()
	slices.Sort(wanted)
	c.wait("endpoints", func() string {
		if found := c.published(); !slices.Equal(found, wanted) {
			return fmt.Sprintf("%d are published, %d wanted:\n%.300v\n%.300v", len(found), len(wanted), found, wanted)
		}
		return ""
	})
	foreign := &discoveryv1.EndpointSlice{}
	c.do(admin.Get(c.Context(), client.ObjectKeyFromObject(c.foreign), foreign))
	if foreign.ResourceVersion != c.foreign.ResourceVersion {
		c.Error("the slice of another manager was written")
	}
	for _, s := range c.slices() {
		uids = append(uids, string(s.UID))
	}
	slices.Sort(uids)
	return uids
}

// wait polls until the condition holds, and says what does not otherwise.
func (c *cluster) wait(what string, holds func() string) {
	c.Helper()
	var why string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if why = holds(); why == "" {
			return
		}
	}
	c.Fatalf("%s: %s", what, why)
}

// events waits until the Service has events with these reasons about these VMs, as "Skipped vm-1".
func (c *cluster) events(wanted ...string) {
	c.Helper()
	c.wait("events", func() string {
		var list eventsv1.EventList
		c.do(admin.List(c.Context(), &list, client.InNamespace(c.namespace)))
		found := map[string]bool{}
		for _, e := range list.Items {
			if e.Regarding.Name == "web" && e.Related != nil {
				found[e.Reason+" "+e.Related.Name] = true
			}
		}
		for _, w := range wanted {
			if !found[w] {
				return fmt.Sprintf("no %q in %q", w, slices.Sorted(maps.Keys(found)))
			}
		}
		return ""
	})
}
