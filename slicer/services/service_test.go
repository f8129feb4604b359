package services_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// manager is who publishes in these tests.
const manager = services.KubernetesManager

// kubernetes are the Options of a controller that runs in place of Kubernetes'.
var kubernetes = services.Options{ManagedBy: manager, ReplacesKubernetes: true}

func ptr[T any](v T) *T { return &v }

// aService returns Service shop/web with one port, http 80 to 8080, and both families, changed by
// each edit.
func aService(edits ...func(*corev1.Service)) *corev1.Service {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "svc", CreationTimestamp: at(100)},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.96.0.1", IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector: map[string]string{"app": "web"},
			Ports: []corev1.ServicePort{{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80,
				TargetPort: intstr.FromInt32(8080)}},
		},
	}
	for _, edit := range edits {
		edit(svc)
	}
	return svc
}

func at(seconds int64) metav1.Time { return metav1.Time{Time: time.Unix(seconds, 0).UTC()} }

// aPod returns the ready Pod shop/web-i on Node n1 with address 10.0.0.i, changed by each edit.
func aPod(i int, edits ...func(*corev1.Pod)) *corev1.Pod {
	ip := fmt.Sprintf("10.0.0.%d", i)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: fmt.Sprintf("web-%d", i), UID: types.UID(fmt.Sprintf("u%d", i)),
			Labels: map[string]string{"app": "web"}, ResourceVersion: "7",
		},
		Spec: corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
	for _, edit := range edits {
		edit(pod)
	}
	return pod
}

func withIPs(ips ...string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		pod.Status.PodIP, pod.Status.PodIPs = "", nil
		for _, ip := range ips {
			pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: ip})
		}
	}
}

func withFamilies(families ...corev1.IPFamily) func(*corev1.Service) {
	return func(svc *corev1.Service) { svc.Spec.IPFamilies = families }
}

func unready(pod *corev1.Pod)  { pod.Status.Conditions[0].Status = corev1.ConditionFalse }
func deleting(pod *corev1.Pod) { pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }

func publishingNotReady(svc *corev1.Service) { svc.Spec.PublishNotReadyAddresses = true }

func external(svc *corev1.Service)   { svc.Spec.Type = corev1.ServiceTypeExternalName }
func unselected(svc *corev1.Service) { svc.Spec.Selector = nil }

func headless(svc *corev1.Service) { svc.Spec.ClusterIP = corev1.ClusterIPNone }

// nodes has n1 in zone z1, n2 in zone z2, and n3 without zone.
var nodes = services.NodesByName([]*corev1.Node{nil, aNode("n1", "z1"), aNode("n2", "z2"), aNode("n3", "")})

func aNode(name, zone string) *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	if zone != "" {
		node.Labels[corev1.LabelTopologyZone] = zone
	}
	return node
}

// failing is a cache of Nodes that cannot be read.
type failing struct{}

func (failing) Get(string) (*corev1.Node, error) { return nil, errors.New("the cache is closed") }

// usual is what braces hold for a Pod that aPod returns unchanged.
var usual = regexp.MustCompile(`\{pod=web-(\d+),uid=u(\d+),node=n1,zone=z1,ready,serving,!terminating\}`)

func hideUsual(fields string) string {
	if m := usual.FindStringSubmatch(fields); m[1] == m[2] {
		return ""
	}
	return fields
}

// groups prints each group on a line, and of the fields of endpoints only those that are not the
// usual ones.
func groups(in slicer.Input) string {
	var lines []string
	for _, g := range in.Groups {
		line := notation.AddressType(g.AddressType) + " " + notation.Ports(g.Ports) + " |"
		for i := range g.Endpoints {
			line += " " + notation.Endpoint(&g.Endpoints[i].API, "shop")
		}
		lines = append(lines, usual.ReplaceAllStringFunc(line, hideUsual))
	}
	return strings.Join(lines, "\n")
}

// derive calls FromPods and checks that it changes nothing, nor shares memory with what it is given.
func derive(
	t rapid.TB, svc *corev1.Service, pods []*corev1.Pod, nodes services.Nodes, o services.Options,
) (slicer.Input, error) {
	t.Helper()
	return untouched(t, []any{svc, pods, o.AddressTypes}, func() (slicer.Input, error) {
		return services.FromPods(svc, pods, nodes, o)
	})
}

// deriveBackends is derive for FromBackends.
func deriveBackends(
	t rapid.TB, svc *corev1.Service, backends []services.Backend, o services.Options,
) (slicer.Input, error) {
	t.Helper()
	return untouched(t, []any{svc, backends, o.AddressTypes}, func() (slicer.Input, error) {
		return services.FromBackends(svc, backends, o)
	})
}

