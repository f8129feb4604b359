package sim_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/sim"
)

func slice(name string, addresses ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Namespace, s.Name = "ns", name
	for _, a := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
	}
	return s
}

func ptr[V any](v V) *V { return &v }

func TestCreateDefaultsAndNames(t *testing.T) {
	var server sim.Server
	in := slice("", "10.0.0.1")
	in.GenerateName = strings.Repeat("a", 70) + "-"
	in.Ports = []discoveryv1.EndpointPort{{Port: ptr(int32(80))}}
	in.Endpoints[0].DeprecatedTopology = map[string]string{"a": "b"}
	out, err := server.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Name) != 63 || out.UID == "" || out.ResourceVersion == "" || out.Generation != 1 {
		t.Errorf("V7: a generated name has 58 characters of the prefix and 5 more, and metadata: %v", out.ObjectMeta)
	}
	if p := out.Ports[0]; *p.Name != "" || *p.Protocol != corev1.ProtocolTCP {
		t.Errorf("V1: port %v", p)
	}
	if out.Endpoints[0].DeprecatedTopology != nil || in.Endpoints[0].DeprecatedTopology == nil || in.Name != "" {
		t.Error("deprecatedTopology goes, and the caller's object stays as it was")
	}
	if _, err := server.Create(slice(out.Name)); !apierrors.IsAlreadyExists(err) {
		t.Errorf("a second slice of one name: %v", err)
	}
}

func TestUpdateConflicts(t *testing.T) {
	var server sim.Server
	first, err := server.Create(slice("a", "10.0.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	same, err := server.Update(first)
	if err != nil || same.ResourceVersion != first.ResourceVersion {
		t.Errorf("an update that changes nothing writes nothing: %v, %v", same.ResourceVersion, err)
	}
	next := first.DeepCopy()
	next.Annotations = map[string]string{"a": "b"}
	second, err := server.Update(next)
	if err != nil || second.ResourceVersion == first.ResourceVersion || second.Generation != 1 {
		t.Errorf("annotations change the version and no generation: %v, %v", second, err)
	}
	if _, err := server.Update(next); !apierrors.IsConflict(err) {
		t.Errorf("V6: an old resourceVersion is a conflict: %v", err)
	}
	next.ResourceVersion, next.Labels = "", map[string]string{"a": "b"}
	if out, err := server.Update(next); err != nil || out.Generation != 2 {
		t.Errorf("V6: an empty resourceVersion overwrites, and labels change the generation: %v, %v", out, err)
	}
	if _, err := server.Update(slice("nothing")); !apierrors.IsNotFound(err) {
		t.Errorf("an update of what is not there: %v", err)
	}
	other := slice("a", "fd00::1")
	other.AddressType = discoveryv1.AddressTypeIPv6
	if _, err := server.Update(other); !apierrors.IsInvalid(err) {
		t.Errorf("V6: the address type is immutable: %v", err)
	}
}

func TestDelete(t *testing.T) {
	var server sim.Server
	in := slice("a")
	in.Finalizers = []string{"example.com/wait"}
	out, err := server.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*metav1.Preconditions{{UID: ptr(types.UID("other"))}, {ResourceVersion: ptr("0")}} {
		if err := server.Delete("a", p); !apierrors.IsConflict(err) {
			t.Errorf("preconditions %v: %v", p, err)
		}
	}
	if err := server.Delete("a", &metav1.Preconditions{UID: &out.UID, ResourceVersion: &out.ResourceVersion}); err != nil {
		t.Fatal(err)
	}
	dying := server.Get("a")
	if dying == nil || dying.DeletionTimestamp == nil {
		t.Fatal("a slice with finalizers stays, dying")
	}
	dying.Finalizers = nil
	if _, err := server.Update(dying); err != nil || server.Get("a") != nil {
		t.Errorf("without finalizers it goes: %v", err)
	}
	if err := server.Delete("a", nil); !apierrors.IsNotFound(err) {
		t.Errorf("a delete of what is gone: %v", err)
	}
}

// TestCache walks a cache through every state of two slices, in any order of the slices.
func TestCache(t *testing.T) {
	var server sim.Server
	cache := sim.Cache{Server: &server}
	for _, name := range []string{"a", "b"} {
		if _, err := server.Create(slice(name, "10.0.0.1")); err != nil {
			t.Fatal(err)
		}
	}
	if err := server.Delete("a", nil); err != nil {
		t.Fatal(err)
	}
	if have := fmt.Sprint(cache.Behind(), len(cache.List()), cache.Horizon()); have != "[a b] 0 1" {
		t.Errorf("before any event: %s", have)
	}
	cache.Step("b")
	if have := fmt.Sprintf("%v %s %d", cache.Behind(), cache.List()[0].Name, cache.Horizon()); have != "[a] b 1" {
		t.Errorf("b only: %s", have)
	}
	cache.Step("a")
	if have := fmt.Sprint(cache.Behind(), len(cache.List()), cache.Horizon()); have != "[a] 2 3" {
		t.Errorf("a as it was: %s", have)
	}
	cache.CatchUp()
	if have := fmt.Sprint(cache.Behind(), len(cache.List()), cache.Horizon(), cache.View()); have != "[] 1 4a@2 b@1 " {
		t.Errorf("all: %s", have)
	}
	if gone := cache.Deleted(); len(gone) != 1 || gone[0].Name != "a" || len(cache.Deleted()) != 0 {
		t.Errorf("deletions are delivered once: %v", gone)
	}
}
