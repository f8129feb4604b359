// Package concurrency calls what the package comments call safe for concurrent use from many
// goroutines, on shared inputs. Under the race detector it finds what calls share through their
// pools and what they write into their inputs.
package concurrency

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/recovery"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

const (
	manager    = "concurrency.example.com"
	goroutines = 4
	turns      = 3
)

// TestSyncsAtOnce lets workers sync the same Services with one Syncer, whose API server and cache
// take one call at a time.
func TestSyncsAtOnce(t *testing.T) {
	server := recovery.NewServer(true)
	access, one := server.Slices(), sync.Mutex{}
	syncer := publish.New(publish.Slices{
		Cached: func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
			one.Lock()
			defer one.Unlock()
			return access.Cached(namespace, selector)
		},
		UpTo: func() string {
			one.Lock()
			defer one.Unlock()
			server.Show()
			return access.UpTo()
		},
		List: access.List, Get: access.Get,
		Writer: func(ctx context.Context, namespace string) publish.Writer {
			w := access.Writer(ctx, namespace)
			return publish.Writer{Create: func(s *discoveryv1.EndpointSlice) error {
				one.Lock()
				defer one.Unlock()
				return w.Create(s)
			}}
		},
	}, services.Options{ManagedBy: manager})
	var group sync.WaitGroup
	for g := range goroutines {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 100 {
				svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop",
					Name: fmt.Sprint("web-", (i+g)%10), UID: "1"}}
				svc.Spec.ClusterIP = corev1.ClusterIPNone
				backends := []services.Backend{{Name: "vm", Addresses: []string{"10.0.0.1"}, Ready: true}}
				if _, err := syncer.Backends(context.Background(), svc, backends); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	if n := len(server.Stored()); n != 20 {
		t.Errorf("%d slices, want two for each of ten Services", n)
	}
}

// TestCallsAtOnce makes every call alone, and then from several goroutines in orders of their own:
// each answers as it did alone.
func TestCallsAtOnce(t *testing.T) {
	calls := calls(t)
	alone := make([]any, len(calls))
	for i, call := range calls {
		alone[i] = call()
	}
	var group sync.WaitGroup
	for g := range goroutines {
		order := rand.New(rand.NewPCG(uint64(g), 0))
		group.Add(1)
		go func() {
			defer group.Done()
			for range turns {
				for _, i := range order.Perm(len(calls)) {
					if got := calls[i](); !reflect.DeepEqual(alone[i], got) {
						t.Errorf("call %d (- alone, + at once):\n%s", i, cmp.Diff(alone[i], got))
					}
				}
			}
		}()
	}
	group.Wait()
}

// calls are closures over inputs that all goroutines share.
func calls(t *testing.T) []func() any {
	worlds := rapid.Custom(gen.World)
	var all []func() any
	for seed := range 10 {
		w := worlds.Example(seed)
		all = append(all, func() any { return answer(w.Compute()) }, func() any { return read(w) })
	}
	for _, n := range []int{1, 3, 40} {
		all = append(all, ofService(t, n)...)
	}
	return all
}

// answer makes of a plan what can be compared.
func answer(plan slicer.Plan, err error) any {
	return []any{plan.Steps, plan.Unchanged, len(plan.Ignored), fmt.Sprint(plan.Skips), plan.Hints, fmt.Sprint(err)}
}

// read asks the readers' functions about the slices of a world.
func read(w given.World) any {
	found, problems := dedup.OnePort(w.Existing, dedup.PortOptions{Port: "http"})
	addresses, more := dedup.Addresses(w.Existing, dedup.AddressOptions{})
	return fmt.Sprint(found, problems, addresses, more, shown(dedup.Merge(w.Existing, dedup.Options{})))
}

// shown reads all that a view has.
func shown(view dedup.View) any {
	var text []string
	for port, endpoint := range view.All() {
		text = append(text, fmt.Sprint(port, endpoint))
	}
	return fmt.Sprint(text, view.Problems())
}

// ofService are the calls about a Service of n Pods on five Nodes in three zones.
func ofService(t *testing.T, n int) []func() any {
	svc, pods, nodes := objects(n)
	same := "PreferSameZone"
	near := svc.DeepCopy()
	near.Spec.TrafficDistribution = &same
	auto := svc.DeepCopy()
	auto.Annotations = map[string]string{"service.kubernetes.io/topology-mode": "Auto"}
	o := services.Options{ManagedBy: manager}
	weighted := o
	weighted.Hints.Weights = hints.NodeWeights(nodes, nil)
	node := services.NodesByName(nodes)

	first, err := services.Plan(svc, pods[:n/2], node, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	existing := first.After()
	endpoints, _, err := mirror.ToEndpoints(existing, mirror.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	view := dedup.Merge(existing, dedup.Options{})
	return []func() any{
		func() any { return answer(services.Plan(svc, pods, node, existing, o)) },
		func() any { return answer(services.Plan(near, pods, node, existing, o)) },
		func() any { return answer(services.Plan(auto, pods, node, existing, weighted)) },
		func() any { return answer(mirror.Plan(endpoints, nil, nil, mirror.Options{ManagedBy: manager})) },
		func() any { return shown(view) },
		func() any { return routed(existing) },
	}
}

func routed(existing []*discoveryv1.EndpointSlice) any {
	found, _ := dedup.OnePort(existing, dedup.PortOptions{Port: "http"})
	at := routing.Location{NodeName: "node-1", Zone: "zone-1"}
	return fmt.Sprint(routing.Route(found, dedup.Found.Candidate, at, routing.Policy{}))
}

// objects are a Service for both families, n Pods and five Nodes.
func objects(n int) (*corev1.Service, []*corev1.Pod, []*corev1.Node) {
	both := []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"app": "web"}, IPFamilies: both, ClusterIPs: []string{"10.96.0.1", "fd00:1::1"},
			ClusterIP: "10.96.0.1",
			Ports: []corev1.ServicePort{{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP,
				TargetPort: intstr.FromInt32(8080)}},
		},
	}
	var nodes []*corev1.Node
	for i := range 5 {
		nodes = append(nodes, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: "node-" + strconv.Itoa(i),
				Labels: map[string]string{corev1.LabelTopologyZone: "zone-" + strconv.Itoa(i%3)}},
			Status: corev1.NodeStatus{
				Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
				Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")},
			},
		})
	}
	var pods []*corev1.Pod
	for i := range n {
		ready := []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		ips := []corev1.PodIP{{IP: gen.Address(i)}, {IP: fmt.Sprintf("fd00::%x", i+1)}}
		pods = append(pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-" + strconv.Itoa(i),
				Labels: map[string]string{"app": "web"}},
			Spec:   corev1.PodSpec{NodeName: nodes[i%5].Name},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: ips[0].IP, PodIPs: ips, Conditions: ready},
		})
	}
	return svc, pods, nodes
}