func untouched(t rapid.TB, given []any, f func() (slicer.Input, error)) (slicer.Input, error) {
	t.Helper()
	before := jsonText(given...)
	in, err := f()
	if d := gocmp.Diff(before, jsonText(given...)); d != "" {
		t.Errorf("the call changed what it was given:\n%s", d)
	}
	if a, b, shared := check.Shared(check.Memories{Owner: "the Input", Of: &in},
		check.Memories{Owner: "the call", Of: &given}); shared {
		t.Errorf("%s and %s share memory", a, b)
	}
	return in, err
}

// jsonText is all that values say, but for errors.
func jsonText(values ...any) string {
	text, err := json.Marshal(values)
	if err != nil { // what nobody can store
		return fmt.Sprint(values...)
	}
	return string(text)
}

func servicePort(name string, port int32, target intstr.IntOrString) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Protocol: corev1.ProtocolTCP, Port: port, TargetPort: target}
}

func withPorts(ports ...corev1.ServicePort) func(*corev1.Service) {
	return func(svc *corev1.Service) { svc.Spec.Ports = ports }
}

var named = intstr.FromString

// declares adds a container with these ports to a Pod.
func declares(ports ...corev1.ContainerPort) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Ports: ports}) }
}

// declaresInit adds an init container that restarts so.
func declaresInit(policy *corev1.ContainerRestartPolicy, ports ...corev1.ContainerPort) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{RestartPolicy: policy, Ports: ports})
	}
}

func containerPort(name string, number int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolTCP}
}

func restart(policy corev1.ContainerRestartPolicy) *corev1.ContainerRestartPolicy { return &policy }

// TestNameLabelTellsParentsApart: Selections of one NameLabel whose names are equal in their first
// 63 characters, and that have no owner, are planned in turns. After the first turn nothing is
// written, and no plan lists a slice of another parent.
func TestNameLabelTellsParentsApart(t *testing.T) {
	long := strings.Repeat("x", 100)
	all := map[string]*discoveryv1.EndpointSlice{}
	o := services.Options{ManagedBy: manager, NameLabel: "example.com/pool"}
	for turn := range 9 {
		pool := *aSelection("Pool")
		pool.Parent.Name, pool.OwnerReferences = []string{"web", long + "a", long + "b"}[turn%3], nil
		pool.Selector.MatchLabels = aService().Spec.Selector
		in, err := services.FromSelection(pool, []*corev1.Pod{aPod(1 + turn%3)}, nodes, o)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := slicer.Compute(in, slices.Collect(maps.Values(all)))
		if err != nil || (len(plan.Steps) == 0) != (turn > 2) || len(plan.Ignored)+len(plan.Warnings) > 0 {
			t.Errorf("turn %d: error %v\n%v", turn, err, plan)
		}
		for _, s := range plan.After() {
			if all[s.Name] = s; !in.Key.Selector().Matches(labels.Set(s.Labels)) {
				t.Errorf("the Key of %q does not select the labels %v", pool.Parent.Name, s.Labels)
			}
		}
	}
	if len(all) != 3 {
		t.Errorf("%d slices", len(all))
	}
}

// TestParentOf: the name of a parent comes from the label, and from an owner reference if it is too
// long for a label.
func TestParentOf(t *testing.T) {
	for _, name := range []string{"web", strings.Repeat("x", 100)} {
		o := services.Options{ManagedBy: manager, NameLabel: "example.com/of"}
		svc := aService(func(svc *corev1.Service) { svc.Name = name })
		in, err := services.FromPods(svc, []*corev1.Pod{aPod(1)}, nodes, o)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := slicer.Compute(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		slice := plan.Steps[0].New
		if parent, ok := o.ParentOf(slice); !ok || parent != (types.NamespacedName{Namespace: "shop", Name: name}) {
			t.Errorf("%v, %v", parent, ok)
		}
		if o.ManagedBy = "another"; services.SliceChanged(nil, slice, o) {
			t.Error("the slice of another manager counts")
		}
	}
}

// counted counts how often each Node is asked for.
type counted struct {
	services.Nodes
	asked map[string]int
}

func (c counted) Get(name string) (*corev1.Node, error) {
	c.asked[name]++
	return c.Nodes.Get(name)
}

// TestNodes: each Node is asked for once, whichever Pods come before, and gives its zone.
func TestNodes(t *testing.T) {
	svc, pods, list := gen.Pods(6000, 1)
	all := counted{services.NodesByName(list), map[string]int{}}
	in, err := services.FromPods(svc, pods, all, kubernetes)
	if err != nil || len(all.asked) != len(list) {
		t.Fatalf("error %v, %d of %d Nodes are asked for", err, len(all.asked), len(list))
	}
	for _, e := range in.Groups[0].Endpoints {
		name := *e.API.NodeName
		if node, _ := all.Nodes.Get(name); all.asked[name] != 1 || *e.API.Zone != node.Labels[corev1.LabelTopologyZone] {
			t.Fatalf("%s is asked for %d times, and its zone is %s", name, all.asked[name], *e.API.Zone)
		}
	}
}
