//lint:file-ignore SA1019 Endpoints are what package mirror converts

package quoted_test

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/quoted"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// input is the arguments of all calls, with a text in each field that one of them reads.
type input struct {
	Service   *corev1.Service
	Pods      []*corev1.Pod
	Nodes     []*corev1.Node
	Existing  []*discoveryv1.EndpointSlice
	Options   services.Options
	Backends  []services.Backend
	Selection services.Selection
	Plan      slicer.Input
	Endpoints *corev1.Endpoints
	Mirror    mirror.Options
	Copy      mirror.CopyOptions
	Import    mcs.Import
	Exports   []mcs.Export
	One       dedup.PortOptions
	Addresses dedup.AddressOptions
	Weights   hints.Weights
	All       dedup.Options
}

// TestNoTextIsPrintedRaw (H7): a line break, an escape sequence and a character that changes the
// direction of writing, in any text of any input, are quoted in every String, Error and Text of
// what the calls return.
func TestNoTextIsPrintedRaw(t *testing.T) {
	in := newInput()
	calls := 0
	quoted.Spoil(in, func(path string) {
		for name, result := range results(in) {
			calls++
			for _, raw := range quoted.Raw(result...) {
				t.Errorf("%s with %s: %s", name, path, raw)
			}
		}
	})
	if calls < 1000 {
		t.Errorf("%d calls: the inputs have too few texts", calls)
	}
}

// text is printed as it is.
type text string

func (s text) String() string { return string(s) }

// results calls everything.
func results(in *input) map[string][]any {
	all := map[string][]any{}
	add := func(name string, results ...any) {
		for _, r := range results {
			if p, ok := r.(slicer.Plan); ok {
				results = append(results, text(p.Summary()), p.Warnings(), p.Retry(), p.Hints, p.Gaps, applied(p))
			}
		}
		all[name] = results
	}
	pair := func(v any, err error) []any { return []any{v, err} }
	plan := func(p slicer.Plan, err error) []any { return []any{p, err} }
	node := services.NodesByName(in.Nodes)
	add("slicer.Compute", plan(slicer.Compute(in.Plan, in.Existing))...)
	strict := in.Plan
	strict.Options.Invalid = slicer.Fail
	add("slicer.Compute with Fail", plan(slicer.Compute(strict, in.Existing))...)
	for _, s := range in.Existing {
		unread, err := slicer.Check(s)
		add("slicer.Check "+string(s.UID), unread, err)
		_, _, err = mirror.CopySlice(s, metav1.ObjectMeta{Namespace: "b", Name: "c"}, in.Copy)
		add("mirror.CopySlice "+string(s.UID), err)
	}
	add("services.Plan", plan(services.Plan(in.Service, in.Pods, node, in.Existing, in.Options))...)
	add("services.PlanBackends", plan(services.PlanBackends(in.Service, in.Backends, in.Existing, in.Options))...)
	add("services.PlanSelection", plan(services.PlanSelection(in.Selection, in.Pods, node, in.Existing, in.Options))...)
	add("services.PlanRemoval", plan(services.PlanRemoval(in.Service, in.Existing, in.Options))...)
	add("mirror.Plan", plan(mirror.Plan(in.Endpoints, in.Service, in.Existing, in.Mirror))...)
	add("mirror.PlanCopy", plan(mirror.PlanCopy(in.Plan.Set, in.Existing, nil, in.Copy))...)
	add("mcs.PlanImport", plan(mcs.PlanImport(in.Import, in.Service.Spec.Ports, in.Existing, nil, in.Copy))...)
	_, skips, err := mirror.ToEndpoints(in.Existing, mirror.ViewOptions{})
	add("mirror.ToEndpoints", skips, err)
	add("mcs.MergeExports", pair(mcs.MergeExports(in.Exports, mcs.Union))...)
	weights := hints.NodeWeights(in.Nodes, nil)
	_, decision, err := hints.Assign(hints.Options{Mode: hints.Proportional, Weights: weights}, slicesOf(in))
	add("hints.Assign", weights, decision, err)
	_, decision, err = hints.Assign(hints.Options{Mode: hints.SameZone, Limit: 20, Weights: weights}, slicesOf(in))
	add("hints.Assign with a limit", decision, err)
	for _, o := range []hints.Options{
		{Mode: hints.Proportional, Weights: in.Weights}, {Mode: hints.SameZone, Limit: 20, Weights: in.Weights},
	} {
		_, decision, err = hints.Assign(o, slicesOf(in))
		add("hints.Assign with Weights, "+string(o.Mode), decision, err)
	}
	reads(in, add)
	return all
}

