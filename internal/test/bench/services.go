package bench

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// Fleet is Services of one cluster, with what is published for them.
type Fleet []*Sync

// Services returns n Services of a family, IPv4 if it is empty, with the same number of Pods. The
// same arguments give the same Services.
func Services(n, pods int, family corev1.IPFamily) Fleet {
	families := []corev1.IPFamily{cmp.Or(family, corev1.IPv4Protocol)}
	return newFleet(max(100, pods/20), n, func(int, *rand.Rand) (int, []corev1.IPFamily) { return pods, families })
}

// Drawn returns n Services of the sizes that clusters have: 60% of them have 1 to 3 Pods, 30% have
// 4 to 20, 9% have 21 to 200 and 1% have 201 to 2 000. Every tenth Service has both families.
func Drawn(n int) Fleet {
	return newFleet(max(3, n/5), n, func(i int, random *rand.Rand) (int, []corev1.IPFamily) {
		families := []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
		if i%10 > 0 {
			families = families[:1]
		}
		switch p := random.Intn(100); {
		case p < 60:
			return 1 + random.Intn(3), families
		case p < 90:
			return 4 + random.Intn(17), families
		case p < 99:
			return 21 + random.Intn(180), families
		default:
			return 201 + random.Intn(1800), families
		}
	})
}

// newFleet returns n Services on some Nodes. Services, Pods and endpoints are in no order, and no
// two objects share memory, not even texts, as in the informers of a controller that has run for a
// while.
func newFleet(nodes, n int, draw func(i int, random *rand.Rand) (pods int, families []corev1.IPFamily)) Fleet {
	random := rand.New(rand.NewSource(1))
	all := newNodes(nodes)
	first := 0
	fleet := make(Fleet, n)
	for i := range fleet {
		s := &Sync{Service: NewService(fmt.Sprintf("team-%d", i%50), fmt.Sprintf("app-%d", i)), Nodes: all,
			first: first}
		var pods int
		pods, s.Service.Spec.IPFamilies = draw(i, random)
		for k := range pods {
			s.Pods = append(s.Pods, NewPod(s.Service, first+k, fmt.Sprintf("node-%d", random.Intn(nodes))))
		}
		first += 2 * pods // each Pod can be replaced once
		s.publish(random)
		fleet[i] = s
	}
	random.Shuffle(n, func(i, j int) { fleet[i], fleet[j] = fleet[j], fleet[i] })
	return fleet
}

// publish makes the slices of a Service, as an API server has them, and decodes all objects.
func (s *Sync) publish(random *rand.Rand) {
	shuffle(random, s.Pods)
	server := &sim.Server{}
	for _, step := range must(s.Plan()).Steps {
		created := must(server.Create(step.New))
		shuffle(random, created.Endpoints)
		s.Slices = append(s.Slices, decoded(created, &discoveryv1.EndpointSlice{}))
	}
	for i, pod := range s.Pods {
		s.Pods[i] = decoded(pod, &corev1.Pod{})
	}
	shuffle(random, s.Pods)
}

// After returns the Services after a change, which share the Pods and slices that stayed.
func (f Fleet) After(c Change) []*Sync {
	changed := make([]*Sync, len(f))
	for i, s := range f {
		after := *s
		after.Before, after.Change = s, c
		if c == TargetPort {
			after.Service = s.Service.DeepCopy()
			after.Service.Spec.Ports[0].TargetPort = intstr.FromInt32(8081)
		}
		if n := c.Replaced(len(s.Pods)); n > 0 {
			after.Pods = slices.Clone(s.Pods)
			for k := range n {
				replaced := NewPod(s.Service, s.first+len(s.Pods)+k, s.Pods[k].Spec.NodeName)
				after.Pods[k] = decoded(replaced, &corev1.Pod{})
			}
			shuffle(rand.New(rand.NewSource(2)), after.Pods)
		}
		changed[i] = &after
	}
	return changed
}

func shuffle[T any](random *rand.Rand, list []T) {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// decoded sends an object through protobuf, as an informer gets it.
func decoded[T interface{ Unmarshal([]byte) error }](from interface{ Marshal() ([]byte, error) }, to T) T {
	if err := to.Unmarshal(must(from.Marshal())); err != nil {
		panic(err)
	}
	return to
}

// must is for calls whose arguments are right.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
