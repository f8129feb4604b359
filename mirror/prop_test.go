package mirror_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// TestRoundTrip: whatever the Endpoints say, their mirrors say the same, once planned on any
// slices, stored, and shown as Endpoints again (M1 to M8, and G1 to G13 on the way).
func TestRoundTrip(t *testing.T) { rapid.Check(t, roundTrip) }

// FuzzRoundTrip is TestRoundTrip for go test -fuzz.
func FuzzRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

func roundTrip(t *rapid.T) {
	e, s, o := drawEndpoints(t, chance(t, 3, "dirt")), drawService(t), drawOptions(t)
	exists := gen.Draw(t).Existing
	if _, err := RoundTrip(e, s, o, exists); err != nil {
		t.Fatal(err)
	}
}

// TestCopies: the copy of each endpoint has the fields that the options keep, and no two copies on
// the same ports have one identity (M5, M9).
func TestCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := gen.Draw(t)
		keep := chance(t, 2, "keep")
		o := mirror.CopyOptions{KeepZones: keep, KeepNodes: keep, KeepTargetRefs: keep}
		in, plan := copied(t, from.Existing, o)
		for _, s := range plan.After() {
			for _, e := range s.Endpoints {
				if !keep && (e.Zone != nil || e.NodeName != nil || e.TargetRef != nil) || e.Hints != nil {
					t.Fatalf("%s has %+v", s.Name, e)
				}
			}
		}
		in.Hints.Mode = hints.Given
		if plan, err := check.Compute(gen.Case{Input: in}); err != nil {
			t.Fatal(err, plan)
		}
	})
}

// copied plans a copy where nothing exists yet, with all checks.
func copied(t *rapid.T, from []*discoveryv1.EndpointSlice, o mirror.CopyOptions) (slicer.Input, slicer.Plan) {
	k := slicer.Key{Namespace: gen.Namespace, Name: gen.Name, ManagedBy: "copies.example.com"}
	world := gen.Case{Existing: from}
	before := check.Copy(world)
	in, err := mirror.FromSlices(k, from, o)
	if d := cmp.Diff(before, world); d != "" {
		t.Fatalf("M5: FromSlices changed its input: %s", d)
	}
	if err != nil {
		if errors.As(err, new(*field.Error)) {
			return slicer.Input{}, slicer.Plan{}
		}
		t.Fatal(err)
	}
	wanted := in
	wanted.Warnings, wanted.Normal = nil, nil
	if a, b, shared := check.Shared(check.Memories{Owner: "the slices", Of: &from},
		check.Memories{Owner: "the input", Of: &wanted}); shared {
		t.Fatalf("M5: %s and %s share memory", a, b)
	}
	plan, err := check.Compute(gen.Case{Input: in})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range plan.Warnings {
		if strings.HasPrefix(n.Path, "groups") {
			t.Fatalf("a Warning does not name the argument: %s %v", n.Path, n)
		}
	}
	return in, plan
}

// TestView: slices of any manager, shown as Endpoints (M4, M5, M7).
func TestView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		svc := drawService(t)
		if svc == nil {
			return
		}
		view, _, err := MirrorView(svc, gen.Slices(t))
		if err != nil {
			t.Fatal(err)
		}
		if view.Labels[discoveryv1.LabelSkipMirror] != "true" {
			t.Fatalf("labels %v: Kubernetes would mirror the Endpoints back", view.Labels)
		}
	})
}

// TestNothingPanics: objects with nil and nonsense in every place give an answer or an error.
func TestNothingPanics(t *testing.T) { rapid.Check(t, nonsense) }

func nonsense(t *rapid.T) {
	holds := func(err error) {
		if broken := (check.Broken{}); errors.As(err, &broken) {
			t.Fatal(err)
		}
	}
	e, s := drawEndpoints(t, true), drawService(t)
	if chance(t, 3, "nil endpoints") {
		e = nil
	} else if chance(t, 3, "no name") {
		e.Name = pick(t, "name", "", "other", "Bad Name")
	}
	o := drawOptions(t)
	o.MaxAddressesPerSubset = pick(t, "max", -1, 0, 1, 1001)
	in, err := Mirror(e, s, o)
	if holds(err); err == nil {
		if _, err := check.Compute(gen.Case{Input: in}); err != nil && !check.Mistake(err) {
			t.Fatal(err)
		}
	}
	all := gen.Draw(t).Existing
	for range rapid.IntRange(0, 2).Draw(t, "nils") {
		all = append(all, pick(t, "slice", nil, &discoveryv1.EndpointSlice{}, nonsenseSlice(), emptySlice()))
	}
	_, _, err = MirrorView(s, all)
	holds(err)
	copied(t, all, mirror.CopyOptions{KeepTargetRefs: chance(t, 2, "keep")})
}

func nonsenseSlice() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		AddressType: "IPv4",
		Ports: []discoveryv1.EndpointPort{{}, {Port: ptr(int32(-1))},
			{Name: ptr("Bad Name"), Protocol: ptr(corev1.Protocol(""))}},
		Endpoints: []discoveryv1.Endpoint{{},
			{Addresses: []string{""}, Hostname: ptr(""), TargetRef: &corev1.ObjectReference{}, Hints: &discoveryv1.EndpointHints{}}},
	}
}

// emptySlice has an endpoint without an address.
func emptySlice() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, AddressType: discoveryv1.AddressTypeIPv4,
		Ports: []discoveryv1.EndpointPort{{Port: ptr(int32(80))}}, Endpoints: []discoveryv1.Endpoint{{}},
	}
}

