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

	"github.com/slicewright/slicewright/internal/test/check/form"
	checkslices "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// Mirror calls mirror.FromEndpoints and checks what package mirror promises about it, M1 to M6. An error of FromEndpoints
// itself is no broken promise: it is returned with an empty input. Of mirrors under the name of Kubernetes' own controller it
// checks only what they mean and what is reported, because their form is that controller's.
func Mirror(endpoints *corev1.Endpoints, service *corev1.Service, o mirror.Options) (slicer.Input, mirror.Report, error) {
	before, serviceBefore := endpoints.DeepCopy(), service.DeepCopy()
	in, report, err := mirror.FromEndpoints(endpoints, service, o)
	if !reflect.DeepEqual(before, endpoints) || !reflect.DeepEqual(serviceBefore, service) {
		return in, report, checkslices.Broken{Err: errors.New("M5: FromEndpoints changed its input")}
	}
	if err != nil {
		if !reflect.DeepEqual(in, slicer.Input{}) || !reflect.DeepEqual(report, mirror.Report{}) {
			return in, report, checkslices.Broken{Err: fmt.Errorf("rule 6: an input beside the error %w", err)}
		}
		return in, report, err
	}
	m := mirrored{endpoints, service, o, in, report}
	form := errors.Join(m.groups(), m.respelt())
	if o.ManagedBy == mirror.KubernetesManager {
		form = m.meaning()
	}
	if broken := errors.Join(m.eligible(), form, m.reported()); broken != nil {
		return in, report, checkslices.Broken{Err: broken}
	}
	return in, report, nil
}

type mirrored struct {
	endpoints *corev1.Endpoints
	service   *corev1.Service
	options   mirror.Options
	in        slicer.Input
	report    mirror.Report
}

// eligible: what is not to be mirrored wants nothing (M6).
func (m mirrored) eligible() error {
	e, s := m.endpoints, m.service
	want := e != nil && s != nil && len(s.Spec.Selector) == 0 && e.Labels[discoveryv1.LabelSkipMirror] != "true"
	if e != nil {
		_, lock := e.Annotations["control-plane.alpha.kubernetes.io/leader"]
		want = want && !lock
	}
	if got, reason := mirror.Eligible(e, s); got != want || got != (reason == mirror.Mirrored) {
		return fmt.Errorf("M6: Eligible says %v, %v", got, reason)
	}
	if !want && len(m.in.Groups) > 0 {
		return errors.New("M6: Endpoints that are not mirrored want endpoints")
	}
	if !m.in.Options.NoPlaceholder {
		return errors.New("M6: a mirror would keep an empty slice")
	}
	return nil
}

func (m mirrored) mirrors() bool { ok, _ := mirror.Eligible(m.endpoints, m.service); return ok }

// wanted is what the Endpoints mean, with what is above the limit left out.
func (m mirrored) wanted() map[discoveryv1.AddressType][]corev1.EndpointSubset {
	wanted := map[discoveryv1.AddressType][]corev1.EndpointSubset{}
	if !m.mirrors() {
		return wanted
	}
	v4 := CanonicalSubsets(m.endpoints.Subsets, discoveryv1.AddressTypeIPv4)
	v6 := CanonicalSubsets(m.endpoints.Subsets, discoveryv1.AddressTypeIPv6)
	v4, v6 = limited(v4, v6, m.limit())
	wanted[discoveryv1.AddressTypeIPv4], wanted[discoveryv1.AddressTypeIPv6] = v4, v6
	return wanted
}

func (m mirrored) limit() int {
	if m.options.MaxAddressesPerSubset == 0 {
		return 1000
	}
	return m.options.MaxAddressesPerSubset
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

// meaning: the groups say what the Endpoints mean, unless there are too many addresses (M1).
func (m mirrored) meaning() error {
	if !m.mirrors() || m.report.Count(mirror.OverLimit) > 0 {
		return nil
	}
	for _, t := range []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6} {
		var got []corev1.EndpointSubset
		for _, g := range m.in.Groups {
			if g.AddressType == t {
				got = append(got, asSubset(g))
			}
		}
		if a, b := subsetsText(CanonicalSubsets(m.endpoints.Subsets, t)), subsetsText(CanonicalSubsets(got, t)); a != b {
			return fmt.Errorf("M1: of %s the Endpoints mean\n%s\nbut the groups say\n%s", t, a, b)
		}
	}
	return nil
}

