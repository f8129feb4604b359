package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// TestNoType: a slice without address type is a mistake.
func TestNoType(t *testing.T) {
	_, _, err := mirror.CopySlice(&discoveryv1.EndpointSlice{}, metav1.ObjectMeta{}, mirror.CopyOptions{})
	if got := paths(err); got != "from.addressType" {
		t.Errorf("errors at %q", got)
	}
}

// TestEligibleService: the Service of Endpoints has their name and is in their namespace.
func TestEligibleService(t *testing.T) {
	named := func(namespace, name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: namespace, Name: name}
	}
	endpoints := &corev1.Endpoints{ObjectMeta: named("ns", "web")}
	for name, want := range map[string]mirror.Reason{
		"ns/web": mirror.Mirrored, "ns/other": mirror.NoService, "other/web": mirror.NoService,
	} {
		in, called, _ := strings.Cut(name, "/")
		ok, reason := mirror.Eligible(endpoints, &corev1.Service{ObjectMeta: named(in, called)})
		if reason != want || ok != (want == mirror.Mirrored) {
			t.Errorf("Service %s: %v, %s", name, ok, reason)
		}
	}
}

// paths lists where an error says that something is wrong, with the text of what does not say what
// to do.
func paths(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, paths(e))
		}
		return strings.Join(all, " ")
	}
	if f := (*field.Error)(nil); errors.As(err, &f) && f.Detail != "" {
		return f.Field
	}
	return fmt.Sprint(err)
}

// TestTransformOwnsItsEndpoint: what a transform does to an endpoint, it does to a copy, and
// likewise what a filter does to a port, of which it need not ask whether name and protocol are
// nil.
func TestTransformOwnsItsEndpoint(t *testing.T) {
	source := fullSlice()
	source.Ports = []discoveryv1.EndpointPort{{Port: ptr(int32(80))}}
	before := source.DeepCopy()
	in, err := mirror.FromSlices(slicer.Set{ManagedBy: "copies.example.com"}, []*discoveryv1.EndpointSlice{source},
		mirror.CopyOptions{
			Zone: mirror.Keep, Node: mirror.Keep, Hints: mirror.Keep, TargetRef: mirror.Keep,
			Port: func(p discoveryv1.EndpointPort) bool {
				ok := *p.Name == "" && *p.Protocol == corev1.ProtocolTCP
				*p.Name, *p.Port = "changed", 0
				return ok
			},
			Transform: func(e *discoveryv1.Endpoint, from *discoveryv1.EndpointSlice) error {
				if from != source {
					t.Error("the transform does not get the caller's slice")
				}
				e.Addresses[0], *e.Conditions.Ready = "10.9.9.9", false
				*e.Zone, *e.NodeName, *e.Hostname = "z9", "n9", "h9"
				e.TargetRef.Name, e.Hints.ForZones[0].Name = "p9", "z9"
				return nil
			},
		})
	if err != nil || len(in.Groups) != 1 {
		t.Fatal(err, in.Groups)
	}
	if d := cmp.Diff(before, source); d != "" {
		t.Errorf("the source was changed:\n%s", d)
	}
	e := in.Groups[0].Endpoints[0]
	if e.Addresses[0] != "10.9.9.9" || *e.Zone != "z9" || *e.NodeName != "n9" || e.Hints.ForZones[0].Name != "z9" ||
		e.TargetRef.Name != "p9" {
		t.Errorf("the change is lost: %+v", e)
	}
	if p := in.Groups[0].Ports[0]; *p.Name != "" || *p.Port != 80 {
		t.Errorf("the filter changed the copy: %+v", p)
	}
}

// TestCopyHasNoEmptyTexts: the API server refuses an empty hostname and an empty nodeName, and with
// it the whole copy.
func TestCopyHasNoEmptyTexts(t *testing.T) {
	source := fullSlice()
	e := &source.Endpoints[0]
	*e.Hostname, *e.NodeName, *e.Zone = "", "", ""
	to, skips, err := mirror.CopySlice(source, metav1.ObjectMeta{},
		mirror.CopyOptions{Node: mirror.Keep, Zone: mirror.Keep})
	if err != nil || len(skips) > 0 || len(to.Endpoints) != 1 {
		t.Fatal(to, skips, err)
	}
	if c := to.Endpoints[0]; c.Hostname != nil || c.NodeName != nil || c.Zone != nil {
		t.Errorf("copied %+v", c)
	}
}

