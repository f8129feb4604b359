package conformance

import (
	"fmt"
	"math/rand"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Services are a whole cluster: many Services, most of them small, on the same Nodes. A sync of one of them meets caches that
// the others have filled, as in a controller; a loop over one Service does not.
type Services struct {
	list  []*oneService
	nodes map[string]*corev1.Node
	pods  int // of all Services
}

// oneService is a Service with what a sync of it is given.
type oneService struct {
	*Cluster
	pods     []*corev1.Pod                // those that the Service selects
	existing []*discoveryv1.EndpointSlice // its slices
}

// NewServices makes n Services, publishes them, and sends every object through protobuf, as an informer gets them. The same seed makes
// the same Services in the same order, which is no order of theirs.
func NewServices(n int, seed int64) (*Services, error) {
	random := rand.New(rand.NewSource(seed))
	all := &Services{nodes: map[string]*corev1.Node{}}
	for i := range max(3, n/5) {
		node := NewNode(fmt.Sprintf("node-%d", i), string(rune('a'+i%3)), 8)
		all.nodes[node.Name] = node
	}
	for i := range n {
		c := all.newService(i, podsOfService(random), random)
		if _, err := c.PublishAll(BySlicewright); err != nil {
			return nil, err
		}
		if err := c.decode(); err != nil {
			return nil, err
		}
		random.Shuffle(len(c.Pods), func(i, j int) { c.Pods[i], c.Pods[j] = c.Pods[j], c.Pods[i] })
		all.list = append(all.list, &oneService{Cluster: c, pods: c.selected(), existing: c.live()})
	}
	random.Shuffle(n, func(i, j int) { all.list[i], all.list[j] = all.list[j], all.list[i] })
	return all, nil
}

// newService makes a Service with its Pods. Every tenth has both families.
func (all *Services) newService(i, pods int, random *rand.Rand) *Cluster {
	c := NewCluster(0)
	name := fmt.Sprintf("app-%d", i)
	c.Nodes = all.nodes
	c.Service.Namespace, c.Service.Name, c.Service.UID = fmt.Sprintf("team-%d", i%50), name, types.UID("service-"+name)
	c.Service.Spec.Selector = map[string]string{"app": name}
	if i%10 == 0 {
		c.Service.Spec.ClusterIPs = append(c.Service.Spec.ClusterIPs, "fd00::1")
		c.Service.Spec.IPFamilies = append(c.Service.Spec.IPFamilies, corev1.IPv6Protocol)
	}
	for range pods {
		c.Pods = append(c.Pods, podOf(c, all.pods, random))
		all.pods++
	}
	return c
}

// podOf makes the i-th Pod of all, for one Service, on any Node.
func podOf(c *Cluster, i int, random *rand.Rand) *corev1.Pod {
	pod := NewPod(i, fmt.Sprintf("node-%d", random.Intn(len(c.Nodes))))
	pod.Namespace, pod.Name = c.Service.Namespace, c.Service.Name+pod.Name
	pod.Labels["app"] = c.Service.Spec.Selector["app"]
	if len(c.Service.Spec.IPFamilies) > 1 {
		pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: fmt.Sprintf("fd00:10::%x:%x", i>>16, i&0xffff)})
	}
	return pod
}

// Small are the Services with at most smallService Pods, in the same order.
func (all *Services) Small() *Services {
	small := slices.DeleteFunc(slices.Clone(all.list), func(s *oneService) bool { return len(s.pods) > smallService })
	return &Services{list: small, nodes: all.nodes}
}

// Len is the number of Services.
func (all *Services) Len() int { return len(all.list) }

// BySlicewright syncs each Service once, and returns the number of writes.
func (all *Services) BySlicewright() (int, error) {
	return all.sync(func(s *oneService) ([]Write, error) { return plan(s.Cluster, s.pods) })
}

// Kubernetes returns a function that syncs each Service once with one Reconciler, as kube-controller-manager has it, and
// returns the number of writes.
func (all *Services) Kubernetes() func() (int, error) {
	r := NewReference(&Cluster{Nodes: all.nodes, Max: 100})
	return func() (int, error) {
		return all.sync(func(s *oneService) ([]Write, error) { return r.Reconcile(s.Cluster, s.pods, s.existing) })
	}
}

func (all *Services) sync(one func(*oneService) ([]Write, error)) (writes int, err error) {
	for _, s := range all.list {
		w, err := one(s)
		if err != nil {
			return 0, err
		}
		writes += len(w)
	}
	return writes, nil
}

// smallService is the largest number of Pods that counts as small: six of ten Services have no more.
const smallService = 3

// podsOfService draws a size as clusters have them: 60% of the Services have 1 to 3 Pods, 30% have 4 to 20, 9% 21 to 200 and 1% 201
// to 2 000.
func podsOfService(random *rand.Rand) int {
	switch p := random.Intn(100); {
	case p < 60:
		return 1 + random.Intn(smallService)
	case p < 90:
		return 4 + random.Intn(17)
	case p < 99:
		return 21 + random.Intn(180)
	default:
		return 201 + random.Intn(1800)
	}
}
