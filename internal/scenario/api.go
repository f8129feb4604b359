package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
)

// api is what an API server does with the steps of a plan, as far as stories need it. The slices in it are never
// changed, only replaced, so that plans may keep their pointers.
type api struct {
	slices []*discoveryv1.EndpointSlice // by name
}

func (a *api) clone() *api { return &api{slices: slices.Clone(a.slices)} }

func (a *api) find(name string) int {
	return slices.IndexFunc(a.slices, func(s *discoveryv1.EndpointSlice) bool { return s != nil && s.Name == name })
}

// apply carries out steps up to the first that fails. NotFound on a delete is no failure.
func (a *api) apply(steps []slicer.Step) error {
	for i, step := range steps {
		if reason := a.write(step); reason != "" {
			return fmt.Errorf("step %d, %v: %s", i+1, step, reason)
		}
	}
	return nil
}

func (a *api) write(step slicer.Step) (failure string) {
	if step.Verb == slicer.Create {
		return a.create(stored(step.New))
	}
	i := a.find(step.Old.Name)
	if i < 0 {
		if step.Verb == slicer.Delete {
			return ""
		}
		return "NotFound"
	}
	now := a.slices[i]
	if step.Verb == slicer.Delete {
		if p := step.Preconditions(); p.UID != nil && *p.UID != now.UID ||
			p.ResourceVersion != nil && *p.ResourceVersion != now.ResourceVersion {
			return "Conflict"
		}
		a.remove(i)
		return ""
	}
	if v := step.New.ResourceVersion; v != "" && v != now.ResourceVersion {
		return "Conflict"
	}
	if step.New.AddressType != now.AddressType {
		return "Invalid: addressType is immutable"
	}
	s := stored(step.New)
	s.ResourceVersion = a.nextVersion()
	a.slices[i] = s
	return ""
}

func (a *api) create(s *discoveryv1.EndpointSlice) (failure string) {
	for n := 1; s.Name == ""; n++ {
		if name := s.GenerateName + strconv.Itoa(n); a.find(name) < 0 {
			s.Name = name
		}
	}
	if a.find(s.Name) >= 0 {
		return "AlreadyExists"
	}
	s.UID, s.ResourceVersion = types.UID("u-"+s.Name), a.nextVersion()
	a.slices = append(a.slices, s)
	slices.SortStableFunc(a.slices, func(a, b *discoveryv1.EndpointSlice) int { return cmp.Compare(a.Name, b.Name) })
	return ""
}

// remove lets a slice with finalizers linger.
func (a *api) remove(i int) {
	if len(a.slices[i].Finalizers) == 0 {
		a.slices = slices.Delete(slices.Clone(a.slices), i, i+1)
		return
	}
	s := a.slices[i].DeepCopy()
	s.DeletionTimestamp, s.ResourceVersion = &deletedAt, a.nextVersion()
	a.slices[i] = s
}

func (a *api) nextVersion() string {
	last := 0
	for _, s := range a.slices {
		if s != nil {
			n, _ := strconv.Atoi(s.ResourceVersion)
			last = max(last, n)
		}
	}
	return strconv.Itoa(last + 1)
}

// stored is the object as the API server stores it: with its defaults, without deprecatedTopology.
func stored(s *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	s = s.DeepCopy()
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.Name == nil {
			p.Name = new(string)
		}
		if p.Protocol == nil {
			tcp := corev1.ProtocolTCP
			p.Protocol = &tcp
		}
	}
	for i := range s.Endpoints {
		s.Endpoints[i].DeprecatedTopology = nil
	}
	return s
}
