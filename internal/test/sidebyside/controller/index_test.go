package controller

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer/service"
)

// due is a queue that notes when each Service is due.
type due struct {
	queue
	after map[client.ObjectKey]time.Duration
}

func (d *due) Add(r ctrl.Request)                           { d.after[r.NamespacedName] = 0 }
func (d *due) AddAfter(r ctrl.Request, after time.Duration) { d.after[r.NamespacedName] = after }
func (d *due) taken() (all map[client.ObjectKey]time.Duration) {
	all, d.after = d.after, nil
	return all
}

// smallWorld has few names, so that random changes meet.
type smallWorld struct {
	random   *rand.Rand
	services map[string]*corev1.Service
	pods     map[string]*corev1.Pod
	nodes    map[string]*corev1.Node
}

func (w *smallWorld) meta(kind string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: w.one("shop", "bank"), Name: kind + w.one("0", "1", "2", "3"), Labels: w.labels()}
}

func (w *smallWorld) one(of ...string) string { return of[w.random.IntN(len(of))] }

func (w *smallWorld) labels() map[string]string {
	all := map[string]string{"app": w.one("web", "db"), "tier": w.one("a", "b"), "odd": w.one("", "x")}
	delete(all, w.one("app", "tier", "odd", "none"))
	return all
}

func (w *smallWorld) newService() *corev1.Service {
	svc := &corev1.Service{ObjectMeta: w.meta("s")}
	svc.Spec.Selector = w.labels()
	delete(svc.Spec.Selector, w.one("app", "tier", "odd"))
	svc.Annotations = map[string]string{corev1.AnnotationTopologyMode: w.one("Auto", "")}
	return svc
}

func (w *smallWorld) newPod() *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: w.meta("p")}
	pod.Spec.NodeName = w.one("", "n0", "n1", "n2")
	pod.Status.PodIP = w.one("10.0.0.1", "10.0.0.2")
	return pod
}

func (w *smallWorld) newNode() *corev1.Node {
	node := &corev1.Node{ObjectMeta: w.meta("n")}
	node.Namespace = ""
	node.Labels = map[string]string{corev1.LabelTopologyZone: w.one("a", "b")}
	node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(w.one("2", "4"))}
	node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionStatus(w.one("True", "False"))}}
	return node
}

// change puts an object into a map, or takes it out, and returns it as it was and is.
func change[O client.Object](w *smallWorld, all map[string]O, o O) (was, is O) {
	key := client.ObjectKeyFromObject(o).String()
	was, known := all[key]
	if delete(all, key); !known || w.random.IntN(3) > 0 {
		all[key], is = o, o
	}
	return was, is
}

// TestEventsAgainstOracle makes random changes of Services, Pods and Nodes. After each the index has what a search finds, and exactly
// the Services are enqueued whose plans read what changed, as a look at every Service says.
func TestEventsAgainstOracle(t *testing.T) {
	enqueued := 0
	for seed := range uint64(300) {
		w := &smallWorld{rand.New(rand.NewPCG(seed, 1)), map[string]*corev1.Service{}, map[string]*corev1.Pod{}, map[string]*corev1.Node{}}
		e, q := &events{index: newIndex(), written: newTracker(), batch: 3 * time.Second}, &due{}
		for range 60 {
			q.after = map[client.ObjectKey]time.Duration{}
			want := map[client.ObjectKey]time.Duration{}
			switch w.random.IntN(4) {
			case 0:
				was, is := change(w, w.services, w.newService())
				if e.service(q, was, is); is != nil && service.ServiceMatters(was, is) {
					want[client.ObjectKeyFromObject(is)] = 0
				}
			case 1:
				was, is := change(w, w.nodes, w.newNode())
				e.node(q, was, is, false)
				w.concerned(want, func(svc *corev1.Service) bool {
					return service.NodeMatters(was, is) && w.uses(svc, was, is) ||
						hints.NodesMatter(was, is, hints.NodeOptions{}) && hints.ModeOf(svc) == hints.Proportional
				})
			default:
				was, is := change(w, w.pods, w.newPod())
				e.pod(q, was, is, false)
				w.concerned(want, func(svc *corev1.Service) bool {
					return service.PodMatters(was, is, service.Options{}) &&
						(service.Selects(svc, was, service.Options{}) || service.Selects(svc, is, service.Options{}))
				})
			}
			if got := q.taken(); !maps.Equal(got, want) {
				t.Fatalf("seed %d: %v are enqueued, want %v", seed, got, want)
			}
			enqueued += len(want)
			w.compare(t, e.index)
		}
	}
	if enqueued < 5000 {
		t.Errorf("only %d times was a Service enqueued", enqueued)
	}
}

func (w *smallWorld) concerned(to map[client.ObjectKey]time.Duration, is func(*corev1.Service) bool) {
	for _, svc := range w.services {
		if is(svc) {
			to[client.ObjectKeyFromObject(svc)] = 3 * time.Second
		}
	}
}

// uses reports whether a Service has a Pod on a Node.
func (w *smallWorld) uses(svc *corev1.Service, nodes ...*corev1.Node) bool {
	for _, pod := range w.pods {
		if service.Selects(svc, pod, service.Options{}) && slices.ContainsFunc(nodes, func(n *corev1.Node) bool {
			return n != nil && n.Name == pod.Spec.NodeName
		}) {
			return true
		}
	}
	return false
}

// compare compares the index with a search.
func (w *smallWorld) compare(t *testing.T, x *index) {
	t.Helper()
	for _, svc := range w.services {
		found, pods, _ := x.read(client.ObjectKeyFromObject(svc))
		var got, want []string
		for _, pod := range pods {
			if service.Selects(svc, pod, service.Options{}) {
				got = append(got, fmt.Sprintf("%p", pod))
			}
		}
		for _, pod := range w.pods {
			if service.Selects(svc, pod, service.Options{}) {
				want = append(want, fmt.Sprintf("%p", pod))
			}
		}
		if slices.Sort(got); found != svc || !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Fatalf("%s has Pods %v, want %v", svc.Name, got, want)
		}
	}
	nodes := slices.Collect(maps.Values(w.nodes))
	zones := x.zones()
	if want := hints.NodeWeights(nodes, hints.NodeOptions{}); len(zones.nodes) != len(nodes) || !reflect.DeepEqual(zones.weights, want) {
		t.Fatalf("%d Nodes with weights %v, want %d with %v", len(zones.nodes), zones.weights, len(nodes), want)
	}
	for _, node := range nodes {
		if known := zones.nodes[node.Name]; service.NodeMatters(known, node) {
			t.Fatalf("Node %s is known as %v", node.Name, known)
		}
	}
}
