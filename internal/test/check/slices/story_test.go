package slices_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

func plan(t *testing.T, in given.World) slicer.Plan {
	t.Helper()
	p, err := in.Compute()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// update finds the step that updates a slice.
func update(p *slicer.Plan, name string) *slicer.Step {
	i := slices.IndexFunc(p.Steps, func(s slicer.Step) bool { return s.Old != nil && s.Old.Name == name })
	if i < 0 {
		panic("no step for " + name)
	}
	return &p.Steps[i]
}

// unwrite turns a step into an unchanged slice, and returns it.
func unwrite(p *slicer.Plan, name string) *discoveryv1.EndpointSlice {
	s := update(p, name).Old
	p.Steps = slices.DeleteFunc(p.Steps, func(s slicer.Step) bool { return s.Old != nil && s.Old.Name == name })
	p.Unchanged = append(p.Unchanged, s)
	slices.SortFunc(p.Unchanged, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	return s
}

func order(list ...*discoveryv1.EndpointSlice) {
	for _, s := range list {
		slices.SortFunc(s.Endpoints, func(a, b discoveryv1.Endpoint) int {
			return strings.Compare(a.Addresses[0], b.Addresses[0])
		})
	}
}

func endpoint(i int) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses:  []string{fmt.Sprintf("10.0.0.%d", i)},
		Conditions: conditions.New(true, false, false).API(),
	}
}

func slice(name, version string, endpoints ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports(80), Endpoints: endpoints}
	s.Namespace, s.Name, s.ResourceVersion, s.UID = "ns", name, version, types.UID("uid-"+name)
	s.Labels = map[string]string{discoveryv1.LabelManagedBy: "test", discoveryv1.LabelServiceName: "web"}
	s.OwnerReferences = []metav1.OwnerReference{owner("now")}
	return s
}

func ports(number int32) []discoveryv1.EndpointPort {
	name := "http"
	return []discoveryv1.EndpointPort{{Name: &name, Port: &number}}
}

func owner(uid types.UID) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web", UID: uid}
}
