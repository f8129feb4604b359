package service_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

var benchOptions = service.Options{ManagedBy: manager}

func (c *serviceCluster) plan(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
	plan, err := service.Plan(c.service, c.pods, c.node, existing, benchOptions)
	return plan, err
}

// serviceCluster is a Service with its Pods, on one Node for every 20 of them and in three zones.
type serviceCluster struct {
	service *corev1.Service
	pods    []*corev1.Pod
	nodes   map[string]*corev1.Node
}

func (c *serviceCluster) shuffle() {
	random := rand.New(rand.NewSource(1))
	random.Shuffle(len(c.pods), func(i, j int) { c.pods[i], c.pods[j] = c.pods[j], c.pods[i] })
}

func (c *serviceCluster) node(name string) *corev1.Node { return c.nodes[name] }

func newServiceCluster(n int) *serviceCluster {
	c := &serviceCluster{
		service: &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "shop", Name: "web", UID: "6d0c8c5e-0000", Labels: map[string]string{"app": "web"},
				CreationTimestamp: metav1.Time{Time: time.Unix(1_700_000_000, 0)},
			},
			Spec: corev1.ServiceSpec{
				ClusterIP: "10.96.0.1", IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
				Selector: map[string]string{"app": "web"},
				Ports:    []corev1.ServicePort{{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromInt32(8080)}},
			},
		},
		nodes: map[string]*corev1.Node{},
	}
	nodes := max(3, n/20)
	for i := range nodes {
		name := fmt.Sprintf("node-%d", i)
		c.nodes[name] = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelTopologyZone: fmt.Sprintf("zone-%c", 'a'+i%3),
			corev1.LabelTopologyRegion: "north", corev1.LabelArchStable: "amd64", corev1.LabelOSStable: "linux",
		}}}
	}
	for i := range n {
		c.pods = append(c.pods, servicePod(i, fmt.Sprintf("node-%d", i*7919%nodes)))
	}
	return c
}

// servicePod holds what Plan reads of a Pod and little else. Pods as large as those of an informer, with all
// their conditions and containers, add what it takes to fetch them from memory and to collect the garbage around them.
func servicePod(i int, node string) *corev1.Pod {
	ip := gen.Address(i)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: fmt.Sprintf("web-6c5f%x-%05d", i%16, i),
			UID:    types.UID(fmt.Sprintf("0f3e7a52-9d41-4c1b-8a6d-%012d", i)),
			Labels: map[string]string{"app": "web"},
		},
		Spec: corev1.PodSpec{NodeName: node},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			Conditions: []corev1.PodCondition{{
				Type: corev1.PodReady, Status: corev1.ConditionTrue,
				LastTransitionTime: metav1.Time{Time: time.Unix(1_700_000_000+int64(i), 0)},
			}},
		},
	}
}

// slices are what the API server has when the cluster's endpoints were published.
func (c *serviceCluster) slices(tb testing.TB) (all []*discoveryv1.EndpointSlice) {
	tb.Helper()
	plan, err := c.plan(nil)
	if err != nil {
		tb.Fatal(err)
	}
	for i, s := range plan.After() {
		s = s.DeepCopy()
		s.UID, s.ResourceVersion = types.UID(fmt.Sprint("slice-", i)), fmt.Sprint(i+1)
		all = append(all, s)
	}
	return all
}
