package slicer

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// pending finds the endpoints that stay because their objects are Pending.
type pending struct {
	in      *Input
	objects map[corev1.ObjectReference][]Pending // by the key of the object, or by the zero key
	wanted  map[place]bool
	has     map[typedObject]bool // the address types in which an endpoint of an object is wanted
	kept    map[keptEndpoint]bool
}

// place is an address on some ports.
type place struct {
	addressType    discoveryv1.AddressType
	address, ports string
}

type typedObject struct {
	addressType discoveryv1.AddressType
	object      corev1.ObjectReference
}

// keptEndpoint is the identity of an endpoint on some ports. The newest slice that has it decides.
type keptEndpoint struct {
	place
	hostname, kind, namespace, name string
}

// keepPending returns the Input with a Group for the endpoints of each slice that stay because
// their objects are Pending. To the rest of the package these are wanted like any other endpoints.
// list are the slices that count.
func keepPending(in Input, list []*discoveryv1.EndpointSlice) Input {
	p := pending{
		in: &in, objects: map[corev1.ObjectReference][]Pending{}, wanted: map[place]bool{},
		has: map[typedObject]bool{}, kept: map[keptEndpoint]bool{},
	}
	for _, o := range in.Pending {
		if o.Object != (corev1.ObjectReference{}) {
			p.objects[objectKey(&o.Object)] = append(p.objects[objectKey(&o.Object)], o)
		}
		if o.Untargeted {
			p.objects[corev1.ObjectReference{}] = append(p.objects[corev1.ObjectReference{}], o)
		}
	}
	p.readWanted()
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *discoveryv1.EndpointSlice) int { // the newest slice decides
		return cmp.Or(endpoint.CompareVersions(b.ResourceVersion, a.ResourceVersion), cmp.Compare(a.Name, b.Name))
	})
	groups := slices.Clip(in.Groups)
	for _, s := range list {
		if stay := p.staying(s); len(stay) > 0 {
			groups = append(groups, Group{AddressType: s.AddressType, Ports: s.Ports, Endpoints: stay})
		}
	}
	in.Groups = groups
	return in
}

// objectKey returns what an object is found by.
func objectKey(o *corev1.ObjectReference) corev1.ObjectReference {
	switch {
	case o == nil:
		return corev1.ObjectReference{}
	case o.UID != "":
		return corev1.ObjectReference{UID: o.UID}
	default:
		return corev1.ObjectReference{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
	}
}

// objectKeys returns the keys under which a targetRef may be found.
func objectKeys(target *corev1.ObjectReference) []corev1.ObjectReference {
	if target == nil {
		return []corev1.ObjectReference{{}}
	}
	named := corev1.ObjectReference{Kind: target.Kind, Namespace: target.Namespace, Name: target.Name}
	return []corev1.ObjectReference{objectKey(target), named}
}

func (p *pending) readWanted() {
	for i := range p.in.Groups {
		g := &p.in.Groups[i]
		ports := endpoint.PortsKey(endpoint.Ports(nil, g.Ports))
		for j := range g.Endpoints {
			e := &g.Endpoints[j].API
			for _, a := range e.Addresses {
				p.wanted[place{g.AddressType, endpoint.Canonical(a), ports}] = true
			}
			for _, key := range objectKeys(e.TargetRef) {
				p.has[typedObject{g.AddressType, key}] = true
			}
		}
	}
}

// staying returns the endpoints of a slice that stay.
func (p *pending) staying(s *discoveryv1.EndpointSlice) (stay []Endpoint) {
	if types := p.in.Options.AddressTypes; len(types) > 0 && !slices.Contains(types, s.AddressType) ||
		!slices.Contains(endpoint.AddressTypes[:], s.AddressType) {
		return nil
	}
	ports := endpoint.PortsKey(endpoint.Ports(nil, s.Ports))
	list := make([]*discoveryv1.Endpoint, len(s.Endpoints))
	for i := range s.Endpoints {
		list[i] = &s.Endpoints[i]
	}
	slices.SortStableFunc(list, endpoint.ReadyFirst) // a slice may hold an endpoint twice
	for _, e := range list {
		refused := accept.Refuse(endpoint.OnlyIPv4(e), e, s.AddressType, p.in.Hints.Mode == hints.Given)
		if refused != nil || !p.isPending(e, s.AddressType) {
			continue
		}
		target := endpoint.TargetOf(e)
		key := keptEndpoint{
			place{s.AddressType, strings.Join(endpoint.AddressSet(e.Addresses), ","), ports},
			endpoint.Text(e.Hostname), target.Kind, target.Namespace, target.Name,
		}
		if p.kept[key] || slices.ContainsFunc(e.Addresses, func(a string) bool {
			return p.wanted[place{s.AddressType, endpoint.Canonical(a), ports}]
		}) {
			continue
		}
		p.kept[key] = true
		stay = append(stay, Endpoint{API: *e})
	}
	return stay
}

// isPending reports whether an endpoint of a slice stays, unless another one goes first.
func (p *pending) isPending(e *discoveryv1.Endpoint, t discoveryv1.AddressType) bool {
	for _, key := range objectKeys(e.TargetRef) {
		for _, o := range p.objects[key] {
			if o.Address != "" {
				is := func(a string) bool { return endpoint.Canonical(a) == endpoint.Canonical(o.Address) }
				if slices.ContainsFunc(e.Addresses, is) {
					return true
				}
			} else if e.TargetRef == nil || !p.has[typedObject{t, key}] {
				return true
			}
		}
	}
	return false
}

// mistakesInPending returns an error for each Pending that names nothing.
func mistakesInPending(in *Input) (errs []error) {
	for i, p := range in.Pending {
		if p.Object == (corev1.ObjectReference{}) && !p.Untargeted {
			errs = append(errs, field.Required(field.NewPath("pending").Index(i).Child("object"),
				"name the object whose endpoints stay, or set Untargeted"))
		}
	}
	return errs
}
