package kubeproxy

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/discovery"
	conversion "k8s.io/kubernetes/pkg/apis/discovery/v1"
	"k8s.io/kubernetes/pkg/apis/discovery/validation"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
)

// TestValidateRefusesAsKubernetes: slicer.Validate refuses a slice at the paths at which the API server's
// own validation does, and does not change it.
func TestValidateRefusesAsKubernetes(t *testing.T) {
	cases, seed := nightly.Cases(t, 30000), nightly.Seed(t, 3)
	refused := map[string]int{}
	for i := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		s := written(r)
		before := s.DeepCopy()
		_, err := slicer.Validate(s)
		got, want := fieldPaths(err), kubernetesPaths(t, s)
		if !slices.Equal(got, want) {
			t.Fatalf("case %d: refused at %q, Kubernetes at %q: %v\n%+v", i, got, want, err, s)
		}
		if !reflect.DeepEqual(before, s) {
			t.Fatalf("case %d: the slice was changed", i)
		}
		for _, path := range want {
			refused[strings.Trim(path, "0123456789[]")]++
		}
	}
	if len(refused) < 12 {
		t.Errorf("too few paths were refused: %v", refused)
	}
}

// address is the path of one address. Kubernetes names only the list if one has the wrong type.
var address = regexp.MustCompile(`addresses\[\d+\]$`)

// fieldPaths are the fields of joined errors, each once, sorted.
func fieldPaths(err error) []string {
	var paths []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			paths = append(paths, fieldPaths(e)...)
		}
	} else if f := (*field.Error)(nil); errors.As(err, &f) {
		paths = append(paths, address.ReplaceAllString(f.Field, "addresses"))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// kubernetesPaths are the fields that the API server refuses when the slice is created.
func kubernetesPaths(t *testing.T, s *discoveryv1.EndpointSlice) []string {
	stored := s.DeepCopy()
	if stored.Name == "" && stored.GenerateName != "" {
		stored.Name = "generated"
	}
	for i := range stored.Endpoints {
		stored.Endpoints[i].DeprecatedTopology = nil // as its strategy does
	}
	conversion.SetObjectDefaults_EndpointSlice(stored)
	var internal discovery.EndpointSlice
	if err := conversion.Convert_v1_EndpointSlice_To_discovery_EndpointSlice(stored, &internal, nil); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, err := range validation.ValidateEndpointSliceCreate(&internal) {
		paths = append(paths, address.ReplaceAllString(err.Field, "addresses"))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func oneOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// written is a slice with some fields that the API server may refuse.
func written(r *rand.Rand) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web-a",
			Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: oneOf(r, discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6,
			discoveryv1.AddressTypeFQDN, "", "MAC"),
	}
	for range r.IntN(4) {
		s.Endpoints = append(s.Endpoints, writtenEndpoint(r))
	}
	for range r.IntN(4) {
		s.Ports = append(s.Ports, writtenPort(r))
	}
	if r.IntN(4) == 0 {
		writtenMetadata(r, s)
	}
	if r.IntN(200) == 0 {
		s.Endpoints = slices.Repeat([]discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}}}, 1001)
	}
	return s
}

func writtenMetadata(r *rand.Rand, s *discoveryv1.EndpointSlice) {
	switch r.IntN(7) {
	case 0:
		s.Name = oneOf(r, "", "Web", "web_a", strings.Repeat("a", 254), "a.b")
	case 1:
		s.Name, s.GenerateName = "", oneOf(r, "web-", "Web-", "")
	case 2:
		s.Namespace = oneOf(r, "", "NS", "a.b")
	case 3:
		s.Labels[oneOf(r, "a/b/c", "ok", "-x")] = oneOf(r, "ok", "not ok", strings.Repeat("a", 64))
	case 4:
		s.Annotations = map[string]string{oneOf(r, "example.com/x", "a/b/c", "X"): "anything"}
	case 5:
		s.Finalizers = []string{oneOf(r, "example.com/keep", "keep", "kubernetes", "orphan")}
	default:
		s.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: oneOf(r, "v1", "", "a/b/c"), Kind: oneOf(r, "Service", "", "Event"), Name: oneOf(r, "web", ""),
			UID: oneOf[types.UID](r, "u", ""),
		}}
	}
}

func writtenEndpoint(r *rand.Rand) discoveryv1.Endpoint {
	var e discoveryv1.Endpoint
	for range oneOf(r, 0, 1, 1, 1, 2, 3) {
		e.Addresses = append(e.Addresses,
			oneOf(r, "10.0.0.1", "10.0.0.2", "fd00::1", "fd00:0::1", "FD00::2", "010.0.0.1", "::ffff:10.0.0.1",
				"127.0.0.1",
				"169.254.0.1", "224.0.0.1", "224.1.0.1", "0.0.0.0", "::", "::1", "fe80::1", "fe80::1%eth0", "",
				"10.0.0.1:80", "db.example.org", "db.example.org.", "db", "Db.x"))
	}
	if r.IntN(100) == 0 {
		for i := range 101 {
			e.Addresses = append(e.Addresses, fmt.Sprintf("10.0.1.%d", i))
		}
	}
	if r.IntN(4) == 0 {
		e.NodeName = new(oneOf(r, "node-a", "", "Node", "a_b"))
	}
	if r.IntN(4) == 0 {
		e.Hostname = new(oneOf(r, "web-0", "", "web.0", "Web"))
	}
	if r.IntN(8) == 0 {
		e.DeprecatedTopology = map[string]string{corev1.LabelTopologyZone: "a", "not ok": ""}
	}
	if r.IntN(3) == 0 {
		e.Hints = &discoveryv1.EndpointHints{}
		for i := range oneOf(r, 0, 1, 2, 9) {
			e.Hints.ForZones = append(e.Hints.ForZones,
				discoveryv1.ForZone{Name: oneOf(r, "a", "", "a b", fmt.Sprint("z", i))})
		}
		for i := range oneOf(r, 0, 1, 2, 9) {
			e.Hints.ForNodes = append(e.Hints.ForNodes,
				discoveryv1.ForNode{Name: oneOf(r, "a", "", "A", fmt.Sprint("n", i))})
		}
	}
	return e
}

func writtenPort(r *rand.Rand) discoveryv1.EndpointPort {
	var p discoveryv1.EndpointPort
	if r.IntN(4) > 0 {
		p.Name = new(oneOf(r, "http", "", "HTTP", "a-very-long-name-for-a-port-but-allowed", "x_y"))
	}
	if r.IntN(2) == 0 {
		p.Protocol = new(oneOf(r, corev1.ProtocolTCP, corev1.ProtocolUDP, "tcp", ""))
	}
	if r.IntN(4) > 0 {
		p.Port = new(oneOf[int32](r, 80, 0, -1, 65536))
	}
	if r.IntN(3) == 0 {
		p.AppProtocol = new(oneOf(r, "http", "example.com/x", "a/b/c", ""))
	}
	return p
}