// reads calls package dedup.
func reads(in *input, add func(name string, results ...any)) {
	found, problems := dedup.OnePort(in.Existing, in.One)
	add("dedup.OnePort", found, problems)
	found, problems = dedup.Addresses(in.Existing, in.Addresses)
	add("dedup.Addresses", found, problems)
	found, problems = dedup.Targets(in.Existing, in.Addresses)
	add("dedup.Targets", found, problems)
	for name, served := range map[string]dedup.Served[dedup.Found]{
		"dedup.OfService": dedup.OfService(in.Service, in.Existing), "dedup.ForGateway": dedup.ForGateway(in.Service, in.Existing),
	} {
		results := []any{served}
		for _, u := range served.Unused {
			results = append(results, text(u.Text))
		}
		add(name, results...)
	}
	ix, err := dedup.NewIndex(in.All)
	if err != nil {
		add("dedup.NewIndex", err)
		return
	}
	ix.Replace(in.Existing)
	changes, problems := ix.Flush()
	results := []any{changes, problems}
	for e := range ix.View().All() {
		results = append(results, e)
	}
	for c := range ix.View().Conflicts() {
		results = append(results, c)
	}
	add("dedup.Index", results...)
}

// applied is the error of a plan whose first step fails.
func applied(p slicer.Plan) error {
	fail := func(*discoveryv1.EndpointSlice) error { return errors.New("refused") }
	remove := func(s *discoveryv1.EndpointSlice, _ *metav1.Preconditions) error { return fail(s) }
	return publish.Apply(p, publish.Writer{Create: fail, Update: fail, Delete: remove})
}

func slicesOf(in *input) (list []hints.Slice) {
	for _, s := range in.Existing {
		list = append(list, hints.Slice{Name: s.Name, Endpoints: s.Endpoints})
	}
	return list
}

func ptr[T any](v T) *T { return &v }

// newInput makes the arguments.
func newInput() *input {
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{
			Namespace: "shop", Name: name, UID: "u-" + "1", Labels: map[string]string{"app": "web"},
			Annotations: map[string]string{"a": "b"},
		}
	}
	in := &input{Service: &corev1.Service{ObjectMeta: meta("web")}}
	in.Service.Spec = corev1.ServiceSpec{
		Selector: map[string]string{"app": "web"}, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
		IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, Type: corev1.ServiceTypeClusterIP,
		TrafficDistribution: ptr(corev1.ServiceTrafficDistributionPreferSameZone),
		Ports: []corev1.ServicePort{
			{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP, AppProtocol: ptr("http"), TargetPort: intstr.FromString("web")},
			{Name: "dns", Port: 53, Protocol: corev1.ProtocolUDP, TargetPort: intstr.FromInt32(53)},
		},
	}
	for i, state := range []corev1.PodPhase{corev1.PodRunning, corev1.PodRunning, corev1.PodFailed} {
		pod := &corev1.Pod{ObjectMeta: meta("web-" + string(rune('0'+i)))}
		pod.Spec = corev1.PodSpec{NodeName: "n1", Hostname: "h", Subdomain: "web", Containers: []corev1.Container{
			{Name: "c", Ports: []corev1.ContainerPort{{Name: "web", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}}},
		}}
		pod.Status = corev1.PodStatus{
			Phase: state, PodIP: "10.0.0." + string(rune('1'+i)),
			PodIPs:     []corev1.PodIP{{IP: "10.0.0." + string(rune('1'+i))}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		}
		in.Pods = append(in.Pods, pod)
	}
	node := &corev1.Node{ObjectMeta: meta("n1")}
	node.Labels = map[string]string{corev1.LabelTopologyZone: "a"}
	in.Nodes = []*corev1.Node{node}
	owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web", UID: "u-1", Controller: ptr(true)}
	for i, address := range []string{"10.0.0.1", "10.0.0.1", "10.0.0.9", "db.example.org"} {
		in.Existing = append(in.Existing, sliceOf(i, address, owner))
	}
	in.Existing[3].AddressType = discoveryv1.AddressTypeFQDN
	in.Options = services.Options{ManagedBy: "test", Adopt: []string{"old"}, Annotations: map[string]string{"c": "d"}}
	in.Weights.Zones = map[string]int64{"a": 2, "b": 1}
	in.Backends = []services.Backend{
		{Name: "b1", Addresses: []string{"10.1.0.1"}, Node: "n1", Zone: "a", Hostname: "h"},
		{Name: "b2", Addresses: []string{"10.1.0.2"},
			TargetRef: corev1.ObjectReference{Kind: "VM", Namespace: "shop", Name: "vm-2"}},
	}
	in.Selection = selectionOf(in)
	in.Plan = slicer.Input{
		Set: slicer.Set{
			Namespace: "shop", Name: "web", ManagedBy: "test",
			Key:    map[string]string{discoveryv1.LabelServiceName: "web"},
			Labels: map[string]string{"l": "m"}, Owners: []metav1.OwnerReference{owner},
		},
		Groups: []slicer.Group{{
			AddressType: discoveryv1.AddressTypeIPv4, Ports: in.Existing[0].Ports,
			Endpoints: in.Existing[2].DeepCopy().Endpoints,
		}},
	}
	fillMirror(in)
	return in
}

