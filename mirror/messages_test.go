//lint:file-ignore SA1019 Endpoints are what package mirror converts

package mirror_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// TestMistakesNameTheRemedy: a mistake that would have no effect, or a wrong one, is an error or a
// Skip at its place, and the text says what to do.
func TestMistakesNameTheRemedy(t *testing.T) {
	web := fullSlice()
	web.Namespace, web.Ports = "ns", []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(80))}}
	web.Labels = map[string]string{discoveryv1.LabelServiceName: "web"}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}}
	copies := func(o mirror.CopyOptions) (string, error) {
		in, err := mirror.FromSlices(slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "copies.example.com"},
			[]*discoveryv1.EndpointSlice{web}, o)
		return texts(in.Skips), err
	}
	for name, c := range map[string]struct {
		call func() (string, error)
		want string
	}{
		"ZoneNames without Map": {func() (string, error) {
			return copies(mirror.CopyOptions{ZoneNames: map[string]string{"a": "b"}})
		}, "options.zoneNames: Invalid value: 1: maps nothing: set zone or hints to Map"},
		"NodeNames with Map for zones": {func() (string, error) {
			return copies(mirror.CopyOptions{Zone: mirror.Map, NodeNames: map[string]string{"a": "b"}})
		}, "options.nodeNames: Invalid value: 1: maps nothing: set node or hints to Map"},
		"a filter that takes no port": {func() (string, error) {
			return copies(mirror.CopyOptions{Port: func(discoveryv1.EndpointPort) bool { return false }})
		}, "PortsFiltered: Invalid value: 1: CopyOptions.Port takes none of these ports"},
		"a port that the Service does not have": {func() (string, error) {
			in, err := mirror.FromEndpoints(&corev1.Endpoints{
				ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web", UID: "e1"},
				Subsets: []corev1.EndpointSubset{{
					Addresses: []corev1.EndpointAddress{{IP: "10.0.0.1"}},
					Ports:     []corev1.EndpointPort{{Name: "mysql", Port: 3306}},
				}},
			}, &corev1.Service{
				ObjectMeta: service.ObjectMeta, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 3306}}},
			}, mirror.Options{ManagedBy: "mirrors.example.com"})
			return texts(in.Skips), err
		}, "the Service has no port mysql/TCP; it has TCP without a name: give both the same name and protocol"},
		"a slice that was not read": {func() (string, error) {
			_, skips, err := mirror.ToEndpoints([]*discoveryv1.EndpointSlice{{}}, mirror.ViewOptions{Service: service})
			return texts(skips), err
		}, "slices[0].metadata.labels[kubernetes.io/service-name]: Required value: the slice does not name its Service"},
	} {
		got, err := c.call()
		if err != nil {
			got += err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestErrorsNameTheRemedy: an error of a call names the argument, and says what to give.
func TestErrorsNameTheRemedy(t *testing.T) {
	good := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web", UID: "e1"}}
	other := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "api"}}
	mirrors := func(e *corev1.Endpoints, s *corev1.Service, o mirror.Options) error {
		_, err := mirror.FromEndpoints(e, s, o)
		return err
	}
	view := func(o mirror.ViewOptions, list ...*discoveryv1.EndpointSlice) error {
		_, _, err := mirror.ToEndpoints(list, o)
		return err
	}
	copies := func(managedBy string, o mirror.CopyOptions, list ...*discoveryv1.EndpointSlice) error {
		_, err := mirror.FromSlices(slicer.Set{Namespace: "ns", Name: "web", ManagedBy: managedBy}, list, o)
		return err
	}
	for want, err := range map[string]error{
		"endpoints: Required value: give the Endpoints to mirror":                    mirrors(nil, nil, options),
		"endpoints.metadata.name: Required value: mirrors are found by it":           mirrors(&corev1.Endpoints{}, nil, options),
		"endpoints.metadata.namespace: Required value: mirrors are in the same name": mirrors(&corev1.Endpoints{}, nil, options),
		"give the Service of the Endpoints' namespace and name, ns/web, or nil":      mirrors(good, other, options),
		"options.managedBy: Required value: choose a name":                           mirrors(good, nil, mirror.Options{}),
		"options.maxAddressesPerSubset: Invalid value: 1001: use 1 to 1000":          mirrors(good, nil, mirror.Options{ManagedBy: manager, MaxAddressesPerSubset: 1001}),
		"options.maxAddresses: Invalid value: -1: use 1 or more, or 0 for 1000":      view(mirror.ViewOptions{MaxAddresses: -1}),
		`options.addressType: Unsupported value: "ipv4": supported values: "IPv4", `: view(mirror.ViewOptions{AddressType: "ipv4"}),
		"slices[0]: Required value: is nil: leave it out":                            view(mirror.ViewOptions{}, nil),
		"slices[1]: Required value: is nil: leave it out":                            copies(manager, mirror.CopyOptions{}, fullSlice(), nil),
		"set.managedBy: Required value: choose a name":                               copies("", mirror.CopyOptions{}),
		`options.zone: Unsupported value: "keep": use "" for Drop, or "Keep"`:        copies(manager, mirror.CopyOptions{Zone: "keep"}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func texts(skips []slicer.Skip) string {
	var all []string
	for _, s := range skips {
		all = append(all, s.Error())
	}
	return strings.Join(all, "\n")
}

// TestOtherFamilyIsRoutine: what Endpoints never show needs no action. A slice of an unknown type
// does.
func TestOtherFamilyIsRoutine(t *testing.T) {
	yes, no := true, false
	slice := func(typ discoveryv1.AddressType, address string,
		c discoveryv1.EndpointConditions) *discoveryv1.EndpointSlice {
		s := fullSlice()
		s.AddressType, s.Endpoints = typ, []discoveryv1.Endpoint{{Addresses: []string{address}, Conditions: c}}
		return s
	}
	_, skips, err := mirror.ToEndpoints([]*discoveryv1.EndpointSlice{
		slice(discoveryv1.AddressTypeIPv4, "10.0.0.1", discoveryv1.EndpointConditions{Ready: &no, Terminating: &yes}),
		slice(discoveryv1.AddressTypeIPv6, "fd00::1", discoveryv1.EndpointConditions{}),
		slice("MAC", "00-00", discoveryv1.EndpointConditions{}),
	}, mirror.ViewOptions{AddressType: discoveryv1.AddressTypeIPv4})
	want := []slicer.Severity{slicer.Routine, slicer.Routine, slicer.Warning}
	if err != nil || len(skips) != len(want) {
		t.Fatalf("%v %v", skips, err)
	}
	for i, s := range skips {
		if s.Severity != want[i] {
			t.Errorf("%v: %v, want %v", s, s.Severity, want[i])
		}
	}
}