// groups: what is wanted is what the Endpoints mean, no more and no less, in canonical form and order (M1 to M4).
func (m mirrored) groups() error {
	for t, subsets := range m.wanted() {
		var got []corev1.EndpointSubset
		for _, g := range m.in.Groups {
			if g.AddressType == t {
				got = append(got, asSubset(g))
			}
		}
		if a, b := subsetsText(subsets), subsetsText(got); a != b {
			return fmt.Errorf("M1: of %s the Endpoints mean\n%s\nbut the groups say\n%s", t, a, b)
		}
	}
	last := ""
	for _, g := range m.in.Groups {
		if g.AddressType < discoveryv1.AddressType(last) {
			return errors.New("M4: the groups' types are not in order")
		}
		last = string(g.AddressType)
		if !slices.IsSortedFunc(g.Endpoints, form.CompareEndpoints) {
			return errors.New("M4: the endpoints of a group are not in order")
		}
		for _, e := range g.Endpoints {
			c := e.Conditions
			if c.Ready == nil || c.Serving == nil || c.Terminating == nil || *c.Ready != *c.Serving || *c.Terminating {
				return fmt.Errorf("M1: conditions of %s are not explicit, or wrong", form.Show(&e))
			}
		}
	}
	if !m.in.Options.ExplicitConditions || !m.in.Options.RemoveForeignAnnotations || m.in.Options.MaxEndpointsPerSlice != m.limit() {
		return fmt.Errorf("M3: options %+v", m.in.Options)
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

// reported: the Report counts what is taken and what is not, and its paths lead to the addresses meant (M1).
func (m mirrored) reported() error {
	taken := 0
	for _, g := range m.in.Groups {
		taken += len(g.Endpoints)
	}
	if m.report.Taken != taken {
		return fmt.Errorf("M1: %d endpoints are wanted, %d reported", taken, m.report.Taken)
	}
	if !m.mirrors() {
		if len(m.report.Skipped) > 0 {
			return errors.New("M6: a report of what nobody mirrors")
		}
		return nil
	}
	paths := map[string]string{}
	bad := 0
	for i, s := range m.endpoints.Subsets {
		usable := len(goodPorts(s.Ports)) > 0
		for _, list := range []struct {
			name      string
			addresses []corev1.EndpointAddress
		}{{"addresses", s.Addresses}, {"notReadyAddresses", s.NotReadyAddresses}} {
			for j, a := range list.addresses {
				paths[fmt.Sprintf("subsets[%d].%s[%d].ip", i, list.name, j)] = a.IP
				if usable && invalidIP(a.IP) {
					bad++
				}
			}
		}
	}
	if n := m.report.Count(mirror.InvalidAddress); n != bad {
		return fmt.Errorf("M1: %d invalid addresses, %d reported", bad, n)
	}
	for _, s := range m.report.Skipped {
		if s.Err == nil || s.Err.Detail == "" || s.Cause != nil || s.Count < 0 {
			return fmt.Errorf("rule 6: a skip without an error that says what to do: %+v", s)
		}
		switch s.Reason {
		case mirror.InvalidAddress, mirror.Duplicate, mirror.OverLimit:
			if ip, ok := paths[s.Err.Field]; !ok || s.Err.BadValue != ip {
				return fmt.Errorf("rule 6: nothing with value %v is at %s", s.Err.BadValue, s.Err.Field)
			}
		case mirror.InvalidPort:
		default:
			return fmt.Errorf("rule 6: reason %v", s.Reason)
		}
	}
	return nil
}

func invalidIP(text string) bool {
	ip, ok := sim.LenientIP(text)
	return !ok || ip.IsUnspecified() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsLinkLocalMulticast()
}

// respelt: Endpoints in another order, or with each address and port in a subset of its own, give the same input (M4).
func (m mirrored) respelt() error {
	if m.endpoints == nil {
		return nil
	}
	for name, e := range map[string]*corev1.Endpoints{"reversed": reversed(m.endpoints), "exploded": exploded(m.endpoints)} {
		in, report, err := mirror.FromEndpoints(e, m.service, m.options)
		if err != nil {
			return fmt.Errorf("M4: %s: %w", name, err)
		}
		if !reflect.DeepEqual(in, m.in) {
			return fmt.Errorf("M4: %s, the Endpoints give another input:\n%+v\n%+v", name, in, m.in)
		}
		if report.String() != m.report.String() && name == "reversed" {
			return fmt.Errorf("M4: %s, the Endpoints give another report: %s, %s", name, report, m.report)
		}
	}
	return nil
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
