package services_test

import (
	"cmp"
	"encoding/json"
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
	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// manager is who publishes in these tests.
const manager = services.KubernetesManager

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

// nodes knows n1 in zone z1, n2 in zone z2, and n3 without zone.
func nodes(name string) *corev1.Node {
	zones := map[string]map[string]string{"n1": {corev1.LabelTopologyZone: "z1"},
		"n2": {corev1.LabelTopologyZone: "z2"}, "n3": {}}
	if labels, ok := zones[name]; ok {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	}
	return nil
}

// orEmpty gives an empty Node for one that is not found.
func orEmpty(node func(string) *corev1.Node) func(string) *corev1.Node {
	return func(name string) *corev1.Node {
		if found := node(name); found != nil {
			return found
		}
		return &corev1.Node{}
	}
}

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
			line += " " + notation.Endpoint(&g.Endpoints[i], "shop")
		}
		lines = append(lines, usual.ReplaceAllStringFunc(line, hideUsual))
	}
	return strings.Join(lines, "\n")
}

// skipTexts prints each Skip on a line: where it stands, what is not published, the reason, and
// what of it.
func skipTexts(skips []slicer.Skip) string {
	var lines []string
	for _, s := range skips {
		name := s.Object.Name
		if s.Object.Namespace != "" {
			name = s.Object.Namespace + "/" + name
		}
		what := strings.Join(strings.Fields(fmt.Sprint(s.Path, " ", name)), " ") + ": " + string(s.Reason)
		if s.Err == nil || s.Err.Error() == "" {
			what += " WITHOUT ERROR"
		}
		lines = append(lines, strings.TrimSpace(what+" "+string(s.AddressType)+s.Address+s.Port))
	}
	return strings.Join(lines, "\n")
}

// derive calls Input and checks that it changes nothing, nor shares memory with what it is given.
func derive(t rapid.TB, svc *corev1.Service, pods []*corev1.Pod, node func(string) *corev1.Node,
	o services.Options) (slicer.Input, error) {
	t.Helper()
	o.ManagedBy = cmp.Or(o.ManagedBy, manager)
	return untouched(t, []any{svc, pods, o.Adopt}, func() (slicer.Input, error) {
		return services.Input(svc, pods, node, o)
	})
}

// deriveBackends is derive for BackendsInput.
func deriveBackends(t rapid.TB, svc *corev1.Service, backends []services.Backend,
	o services.Options) (slicer.Input, error) {
	t.Helper()
	o.ManagedBy = cmp.Or(o.ManagedBy, manager)
	return untouched(t, []any{svc, backends, o.Adopt}, func() (slicer.Input, error) {
		return services.BackendsInput(svc, backends, o)
	})
}

func untouched(t rapid.TB, given []any, f func() (slicer.Input, error)) (slicer.Input, error) {
	t.Helper()
	before := jsonText(given...)
	in, err := f()
	if d := gocmp.Diff(before, jsonText(given...)); d != "" {
		t.Errorf("the call changed what it was given:\n%s", d)
	}
	if a, b, shared := memory.Shared(memory.Value{Owner: "the Input", Of: &in},
		memory.Value{Owner: "the call", Of: &given}); shared {
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

// TestInputAddresses: endpoints have memory of their own.
func TestInputAddresses(t *testing.T) {
	in, err := derive(t, aService(), []*corev1.Pod{aPod(1, withIPs("10.0.0.1", "10.0.0.2")), aPod(3)}, nodes,
		services.Options{})
	if err != nil || len(in.Groups[0].Endpoints) != 3 {
		t.Fatal(groups(in), err)
	}
	for _, e := range in.Groups[0].Endpoints {
		if len(e.Addresses) != 1 || cap(e.Addresses) != 1 {
			t.Errorf("addresses %v with room for %d: appending to one would overwrite another", e.Addresses,
				cap(e.Addresses))
		}
	}
}

// TestNodes: each Node is asked for once, whichever Pods come before, and gives its zone.
func TestNodes(t *testing.T) {
	c, asked := newServiceCluster(6000), map[string]int{}
	in, err := services.Input(c.service, c.pods, func(name string) *corev1.Node {
		asked[name]++
		return c.node(name)
	}, services.Options{ManagedBy: manager})
	if err != nil || len(asked) != len(c.nodes) {
		t.Fatalf("error %v, %d of %d Nodes are asked for", err, len(asked), len(c.nodes))
	}
	for _, e := range in.Groups[0].Endpoints {
		if name := *e.NodeName; asked[name] != 1 || *e.Zone != c.nodes[name].Labels[corev1.LabelTopologyZone] {
			t.Fatalf("%s is asked for %d times, and its zone is %s", name, asked[name], *e.Zone)
		}
	}
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

// TestKeyLabelTellsParentsApart: Selections of one KeyLabel whose names are equal in their first 63
// characters, and that have no owner, are planned in turns. After the first turn nothing is
// written, and no plan lists a slice of another parent.
func TestKeyLabelTellsParentsApart(t *testing.T) {
	long := strings.Repeat("x", 100)
	all := map[string]*discoveryv1.EndpointSlice{}
	o := services.Options{ManagedBy: manager, KeyLabel: "example.com/pool"}
	for turn := range 9 {
		pool := *aSelection("Pool")
		pool.Parent.Name, pool.Owners = []string{"web", long + "a", long + "b"}[turn%3], nil
		pool.Selector.MatchLabels = aService().Spec.Selector
		plan, err := services.PlanSelection(pool, []*corev1.Pod{aPod(1 + turn%3)}, nodes,
			slices.Collect(maps.Values(all)), o)
		if err != nil || plan.Empty() != (turn > 2) || len(plan.Ignored) > 0 || len(plan.Skips) > 0 {
			t.Errorf("turn %d: error %v\n%v", turn, err, plan)
		}
		for _, s := range plan.After() {
			if all[s.Name] = s; !labels.SelectorFromSet(o.Key(pool.Parent.Name)).Matches(labels.Set(s.Labels)) {
				t.Errorf("Key(%q) does not find the labels %v", pool.Parent.Name, s.Labels)
			}
		}
	}
	if len(all) != 3 {
		t.Errorf("%d slices", len(all))
	}
}

// TestPortNumbers: the smallest and the largest number of a Backend are published, and a number
// beyond them leaves the port out.
func TestPortNumbers(t *testing.T) {
	svc := aService(withPorts(servicePort("http", 80, intstr.FromInt32(8080))))
	for given, want := range map[int32]string{1: "1", 65535: "65535", 0: "none", 65536: "none"} {
		b := services.Backend{Addresses: []string{"10.0.0.1"}, PortNumbers: map[string]int32{"http": given}}
		in, err := services.BackendsInput(svc, []services.Backend{b}, services.Options{ManagedBy: manager})
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		for _, g := range in.Groups {
			for _, p := range g.Ports {
				got = fmt.Sprint(*p.Port)
			}
		}
		if got != want {
			t.Errorf("%d: port %s, want %s", given, got, want)
		}
	}
}
