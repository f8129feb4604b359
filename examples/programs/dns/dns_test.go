package dns

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestServer has a headless Service with two Pods on the network of one node, one of which has an
// alias and two addresses.
func TestServer(t *testing.T) {
	ready, db := false, types.NamespacedName{Namespace: "shop", Name: "db"}
	pod := func(name, hostname string, addresses ...string) discoveryv1.Endpoint {
		return discoveryv1.Endpoint{Addresses: addresses, Hostname: &hostname,
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: name}}
	}
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db-1", Labels: map[string]string{
			discoveryv1.LabelServiceName: "db", corev1.IsHeadlessService: "",
		}},
		AddressType: discoveryv1.AddressTypeIPv4, // without ports, as the Service has none
		Endpoints: []discoveryv1.Endpoint{
			pod("db-0", "db-0", "10.0.0.1", "10.0.0.9"), pod("db-1", "db-1", "10.0.0.1"), pod("db-0", "primary", "10.0.0.1"),
			pod("db-2", "db-2", "10.0.0.3"),
		},
	}
	slice.Endpoints[3].Conditions.Ready = &ready
	server, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Addresses(db); !errors.Is(err, NoSuchName) {
		t.Errorf("before the slice: %v", err)
	}
	server.Handle(nil, slice)
	list, err := server.Addresses(db)
	if got := fmt.Sprint(list, err); got != "[10.0.0.1 10.0.0.9] <nil>" {
		t.Errorf("the Service is at %s", got)
	}
	for name, want := range map[string]string{
		"db-0": "[10.0.0.1 10.0.0.9]", "db-1": "[10.0.0.1]", "primary": "[10.0.0.1]", "db-2": "[]", "db-3": "[]",
	} {
		if got := fmt.Sprint(server.Pod(db, name)); got != want {
			t.Errorf("%s is at %s, want %s", name, got, want)
		}
	}
	empty := slice.DeepCopy()
	empty.Endpoints = nil
	server.Handle(slice, empty)
	if list, err := server.Addresses(db); list != nil || err != nil {
		t.Errorf("without endpoints: %v, %v, want no data", list, err)
	}
	server.Handle(empty, nil)
	if _, err := server.Addresses(db); !errors.Is(err, NoSuchName) {
		t.Errorf("without slices: %v", err)
	}
}
