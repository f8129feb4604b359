package slicer_test

import (
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/given"
)

// TestMistakesHaveTheirPath makes one mistake at a time at the bounds of what is accepted: the error begins with its path. ""
// is no mistake.
func TestMistakesHaveTheirPath(t *testing.T) {
	yes, no := true, false
	ports := func(n int) (list []discoveryv1.EndpointPort) {
		for i := range n {
			name := fmt.Sprint("p", i)
			list = append(list, discoveryv1.EndpointPort{Name: &name})
		}
		return list
	}
	owner := func(name string, controller *bool) metav1.OwnerReference {
		return metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: name, UID: "u", Controller: controller}
	}
	for _, c := range []struct {
		path string
		edit func(in *given.World)
	}{
		{"", func(in *given.World) { in.Options.MaxEndpointsPerSlice = 1000 }},
		{"options.maxEndpointsPerSlice: Invalid value: 1001: use 1 to 1000, or 0 for 100", func(in *given.World) {
			in.Options.MaxEndpointsPerSlice = 1001
		}},
		{"", func(in *given.World) { in.Options.DissolveUpTo = 100 }},
		{"options.dissolveUpTo", func(in *given.World) { in.Options.DissolveUpTo = 101 }},
		{"options.dissolveUpTo", func(in *given.World) { in.Options.DissolveUpTo = -1 }},
		{"set.name", func(in *given.World) { in.Set.Name = strings.Repeat("a", 64) }},
		{"", func(in *given.World) {
			in.Set.Name, in.Set.Key = strings.Repeat("a", 64), map[string]string{"example.com/parent": "web"}
		}},
		{"set.key[endpointslice.kubernetes.io/managed-by]: Forbidden: use Set.ManagedBy", func(in *given.World) {
			in.Set.Key = map[string]string{discoveryv1.LabelManagedBy: in.Set.ManagedBy}
		}},
		{"set.addressTypes[1]", func(in *given.World) {
			in.Set.AddressTypes = []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, "IPX"}
		}},
		{"groups[0].addressType", func(in *given.World) { in.Groups[0].AddressType = "IPX" }},
		{"groups[0].addressType", func(in *given.World) {
			in.Groups[0].AddressType, in.Set.AddressTypes = discoveryv1.AddressTypeIPv4, []discoveryv1.AddressType{discoveryv1.AddressTypeIPv6}
		}},
		{"", func(in *given.World) { in.Groups[0].Ports = ports(20000) }},
		{"groups[0].ports: Too many: 20001: must have at most 20000 items", func(in *given.World) { in.Groups[0].Ports = ports(20001) }},
		{"", func(in *given.World) {
			in.Set.Owners = []metav1.OwnerReference{owner("a", &no), owner("b", &yes), owner("c", &no), owner("d", nil)}
		}},
		{"set.owners[1].controller: Invalid value: true: owners[0]", func(in *given.World) {
			in.Set.Owners = []metav1.OwnerReference{owner("a", &yes), owner("b", &yes)}
		}},
	} {
		in := input(t, "want\nhttp:80 | 10.0.0.1\n")
		c.edit(&in)
		switch _, err := in.Compute(); {
		case c.path == "" && err != nil:
			t.Errorf("no mistake: %v", err)
		case c.path != "" && (err == nil || !strings.HasPrefix(err.Error(), c.path)):
			t.Errorf("error %v, want %s", err, c.path)
		}
	}
}
