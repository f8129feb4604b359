package slices

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// mistakes lists what is the caller's fault in an input (rule 6), and what may be taken for one or not.
func mistakes(in given.World) (sure, unclear []string) {
	m := &mistakeList{}
	m.options(in.Options)
	m.set(in.Set, in.Options)
	m.groups(in)
	m.existing(in)
	if len(m.sure) == 0 && in.Options.Invalid == slicer.Fail {
		for _, r := range newView(in).rejected {
			if slices.Contains(r.reasons, slicer.UnwantedAddressType) {
				m.unsure("endpoint %s", form.Show(r.endpoint))
			} else {
				m.add("endpoint %s", form.Show(r.endpoint))
			}
		}
		for _, g := range newView(in).groups {
			for id, w := range g.wanted {
				if len(w.all) > 1 {
					m.unsure("duplicates of %s", id)
				}
			}
		}
	}
	return m.sure, m.unclear
}

type mistakeList struct{ sure, unclear []string }

func (m *mistakeList) add(format string, args ...any) {
	m.sure = append(m.sure, fmt.Sprintf(format, args...))
}

func (m *mistakeList) unsure(format string, args ...any) {
	m.unclear = append(m.unclear, fmt.Sprintf(format, args...))
}

func (m *mistakeList) errors(errs field.ErrorList) {
	for _, err := range errs {
		m.add("%v", err)
	}
}

func (m *mistakeList) options(o slicer.Options) {
	if o.MaxEndpointsPerSlice < 0 || o.MaxEndpointsPerSlice > 1000 {
		m.add("maximum %d", o.MaxEndpointsPerSlice)
	}
	if !slices.Contains([]slicer.Packing{slicer.InPlace, slicer.Compact}, o.Packing) || o.DissolveUpTo < 0 || o.DissolveUpTo > 100 ||
		o.DissolveUpTo > 0 && o.Packing == slicer.InPlace || !slices.Contains([]slicer.Invalid{slicer.SetAside, slicer.Fail, slicer.Pass}, o.Invalid) || !slices.Contains([]hints.Mode{hints.None, hints.Given, hints.Keep, hints.SameZone, hints.SameNode, hints.Proportional}, o.Hints.Mode) {
		m.add("an unknown choice in %+v", o)
	}
}

func (m *mistakeList) set(s slicer.Set, in slicer.Options) {
	path := field.NewPath("set")
	if s.Name == "" || s.ManagedBy == "" {
		m.add("no name or manager")
	}
	for _, msg := range apivalidation.ValidateNamespaceName(s.Namespace, false) {
		m.add("namespace: %s", msg)
	}
	prefix := s.NamePrefix
	if prefix == "" {
		prefix = s.Name + "-"
	}
	for _, msg := range apivalidation.NameIsDNSSubdomain(prefix, true) {
		m.unsure("prefix %q, where something is created: %s", prefix, msg)
	}
	if len(prefix) > validation.DNS1123SubdomainMaxLength-len("ipv4-1000000") {
		m.unsure("long prefix %q", prefix)
	}
	m.errors(sim.LabelErrors(s.Labels, path.Child("labels")))
	m.errors(sim.LabelErrors(setKey(s), path.Child("key")))
	if value, ok := s.Key[discoveryv1.LabelManagedBy]; ok {
		m.unsure("key has managed-by %q", value)
	}
	m.errors(apivalidation.ValidateAnnotations(s.Annotations, path.Child("annotations")))
	if _, ok := s.Annotations[corev1.EndpointsLastChangeTriggerTime]; ok {
		m.add("trigger time among the annotations")
	}
	owners := slices.Clone(s.Owners)
	for i := range owners {
		if owners[i].UID == "" && in.Invalid == slicer.Fail {
			m.add("an owner without UID")
		}
		owners[i].UID = cmp.Or(owners[i].UID, types.UID(fmt.Sprint("none ", i)))
	}
	m.errors(apivalidation.ValidateOwnerReferences(owners, path.Child("owners")))
	m.owners(owners)
	for i, t := range s.AddressTypes {
		m.addressType(t)
		if slices.Contains(s.AddressTypes[:i], t) {
			m.unsure("address type %s twice", t)
		}
	}
	for _, name := range s.Adopt {
		if name == "" {
			m.unsure("adopt nothing")
		}
	}
}

func (m *mistakeList) owners(owners []metav1.OwnerReference) {
	seen := map[string]bool{}
	for _, o := range owners {
		if seen[string(o.UID)] {
			m.unsure("owner %s twice", o.UID)
		}
		seen[string(o.UID)] = true
	}
}

func (m *mistakeList) addressType(t discoveryv1.AddressType) {
	switch t {
	case discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN:
	default:
		m.add("address type %q", t)
	}
}

func (m *mistakeList) groups(in given.World) {
	for i, g := range in.Groups {
		if g.AddressType != "" {
			m.addressType(g.AddressType)
			if only := in.Set.AddressTypes; len(only) > 0 && !slices.Contains(only, g.AddressType) {
				m.add("groups[%d] has a type that the set does not want", i)
			}
		}
		if len(g.Changed) > 0 && len(g.Changed) != len(g.Endpoints) {
			m.add("groups[%d] has %d endpoints and %d times", i, len(g.Endpoints), len(g.Changed))
		}
		if in.Options.Invalid == slicer.Fail && refusedPorts(g.Ports) {
			m.add("groups[%d] has bad ports", i)
		}
	}
}

// refusedPorts reports whether the API server refuses ports, or a number is none.
func refusedPorts(ports []discoveryv1.EndpointPort) bool {
	return len(sim.PortErrors(ports, nil)) > 0 || slices.ContainsFunc(ports, func(p discoveryv1.EndpointPort) bool {
		return p.Port != nil && (*p.Port < 1 || *p.Port > 65535)
	})
}

func (m *mistakeList) existing(in given.World) {
	seen := map[string]bool{}
	for i, s := range in.Existing {
		switch {
		case s == nil:
			m.add("existing[%d] is nil", i)
		case s.Name == "" || s.Namespace != in.Set.Namespace, seen[s.Name] && hasAll(s.Labels, parentKey(in.Set)):
			m.add("existing[%d] is %s/%s, again: %t", i, s.Namespace, s.Name, seen[s.Name])
		case slices.Contains(in.Set.Adopt, s.Name) || hasAll(s.Labels, parentKey(in.Set)):
			seen[s.Name] = true
		}
	}
}

// Stored reports whether the existing slices are such as an API server can hold, each with a version of its own. Nothing
// is promised about others but that they do no harm.
func Stored(in given.World) bool {
	versions := map[string]bool{}
	for _, s := range in.Existing {
		if s == nil || versions[s.ResourceVersion] {
			return false
		}
		versions[s.ResourceVersion] = true
		c := s.DeepCopy()
		sim.Default(c)
		c.Finalizers = nil
		if len(sim.CreateErrors(c)) > 0 {
			return false
		}
	}
	return true
}