// TestTransformRemovesAddresses: an endpoint that a transform leaves without an address is skipped,
// and the others are copied.
func TestTransformRemovesAddresses(t *testing.T) {
	source := fullSlice()
	source.Endpoints = append(source.Endpoints, *source.Endpoints[0].DeepCopy())
	source.Endpoints[1].Addresses[0] = "10.0.0.2"
	to, skips, err := mirror.CopySlice(source, metav1.ObjectMeta{}, mirror.CopyOptions{
		Transform: func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
			if e.Addresses[0] == "10.0.0.1" {
				e.Addresses = nil
			}
			return nil
		},
	})
	if err != nil || len(skips) != 1 || len(to.Endpoints) != 1 || to.Endpoints[0].Addresses[0] != "10.0.0.2" {
		t.Error(to, skips, err)
	}
}

func fullSlice() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints: []discoveryv1.Endpoint{{
			Addresses: []string{"10.0.0.1"}, Conditions: discoveryv1.EndpointConditions{Ready: ptr(true)},
			Zone: ptr("z"), NodeName: ptr("n"), Hostname: ptr("h"), TargetRef: &corev1.ObjectReference{Name: "p"},
			Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z"}}},
		}},
	}
}

// TestOneAddressVeryOften: an address that is listed all the time costs no more than others do.
func TestOneAddressVeryOften(t *testing.T) {
	nightly.Slow(t)
	service, endpoints := database()
	endpoints.Subsets[0].Addresses = slices.Repeat(endpoints.Subsets[0].Addresses, 200_000)
	in, err := mirror.FromEndpoints(endpoints, service, options)
	if err != nil || len(in.Groups[0].Endpoints) != 1 || len(in.Skips) != 199_999 ||
		in.Skips[0].Reason != mirror.Duplicate {
		t.Errorf("%v, %v", in.Groups, err)
	}
}

// TestOwnerWithoutUID: the Skip of an owner that has no UID names the argument of the call that has
// the owner.
func TestOwnerWithoutUID(t *testing.T) {
	service, endpoints := database()
	endpoints.UID = ""
	plan, err := mirror.Plan(endpoints, service, nil, options)
	const path = "endpoints.metadata.uid"
	if s := plan.Skips; err != nil || len(s) != 1 || s[0].Reason != slicer.OwnerWithoutUID || s[0].Path != path ||
		paths(s[0].Err) != path {
		t.Errorf("error %v, Skips %v", err, s)
	}
}

// TestSkipMirrorIsSaidOnce: a warning says that the label removes mirrors; while the label stays,
// no later plan warns.
func TestSkipMirrorIsSaidOnce(t *testing.T) {
	service, endpoints := database()
	o := mirror.Options{ManagedBy: "mirrors.example.com"}
	before, err := mirror.Plan(endpoints, service, nil, o)
	if err != nil || before.Warnings() != nil {
		t.Fatal(err, before.Warnings())
	}
	endpoints.Labels = map[string]string{discoveryv1.LabelSkipMirror: "true"}
	removal, err := mirror.Plan(endpoints, service, before.After(), o)
	if err != nil || removal.Warnings() == nil || len(removal.After()) > 0 {
		t.Errorf("error %v, %v, warnings %v", err, removal, removal.Warnings())
	}
	after, err := mirror.Plan(endpoints, service, nil, o)
	if err != nil || after.Warnings() != nil || len(after.Skips) != 1 || after.Skips[0].Severity != slicer.Routine {
		t.Errorf("error %v, Skips %v, warnings %v", err, after.Skips, after.Warnings())
	}
}

// TestCostIsLinear: twice as many addresses above the limit, each in one subset, and twice as many
// ports allocate twice as often.
func TestCostIsLinear(t *testing.T) {
	allocations := func(n int) float64 {
		service, endpoints := database()
		var first corev1.EndpointSubset
		endpoints.Subsets = nil
		for i := range n {
			p := []corev1.EndpointPort{{Name: fmt.Sprint("p", i), Port: int32(i + 1)}}
			a := func(net int) corev1.EndpointAddress {
				return corev1.EndpointAddress{IP: fmt.Sprintf("10.%d.%d.%d", net, i/250, i%250)}
			}
			endpoints.Subsets = append(endpoints.Subsets,
				corev1.EndpointSubset{Addresses: []corev1.EndpointAddress{a(1)}, Ports: p})
			first.Addresses, first.Ports = append(first.Addresses, a(2)), append(first.Ports, p...)
		}
		endpoints.Subsets = append(endpoints.Subsets, first)
		return testing.AllocsPerRun(1, func() {
			plan, err := mirror.Plan(endpoints, service, nil,
				mirror.Options{ManagedBy: "mirrors.example.com", MaxAddressesPerSubset: 10})
			if err != nil || len(plan.Skips) != n-10 {
				t.Fatalf("error %v, %d Skips", err, len(plan.Skips))
			}
		})
	}
	if once, twice := allocations(200), allocations(400); twice > 2.2*once {
		t.Errorf("%.0f allocations for 200 addresses and ports, %.0f for 400", once, twice)
	}
}
