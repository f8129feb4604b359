package mirror

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/check/memory"
	checkslices "github.com/slicewright/slicewright/internal/test/check/oldslices"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// CopySlice calls mirror.CopySlice with options that have neither Transform nor Port, and checks
// what package mirror promises about it, M5 and M9. An error of CopySlice itself is returned with a
// nil slice.
func CopySlice(from *discoveryv1.EndpointSlice, meta metav1.ObjectMeta,
	o mirror.CopyOptions) (*discoveryv1.EndpointSlice, []slicer.Skip, error) {
	before, metaBefore := from.DeepCopy(), meta.DeepCopy()
	to, skips, err := mirror.CopySlice(from, meta, o)
	if !reflect.DeepEqual(before, from) || !reflect.DeepEqual(metaBefore, &meta) {
		return to, skips, checkslices.Broken{Err: errors.New("M5: CopySlice changed its input")}
	}
	if err != nil {
		if to != nil || skips != nil {
			return to, skips, checkslices.Broken{Err: fmt.Errorf("rule 6: a copy beside the error %w", err)}
		}
		return nil, nil, err
	}
	input := []any{from, &meta}
	if a, b, shared := memory.Shared(memory.Value{Owner: "the source", Of: &input},
		memory.Value{Owner: "the copy", Of: to}); shared {
		return to, skips, checkslices.Broken{Err: fmt.Errorf("M5: %s and %s share memory", a, b)}
	}
	if broken := copied(from, meta, o, to); broken != nil {
		return to, skips, checkslices.Broken{Err: broken}
	}
	return to, skips, nil
}

func copied(from *discoveryv1.EndpointSlice, meta metav1.ObjectMeta, o mirror.CopyOptions,
	to *discoveryv1.EndpointSlice) error {
	ports := from.Ports[:0:0] // nil for nil
	fit := portsThatFit(from.Ports)
	for _, p := range from.Ports {
		if i := slices.IndexFunc(fit, func(q discoveryv1.EndpointPort) bool {
			return reflect.DeepEqual(p, q)
		}); i >= 0 {
			ports, fit = append(ports, p), slices.Delete(fit, i, i+1)
		}
	}
	endpoints := from.Endpoints
	if len(ports) == 0 && len(from.Ports) > 0 {
		endpoints = nil
	}
	switch {
	case !reflect.DeepEqual(to.ObjectMeta, meta) || to.AddressType != from.AddressType:
		return fmt.Errorf("M9: metadata %v, address type %s", to.ObjectMeta, to.AddressType)
	case !reflect.DeepEqual(to.Ports, ports):
		return fmt.Errorf("M9: ports %v, want %v", to.Ports, ports)
	}
	// The API server takes the copy, nothing that it would take is left out, and no two endpoints
	// are equal.
	var want []discoveryv1.Endpoint
	for _, e := range copies(endpoints, o) {
		// refused as package slicer does
		nameless := e.Hints != nil && slices.Contains(e.Hints.ForZones, discoveryv1.ForZone{})
		accepted := len(sim.EndpointErrors(e, from.AddressType, nil)) == 0 && !nameless
		if accepted && !slices.ContainsFunc(want,
			func(f discoveryv1.Endpoint) bool { return reflect.DeepEqual(e, f) }) {
			want = append(want, e)
		}
	}
	if len(want) != len(to.Endpoints) || len(want) > 0 && !reflect.DeepEqual(want, to.Endpoints) {
		return fmt.Errorf("M9: endpoints %s, want %s", form.ShowSlice(to),
			form.ShowSlice(&discoveryv1.EndpointSlice{Endpoints: want}))
	}
	return nil
}

// portsThatFit are those that slicer takes, the first of each name.
func portsThatFit(ports []discoveryv1.EndpointPort) []discoveryv1.EndpointPort {
	var fit []discoveryv1.EndpointPort
	ports = slices.Clone(ports)
	slices.SortFunc(ports, func(a, b discoveryv1.EndpointPort) int {
		return endpoint.PortOf(&a).Compare(endpoint.PortOf(&b))
	})
	for _, p := range ports {
		some := append(slices.Clone(fit), p)
		if len(sim.PortErrors(some, nil)) == 0 && (p.Port == nil || *p.Port >= 1 && *p.Port <= 65535) {
			fit = some
		}
	}
	return fit
}

// copies are the endpoints that FromSlices makes of those of a slice.
func copies(from []discoveryv1.Endpoint, o mirror.CopyOptions) (want []discoveryv1.Endpoint) {
	for _, e := range from {
		e.DeprecatedTopology = nil
		e.Zone, e.NodeName = copiedName(o.Zone, e.Zone, o.ZoneNames), copiedName(o.Node, e.NodeName, o.NodeNames)
		e.Hints = copiedHints(e.Hints, o)
		if pod := e.TargetRef; o.HostnameFromPod && form.Text(e.Hostname) == "" && pod != nil && pod.Kind == "Pod" &&
			len(validation.IsDNS1123Label(pod.Name)) == 0 {
			e.Hostname = &pod.Name
		}
		if o.TargetRef == mirror.Drop {
			e.TargetRef = nil
		}
		e.Hostname = unlessEmpty(e.Hostname)
		e.NodeName = unlessEmpty(e.NodeName)
		e.Zone = unlessEmpty(e.Zone)
		addresses := [][]string{e.Addresses}
		if o.EachAddress && len(e.Addresses) > 0 {
			addresses = nil
			for _, a := range e.Addresses {
				addresses = append(addresses, []string{a})
			}
		}
		for _, a := range addresses {
			e.Addresses = canonical(a)
			want = append(want, e)
		}
	}
	return want
}

// canonical are the addresses in the spelling of net/netip, each once.
func canonical(addresses []string) []string {
	out := addresses[:0:0]
	for _, a := range addresses {
		if a = form.Canonical(a); !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// unlessEmpty is nil for what the API server refuses.
func unlessEmpty(text *string) *string {
	if form.Text(text) == "" {
		return nil
	}
	return text
}

func copiedName(how mirror.Carry, name *string, names map[string]string) *string {
	if name == nil || how == mirror.Drop {
		return nil
	}
	if how == mirror.Keep {
		return name
	}
	if mapped := names[*name]; mapped != "" {
		return &mapped
	}
	return nil
}

func copiedHints(h *discoveryv1.EndpointHints, o mirror.CopyOptions) *discoveryv1.EndpointHints {
	if h == nil || o.Hints == mirror.Drop {
		return nil
	}
	if o.Hints == mirror.Keep {
		return h
	}
	out := &discoveryv1.EndpointHints{}
	for _, z := range h.ForZones {
		if to := (discoveryv1.ForZone{Name: o.ZoneNames[z.Name]}); to.Name != "" && !slices.Contains(out.ForZones, to) {
			out.ForZones = append(out.ForZones, to)
		}
	}
	for _, n := range h.ForNodes {
		if to := (discoveryv1.ForNode{Name: o.NodeNames[n.Name]}); to.Name != "" && !slices.Contains(out.ForNodes, to) {
			out.ForNodes = append(out.ForNodes, to)
		}
	}
	if len(out.ForZones)+len(out.ForNodes) == 0 {
		return nil
	}
	return out
}
