package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/slicewright/slicewright/examples/programs/multus/network"
	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

// patience bounds every wait, on a machine that has more to do.
const patience = 2 * time.Minute

// maxPerSlice is small, so that a few Pods make several slices.
const maxPerSlice = 3

// cluster is a namespace of an API server with three Nodes of its own.
type cluster struct {
	*testing.T
	server    *apiserver.Server
	admin     client.Client
	namespace string
}

func newCluster(t *testing.T, server *apiserver.Server, admin client.Client) *cluster {
	c := &cluster{T: t, server: server, admin: admin, namespace: newNamespace(t, admin, "shop")}
	for _, zone := range []string{"a", "b", "c"} {
		c.do(admin.Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: c.node(zone), Labels: map[string]string{corev1.LabelTopologyZone: "zone-" + zone},
		}}))
	}
	return c
}

// node returns the name of the cluster's own Node in a zone. Nodes have no namespace.
func (c *cluster) node(zone string) string { return c.namespace + "-" + zone }

func (c *cluster) do(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// second is the network's name.
const second = "macvlan"

// service creates a Service on the second network for Pods with label app.
func (c *cluster) service(name string) *corev1.Service {
	c.Helper()
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: c.namespace, Name: name, Labels: map[string]string{"team": "blue"},
			Annotations: map[string]string{network.Annotation: second},
		},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"app": "web"},
			Ports:    []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromInt32(8080)}},
		},
	}
	c.do(c.admin.Create(c.Context(), svc))
	return svc
}

// change reads an object again and writes it changed.
func change[O client.Object](c *cluster, o O, f func(O)) {
	c.Helper()
	for {
		c.do(c.admin.Get(c.Context(), client.ObjectKeyFromObject(o), o))
		f(o)
		if err := c.admin.Update(c.Context(), o); !apierrors.IsConflict(err) {
			c.do(err)
			return
		}
	}
}

var addressCount atomic.Int32

// pod creates a ready Pod in a zone, with an address of its own on the second network.
func (c *cluster) pod(name, zone string) {
	c.Helper()
	n := addressCount.Add(1)
	address := fmt.Sprintf("192.168.%d.%d", n/250, n%250+1)
	interfaces, err := json.Marshal([]map[string]any{
		{"name": "cbr0", "interface": "eth0", "ips": []string{"10.244.0.7"}, "default": true, "dns": map[string]any{}},
		{"name": c.namespace + "/" + second, "interface": "net1", "ips": []string{address}, "mac": "02:00:00:00:00:01"},
		{"name": c.namespace + "/other", "interface": "net2", "ips": []string{"172.16.0.7"}},
	})
	c.do(err)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: c.namespace, Name: name, Labels: map[string]string{"app": "web"},
			Annotations: map[string]string{network.Status: string(interfaces)},
		},
		Spec: corev1.PodSpec{
			NodeName: c.node(zone),
			Containers: []corev1.Container{{Name: "web", Image: "web",
				Ports: []corev1.ContainerPort{{Name: "web", ContainerPort: 8080}}}},
		},
	}
	c.do(c.admin.Create(c.Context(), pod))
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: "10.244.0.7", PodIPs: []corev1.PodIP{{IP: "10.244.0.7"}},
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue,
			LastTransitionTime: metav1.Now()}},
	}
	c.do(c.admin.Status().Update(c.Context(), pod))
}

// pods creates as many Pods in turn in the three zones.
func (c *cluster) pods(prefix string, n int) {
	c.Helper()
	for i := range n {
		c.pod(fmt.Sprintf("%s-%d", prefix, i), string(rune('a'+i%3)))
	}
}

// remove deletes a Pod at once.
func (c *cluster) remove(names ...string) {
	c.Helper()
	for _, name := range names {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: name}}
		c.do(c.admin.Delete(c.Context(), pod, client.GracePeriodSeconds(0)))
	}
}

// start runs the network's controller in the cluster's namespace until the test is over.
func (c *cluster) start() {
	o := manager.Options{
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{c.namespace: {}}},
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: new(true), MaxConcurrentReconciles: 2},
	}
	ctx, cancel := context.WithCancel(c.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		program := &network.Controller{Max: maxPerSlice}
		if err := program.Run(ctx, asController(c.server), o); err != nil && ctx.Err() == nil {
			c.Errorf("the controller ended: %v", err)
		}
	}()
	c.Cleanup(func() { cancel(); <-done })
}

// wait polls until the condition holds, and says what does not otherwise.
func wait(t *testing.T, what string, holds func() string) {
	t.Helper()
	var why string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(25 * time.Millisecond) {
		if why = holds(); why == "" {
			return
		}
	}
	t.Fatalf("%s: %s", what, why)
}
