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
		slices.SortFunc(s.Endpoints, func(a, b discoveryv1.Endpoint) int { return strings.Compare(a.Addresses[0], b.Addresses[0]) })
	}
}

// forget sets reasons and counts of updates right after their objects were changed.
func forget(p *slicer.Plan) {
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Verb != slicer.Update {
			continue
		}
		had := map[string]bool{} // and whether it was ready
		for _, e := range s.Old.Endpoints {
			had[e.Addresses[0]] = *e.Conditions.Ready
		}
		s.Added, s.Removed, s.Changed = 0, len(s.Old.Endpoints), 0
		for _, e := range s.New.Endpoints {
			if ready, ok := had[e.Addresses[0]]; !ok {
				s.Added++
			} else {
				s.Removed--
				if !ready {
					s.Changed++
				}
			}
		}
		s.Reasons = nil
		if s.Added > 0 {
			s.Reasons = append(s.Reasons, slicer.EndpointsAdded)
		}
		if s.Removed > 0 {
			s.Reasons = append(s.Reasons, slicer.EndpointsRemoved)
		}
		if s.Changed > 0 {
			s.Reasons = append(s.Reasons, slicer.EndpointsChanged)
		}
	}
}

func endpoint(i int) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses:  []string{fmt.Sprintf("10.0.0.%d", i)},
		Conditions: conditions.New(true, false, false).Conditions(),
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
