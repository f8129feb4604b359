package content_test

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// TestReading compares an index with merges and with a plain reading of the slices that there are: ports, addresses, fields, and what
// is set aside.
func TestReading(t *testing.T) { rapid.Check(t, func(t *rapid.T) { check.Rebuild(t) }) }

func ptr[T any](v T) *T { return &v }

// slice is a slice of Service default/web.
func slice(name string, addresses ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(8080))}},
	}
	for _, address := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{address}})
	}
	return s
}

// TestWordsOfProblems: what is wrong with an object, or with a slice that says nothing of its Service.
func TestWordsOfProblems(t *testing.T) {
	var ix dedup.Index
	ix.Handle(nil, 5)
	anonymous := slice("web-a")
	anonymous.Labels = nil
	_, problems := ix.Flush()
	other := func(*discoveryv1.EndpointSlice) (string, bool) { return "", true }
	for _, o := range []dedup.Options{{}, {Service: other}} {
		problems = append(problems, dedup.Merge([]*discoveryv1.EndpointSlice{anonymous}, o).Problems()...)
	}
	for i, want := range []string{
		"slice: Required value: give an *EndpointSlice, not int",
		"default/web-a: metadata.labels[kubernetes.io/service-name]: Required value: name the Service that the slice belongs to",
		"default/web-a: metadata: Required value: name the Service that the slice belongs to",
	} {
		if len(problems) != 3 || problems[i].String() != want {
			t.Errorf("%v, want %s", problems, want)
		}
	}
}
