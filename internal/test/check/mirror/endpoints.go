package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/check/form"
	checkslices "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// Mirror calls mirror.FromEndpoints and checks what package mirror promises about it, M1 and M3 to M6. An error of FromEndpoints
// itself is no broken promise: it is returned with an empty input.
func Mirror(endpoints *corev1.Endpoints, service *corev1.Service, o mirror.Options) (slicer.Input, error) {
	before, serviceBefore := endpoints.DeepCopy(), service.DeepCopy()
	in, err := mirror.FromEndpoints(endpoints, service, o)
	if !reflect.DeepEqual(before, endpoints) || !reflect.DeepEqual(serviceBefore, service) {
		return in, checkslices.Broken{Err: errors.New("M5: FromEndpoints changed its input")}
	}
	if err != nil {
		if !reflect.DeepEqual(in, slicer.Input{}) {
			return in, checkslices.Broken{Err: fmt.Errorf("rule 6: an input beside the error %w", err)}
		}
		return in, err
	}
	m := mirrored{endpoints, service, o, in}
	if ok, _ := mirror.Eligible(endpoints, service); !ok {
		if len(in.Groups)+len(in.Skips) > 0 || !in.Options.NoPlaceholder {
			return in, checkslices.Broken{Err: fmt.Errorf("M6: Endpoints that are not mirrored want %+v", in)}
		}
		return in, nil
	}
	if broken := errors.Join(m.meaning(), m.told(), m.respelt()); broken != nil {
		return in, checkslices.Broken{Err: broken}
	}
	return in, nil
}

type mirrored struct {
	endpoints *corev1.Endpoints
	service   *corev1.Service
	options   mirror.Options
	in        slicer.Input
}

// asKubernetes: the mirrors are under the name of Kubernetes' own controller, and of its form.
func (m mirrored) asKubernetes() bool { return m.options.ManagedBy == mirror.KubernetesManager }

func (m mirrored) overLimit() bool {
	return slices.ContainsFunc(m.in.Skips, func(s slicer.Skip) bool { return s.Reason == mirror.OverLimit })
}

// wanted is what the Endpoints mean, with what is above the limit left out.
func (m mirrored) wanted() map[discoveryv1.AddressType][]corev1.EndpointSubset {
	wanted := map[discoveryv1.AddressType][]corev1.EndpointSubset{}
	if ok, _ := mirror.Eligible(m.endpoints, m.service); !ok {
		return wanted
	}
	limit := m.options.MaxAddressesPerSubset
	if limit == 0 {
		limit = 1000
	}
	v4 := CanonicalSubsets(m.endpoints.Subsets, discoveryv1.AddressTypeIPv4)
	v6 := CanonicalSubsets(m.endpoints.Subsets, discoveryv1.AddressTypeIPv6)
	wanted[discoveryv1.AddressTypeIPv4], wanted[discoveryv1.AddressTypeIPv6] = limited(v4, v6, limit)
	return wanted
}

// limited gives both families' subsets of the same ports one limit: first to ready addresses, then to others, each in
// the order of their numbers, in which IPv4 is ::ffff:0:0/96.
func limited(v4, v6 []corev1.EndpointSubset, limit int) (a, b []corev1.EndpointSubset) {
	room := map[string]int{}
	for _, ready := range []bool{true, false} {
		var all []placedAddress
		for family, subsets := range [][]corev1.EndpointSubset{v4, v6} {
			for i := range subsets {
				list := addressList(&subsets[i], ready)
				for _, address := range *list {
					all = append(all, placedAddress{address, family, i, portsText(subsets[i].Ports)})
				}
				*list = nil
			}
		}
		slices.SortStableFunc(all, func(a, b placedAddress) int {
			x, _ := sim.LenientIP(a.address.IP)
			y, _ := sim.LenientIP(b.address.IP)
			p, q := x.As16(), y.As16()
			return slices.Compare(p[:], q[:])
		})
		for _, p := range all {
			if room[p.ports]++; room[p.ports] > limit {
				continue
			}
			list := addressList(&[][]corev1.EndpointSubset{v4, v6}[p.family][p.subset], ready)
			*list = append(*list, p.address)
		}
	}
	empty := func(s corev1.EndpointSubset) bool { return len(s.Addresses)+len(s.NotReadyAddresses) == 0 }
	return slices.DeleteFunc(v4, empty), slices.DeleteFunc(v6, empty)
}

type placedAddress struct {
	address corev1.EndpointAddress
	family  int
	subset  int
	ports   string
}

func addressList(s *corev1.EndpointSubset, ready bool) *[]corev1.EndpointAddress {
	if ready {
		return &s.Addresses
	}
	return &s.NotReadyAddresses
}

// meaning: what is wanted is what the Endpoints mean, no more and no less, in canonical form and order (M1, M3). Kubernetes' own
// form is another one, which means the same unless there are too many addresses.
func (m mirrored) meaning() error {
	if m.asKubernetes() && m.overLimit() {
		return nil
	}
	for t, subsets := range m.wanted() {
		var got []corev1.EndpointSubset
		for _, g := range m.in.Groups {
			if g.AddressType == t {
				got = append(got, asSubset(g))
			}
		}
		if m.asKubernetes() {
			got = CanonicalSubsets(got, t)
		}
		if a, b := subsetsText(subsets), subsetsText(got); a != b {
			return fmt.Errorf("M1: of %s the Endpoints mean\n%s\nbut the groups say\n%s", t, a, b)
		}
	}
	return nil
}

