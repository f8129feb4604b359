package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
)

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