// goodIPs are few, so that the same one is listed all over the place, in all spellings; badIPs are
// refused.
var (
	goodIPs = []string{
		"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.10", "010.0.0.1", "::ffff:10.0.0.2",
		"fd00::1", "fd00::2", "FD00:0::1", "2001:db8::a", "::5",
	}
	badIPs = []string{"", "127.0.0.1", "0.0.0.0", "169.254.1.1", "224.0.0.1", "fe80::1", "::1", "ff02::1", "10.0.0",
		"db.example.com", "fe80::1%eth0"}
	ports = []corev1.EndpointPort{
		{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP}, {Name: "http", Port: 80},
		{Name: "http", Port: 81}, {Name: "http", Port: 80, Protocol: corev1.ProtocolUDP},
		{Name: "http", Port: 80, AppProtocol: ptr("kubernetes.io/h2c")},
		{Name: "mysql", Port: 3306}, {Name: "metrics", Port: 9000}, {Port: 80}, {Port: 81},
	}
	badPorts = []corev1.EndpointPort{
		{Name: "http", Port: 0}, {Name: "http", Port: -1}, {Name: "Bad_Name", Port: 80}, {Port: 70000}, {Port: 80, Protocol: "ICMP"},
		{Port: 80, AppProtocol: ptr("no protocol")},
	}
)

func ptr[T any](v T) *T { return &v }

func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

func pick[E any](t *rapid.T, label string, from ...E) E {
	return from[rapid.IntRange(0, len(from)-1).Draw(t, label)]
}

// drawEndpoints draws what an API server may hold, and with dirt what none would. Their namespace
// and name are those of gen.Draw.
func drawEndpoints(t *rapid.T, dirt bool) *corev1.Endpoints {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: gen.Namespace, Name: gen.Name}}
	e.UID = pick(t, "uid", types.UID("owner-2"), "", "owner-1")
	drawMetadata(t, e)
	if e.Labels != nil {
		e.Labels[discoveryv1.LabelManagedBy] = "somebody"
	}
	if chance(t, 12, "skip") {
		e.Labels = map[string]string{discoveryv1.LabelSkipMirror: pick(t, "skip value", "true", "false")}
	}
	if chance(t, 20, "leader") {
		e.Annotations = map[string]string{"control-plane.alpha.kubernetes.io/leader": ""}
	}
	if chance(t, 12, "dying") {
		e.DeletionTimestamp = ptr(metav1.Unix(1, 0))
	}
	for range rapid.IntRange(0, 4).Draw(t, "subsets") {
		e.Subsets = append(e.Subsets, drawSubset(t, dirt))
	}
	return e
}

func drawMetadata(t *rapid.T, e *corev1.Endpoints) {
	if chance(t, 3, "labels") {
		e.Labels = map[string]string{"app": "web", corev1.IsHeadlessService: ""}
	}
	if chance(t, 3, "annotations") {
		e.Annotations = map[string]string{"note": "ours", corev1.LastAppliedConfigAnnotation: "{}",
			corev1.EndpointsLastChangeTriggerTime: "2026-01-01T00:00:00Z"}
	}
}

func drawSubset(t *rapid.T, dirt bool) corev1.EndpointSubset {
	var s corev1.EndpointSubset
	for range rapid.IntRange(0, 3).Draw(t, "ports") {
		if dirt && chance(t, 8, "bad port") {
			s.Ports = append(s.Ports, pick(t, "which", badPorts...))
			continue
		}
		s.Ports = append(s.Ports, pick(t, "port", ports...))
	}
	for range rapid.IntRange(0, 4).Draw(t, "ready") {
		s.Addresses = append(s.Addresses, drawAddress(t, dirt))
	}
	for range rapid.IntRange(0, 3).Draw(t, "not ready") {
		s.NotReadyAddresses = append(s.NotReadyAddresses, drawAddress(t, dirt))
	}
	return s
}

func drawAddress(t *rapid.T, dirt bool) corev1.EndpointAddress {
	a := corev1.EndpointAddress{IP: pick(t, "ip", goodIPs...)}
	if dirt && chance(t, 10, "bad ip") {
		a.IP = pick(t, "which", badIPs...)
	}
	if chance(t, 6, "hostname") {
		a.Hostname = pick(t, "host", "db-0", "db-1")
	}
	if chance(t, 4, "node") {
		a.NodeName = ptr(pick(t, "node name", "node-a", "node-b", ""))
	}
	if chance(t, 3, "target") {
		a.TargetRef = &corev1.ObjectReference{
			Kind: pick(t, "kind", "Pod", "VM"), Namespace: gen.Namespace, Name: pick(t, "pod", "p1", "p2"),
			UID: types.UID(pick(t, "pod uid", "u1", "u2")), ResourceVersion: pick(t, "version", "", "7"),
		}
	}
	return a
}

func drawService(t *rapid.T) *corev1.Service {
	if chance(t, 12, "no service") {
		return nil
	}
	s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: gen.Namespace, Name: gen.Name}}
	s.Spec.ClusterIP = pick(t, "cluster ip", "10.96.0.1", corev1.ClusterIPNone, "")
	if chance(t, 12, "selector") {
		s.Spec.Selector = map[string]string{"app": "web"}
	}
	if chance(t, 2, "ports") {
		s.Spec.Ports = []corev1.ServicePort{{Port: 80}}
	}
	s.Spec.IPFamilies = pick(t, "families", nil, []corev1.IPFamily{corev1.IPv6Protocol},
		[]corev1.IPFamily{corev1.IPv4Protocol})
	return s
}

func drawOptions(t *rapid.T) mirror.Options {
	return mirror.Options{
		ReplacesKubernetes:    true,
		ManagedBy:             pick(t, "manager", gen.Manager, gen.Manager, "mirrors.example.com"),
		MaxAddressesPerSubset: pick(t, "max", 0, 2, 1, 3),
	}
}