// told: Skips say what is wrong and what to do, and their paths lead to the addresses meant (M1).
func (m mirrored) told() error {
	paths, bad := map[string]string{}, 0
	for i, s := range m.endpoints.Subsets {
		for name, addresses := range map[string][]corev1.EndpointAddress{"addresses": s.Addresses, "notReadyAddresses": s.NotReadyAddresses} {
			for j, a := range addresses {
				paths[fmt.Sprintf("subsets[%d].%s[%d].ip", i, name, j)] = a.IP
				if len(goodPorts(s.Ports)) > 0 && invalidIP(a.IP) {
					bad++
				}
			}
		}
	}
	for _, s := range m.in.Skips {
		fault, ok := s.Err.(*field.Error)
		if !ok || fault.Detail == "" || fault.Field != s.Path {
			return fmt.Errorf("rule 6: a skip without an error that says where and what to do: %+v", s)
		}
		switch s.Reason {
		case slicer.InvalidAddress:
			bad--
			fallthrough
		case mirror.Duplicate, mirror.OverLimit:
			if ip, ok := paths[s.Path]; !ok || s.Address != ip {
				return fmt.Errorf("rule 6: %s is not at %s", s.Address, s.Path)
			}
		case mirror.InvalidPort:
		default:
			return fmt.Errorf("rule 6: reason %v", s.Reason)
		}
	}
	if bad != 0 {
		return fmt.Errorf("M1: %d bad addresses are not among the Skips", bad)
	}
	return nil
}

func invalidIP(text string) bool {
	ip, ok := sim.LenientIP(text)
	return !ok || ip.IsUnspecified() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsLinkLocalMulticast()
}

// respelt: Endpoints in another order, or with each address and port in a subset of its own, want the same (M4). In Kubernetes'
// own form subsets stay apart, and the first addresses are taken.
func (m mirrored) respelt() error {
	spellings := map[string]*corev1.Endpoints{"reversed": reversed(m.endpoints), "exploded": exploded(m.endpoints)}
	if m.asKubernetes() {
		delete(spellings, "exploded")
		if m.overLimit() {
			return nil
		}
	}
	for name, e := range spellings {
		in, err := mirror.FromEndpoints(e, m.service, m.options)
		if err != nil {
			return fmt.Errorf("M4: %s: %w", name, err)
		}
		if len(in.Skips) != len(m.in.Skips) && name == "reversed" {
			return fmt.Errorf("M4: %s, the Endpoints have other Skips:\n%v\n%v", name, in.Skips, m.in.Skips)
		}
		in.Skips = m.in.Skips
		if !reflect.DeepEqual(in, m.in) {
			return fmt.Errorf("M4: %s, the Endpoints give another input:\n%+v\n%+v", name, in, m.in)
		}
	}
	return nil
}

// asSubset turns a group back.
func asSubset(g slicer.Group) corev1.EndpointSubset {
	var s corev1.EndpointSubset
	for _, p := range g.Ports {
		port := corev1.EndpointPort{Name: form.Text(p.Name), Protocol: *p.Protocol, Port: *p.Port, AppProtocol: p.AppProtocol}
		s.Ports = append(s.Ports, port)
	}
	for i := range g.Endpoints {
		e := &g.Endpoints[i]
		list := addressList(&s, form.Ready(e))
		*list = append(*list, corev1.EndpointAddress{
			IP: e.Addresses[0], Hostname: form.Text(e.Hostname), NodeName: e.NodeName, TargetRef: e.TargetRef,
		})
	}
	return s
}

func portsText(ports []corev1.EndpointPort) string {
	text := ""
	for _, p := range ports {
		text += fmt.Sprintf("%q ", serves(p))
	}
	return text + fmt.Sprint(len(ports))
}

// subsetsText prints all that subsets say but the resourceVersions of targets, which nobody compares.
func subsetsText(subsets []corev1.EndpointSubset) string {
	var b strings.Builder
	for _, s := range subsets {
		fmt.Fprintln(&b, portsText(s.Ports))
		for _, ready := range []bool{true, false} {
			for _, a := range *addressList(&s, ready) {
				fmt.Fprintf(&b, "  ready=%v %s %q node=%v %q", ready, a.IP, a.Hostname, a.NodeName != nil, form.Text(a.NodeName))
				if a.TargetRef != nil {
					r := *a.TargetRef
					r.ResourceVersion = ""
					fmt.Fprintf(&b, " %+v", r)
				}
				fmt.Fprintln(&b)
			}
		}
	}
	return b.String()
}

func reversed(e *corev1.Endpoints) *corev1.Endpoints {
	e = e.DeepCopy()
	slices.Reverse(e.Subsets)
	for i := range e.Subsets {
		slices.Reverse(e.Subsets[i].Addresses)
		slices.Reverse(e.Subsets[i].NotReadyAddresses)
		slices.Reverse(e.Subsets[i].Ports)
	}
	return e
}

func exploded(e *corev1.Endpoints) *corev1.Endpoints {
	e = e.DeepCopy()
	subsets := e.Subsets
	e.Subsets = nil
	for _, s := range subsets {
		ports := [][]corev1.EndpointPort{nil}
		if len(s.Ports) > 0 {
			ports = nil
		}
		for _, p := range s.Ports {
			ports = append(ports, []corev1.EndpointPort{p})
		}
		for _, p := range ports {
			for _, a := range s.NotReadyAddresses {
				e.Subsets = append(e.Subsets, corev1.EndpointSubset{NotReadyAddresses: []corev1.EndpointAddress{a}, Ports: p})
			}
			for _, a := range s.Addresses {
				e.Subsets = append(e.Subsets, corev1.EndpointSubset{Addresses: []corev1.EndpointAddress{a}, Ports: p})
			}
		}
	}
	return e
}
