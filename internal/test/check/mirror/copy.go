package mirror

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/check/form"
	checkslices "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// CopySlices calls mirror.FromSlices with options that have neither Transform nor Port, and checks what package mirror
// promises about it, M5 and M9. An error of FromSlices itself is returned with an empty input.
func CopySlices(set slicer.Set, from []*discoveryv1.EndpointSlice, o mirror.CopyOptions) (slicer.Input, error) {
	given := given.World{Input: slicer.Input{Set: set}, Existing: from}
	before := checkslices.Copy(given)
	in, err := mirror.FromSlices(set, from, o)
	if !reflect.DeepEqual(before, given) {
		return in, checkslices.Broken{Err: errors.New("M5: FromSlices changed its input")}
	}
	if err != nil {
		return slicer.Input{}, err
	}
	if !in.Options.NoPlaceholder {
		return in, checkslices.Broken{Err: errors.New("M9: a copy would keep an empty slice")}
	}
	for k, v := range in.Set.Labels {
		short := len(v) == validation.LabelValueMaxLength && v[38] == '_' && strings.HasPrefix(set.Labels[k], v[:38])
		if text := set.Labels[k]; v != text && !(short && len(text) >= len(v)) {
			return in, checkslices.Broken{Err: fmt.Errorf("M9: label %s=%s", k, v)}
		}
	}
	groups := in.Groups
	for i, s := range from {
		if toBeCopied(set, s) {
			if len(groups) == 0 || form.GroupKey(s.AddressType, portsThatFit(s.Ports)) != form.GroupKey(groups[0].AddressType, groups[0].Ports) {
				return in, checkslices.Broken{Err: fmt.Errorf("M9: slice %d, %s, is not copied", i, form.ShowSlice(s))}
			}
			if err := sameCopies(s.Endpoints, groups[0].Endpoints, o); err != nil {
				return in, checkslices.Broken{Err: fmt.Errorf("M9: slice %d, %s: %w", i, form.ShowSlice(s), err)}
			}
			groups = groups[1:]
		}
	}
	if len(groups) > 0 {
		return in, checkslices.Broken{Err: fmt.Errorf("M9: %d groups too many", len(groups))}
	}
	return in, nil
}

// toBeCopied reports whether a slice is to be copied.
func toBeCopied(set slicer.Set, s *discoveryv1.EndpointSlice) bool {
	types := set.AddressTypes
	if len(types) == 0 {
		types = []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN}
	}
	return s.Labels[discoveryv1.LabelManagedBy] != set.ManagedBy && slices.Contains(types, s.AddressType) &&
		(len(s.Ports) == 0 || len(portsThatFit(s.Ports)) > 0)
}

// portsThatFit are those that slicer takes, the first of each name.
func portsThatFit(ports []discoveryv1.EndpointPort) []discoveryv1.EndpointPort {
	var fit []discoveryv1.EndpointPort
	ports = slices.Clone(ports)
	slices.SortFunc(ports, func(a, b discoveryv1.EndpointPort) int { return endpoint.PortOf(&a).Compare(endpoint.PortOf(&b)) })
	for _, p := range ports {
		some := append(slices.Clone(fit), p)
		if len(sim.PortErrors(some, nil)) == 0 && (p.Port == nil || *p.Port >= 1 && *p.Port <= 65535) {
			fit = some
		}
	}
	return fit
}

func sameCopies(from, to []discoveryv1.Endpoint, o mirror.CopyOptions) error {
	want := copies(from, o)
	if len(want) != len(to) {
		return fmt.Errorf("%d endpoints, want %d", len(to), len(want))
	}
	for i := range want {
		if len(want[i].Addresses)+len(to[i].Addresses) == 0 {
			want[i].Addresses = to[i].Addresses
		}
		if !reflect.DeepEqual(want[i], to[i]) {
			return fmt.Errorf("endpoint %s, want %s", form.Show(&to[i]), form.Show(&want[i]))
		}
	}
	return nil
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
		if ip, ok := sim.LenientIP(a); ok {
			a = ip.String()
		}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
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
	var zones, nodes []string
	for _, z := range h.ForZones {
		if to := o.ZoneNames[z.Name]; to != "" && !slices.Contains(zones, to) {
			zones = append(zones, to)
		}
	}
	for _, n := range h.ForNodes {
		if to := o.NodeNames[n.Name]; to != "" && !slices.Contains(nodes, to) {
			nodes = append(nodes, to)
		}
	}
	if len(zones)+len(nodes) == 0 {
		return nil
	}
	out := &discoveryv1.EndpointHints{}
	for _, z := range zones {
		out.ForZones = append(out.ForZones, discoveryv1.ForZone{Name: z})
	}
	for _, n := range nodes {
		out.ForNodes = append(out.ForNodes, discoveryv1.ForNode{Name: n})
	}
	return out
}