func sliceOf(i int, ip string, owner metav1.OwnerReference) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "web-" + string(rune('a'+i)), UID: "s-" + owner.UID, ResourceVersion: "7",
		Labels:          map[string]string{discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: "test"},
		Annotations:     map[string]string{"a": "b"},
		OwnerReferences: []metav1.OwnerReference{owner},
	}, AddressType: discoveryv1.AddressTypeIPv4}
	s.Ports = []discoveryv1.EndpointPort{
		{Name: ptr("http"), Port: ptr(int32(8080)), Protocol: ptr(corev1.ProtocolTCP), AppProtocol: ptr("http")},
		{Name: ptr("more"), Port: ptr(int32(81)), Protocol: ptr(corev1.ProtocolTCP)},
	}
	s.Endpoints = []discoveryv1.Endpoint{{
		Addresses: []string{ip}, Hostname: ptr("h"), NodeName: ptr("n1"), Zone: ptr("a"),
		TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-0", UID: "u-1"},
		Hints: &discoveryv1.EndpointHints{
			ForZones: []discoveryv1.ForZone{{Name: "a"}}, ForNodes: []discoveryv1.ForNode{{Name: "n1"}},
		},
	}}
	return s
}

// fillMirror makes the arguments of package mirror and dedup.
func fillMirror(in *input) {
	in.Endpoints = &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "e"}}
	in.Endpoints.Subsets = []corev1.EndpointSubset{{
		Addresses: []corev1.EndpointAddress{{IP: "10.0.0.1", Hostname: "h", NodeName: ptr("n1")}},
		Ports:     []corev1.EndpointPort{{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP}, {Name: "", Port: 81}},
	}}
	in.Mirror = mirror.Options{ManagedBy: "test"}
	in.Copy = mirror.CopyOptions{}
	in.Import = mcs.Import{Namespace: "shop", Name: "web", Cluster: "east", ManagedBy: "test"}
	for i, cluster := range []string{"east", "west"} {
		in.Exports = append(in.Exports, mcs.Export{
			Cluster: cluster, Created: time.Unix(int64(i), 0),
			Ports: []corev1.ServicePort{{Name: "http", Port: int32(80 + i), Protocol: corev1.ProtocolTCP}},
		})
	}
	types := []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeFQDN}
	in.One = dedup.PortOptions{Port: "http", AddressTypes: types}
	in.Addresses.AddressTypes, in.All.AddressTypes = types, types
}

func selectionOf(in *input) services.Selection {
	return services.Selection{
		Parent:   metav1.ObjectMeta{Namespace: "shop", Name: "sel", UID: "u-2"},
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Ports: in.Service.Spec.Ports,
	}
}
