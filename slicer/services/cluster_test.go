package services_test

import (
	"fmt"
	"math/rand"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// serviceCluster is a Service with its Pods, on one Node for every 20 of them and in three zones.
type serviceCluster struct {
	service *corev1.Service
	pods    []*corev1.Pod
	nodes   map[string]*corev1.Node
}

func newServiceCluster(n int) *serviceCluster {
	c := &serviceCluster{service: aService(), nodes: map[string]*corev1.Node{}}
	nodes := max(3, n/20)
	for i := range nodes {
		name := fmt.Sprintf("node-%d", i)
		c.nodes[name] = &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{corev1.LabelTopologyZone: fmt.Sprintf("zone-%c", 'a'+i%3)},
		}}
	}
	for i := range n {
		pod := aPod(i, withIPs(gen.Address(i)))
		pod.Spec.NodeName = fmt.Sprintf("node-%d", i*7919%nodes)
		c.pods = append(c.pods, pod)
	}
	return c
}

func (c *serviceCluster) node(name string) *corev1.Node { return c.nodes[name] }

func (c *serviceCluster) shuffle() {
	random := rand.New(rand.NewSource(1))
	random.Shuffle(len(c.pods), func(i, j int) { c.pods[i], c.pods[j] = c.pods[j], c.pods[i] })
}

func (c *serviceCluster) plan(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
	return services.Plan(c.service, c.pods, c.node, existing, services.Options{ManagedBy: manager})
}

// slices are what the API server has when the cluster's endpoints were published.
func (c *serviceCluster) slices(tb testing.TB) []*discoveryv1.EndpointSlice {
	tb.Helper()
	plan, err := c.plan(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return plan.After()
}
