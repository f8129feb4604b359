package content

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Origin is what the endpoints of a slice have in common. It never changes: if a slice has other labels or application
// protocols than before, its endpoints are made anew, with another Origin.
type Origin struct {
	Slice        string            // the name
	Labels       map[string]string // those that are asked for, as far as the slice has them; nil for none
	appProtocols []appProtocol     // in order, one for each name and protocol
}

// appProtocol is the application protocol of a port that has one.
type appProtocol struct {
	name     string
	protocol corev1.Protocol
	text     string
}

func (a appProtocol) comparePort(b appProtocol) int {
	if c := strings.Compare(a.name, b.name); c != 0 {
		return c
	}
	return strings.Compare(string(a.protocol), string(b.protocol))
}

func (a appProtocol) compare(b appProtocol) int {
	if c := a.comparePort(b); c != 0 {
		return c
	}
	return strings.Compare(a.text, b.text)
}

// OriginOf returns the Origin of a slice: before, which may be nil, if the slice says the same.
func OriginOf(slice *discoveryv1.EndpointSlice, labels []string, before *Origin) *Origin {
	o := Origin{Slice: slice.Name}
	for _, key := range labels {
		if value, has := slice.Labels[key]; has {
			if o.Labels == nil {
				o.Labels = map[string]string{}
			}
			o.Labels[key] = value
		}
	}
	for i := range slice.Ports {
		if p := endpoint.PortOf(&slice.Ports[i]); p.AppProtocol != "" {
			o.appProtocols = append(o.appProtocols, appProtocol{p.Name, Protocol(p.Protocol), p.AppProtocol})
		}
	}
	slices.SortFunc(o.appProtocols, appProtocol.compare)
	o.appProtocols = slices.CompactFunc(o.appProtocols, func(a, b appProtocol) bool { return a.comparePort(b) == 0 })
	if before != nil && maps.Equal(o.Labels, before.Labels) && slices.Equal(o.appProtocols, before.appProtocols) {
		return before
	}
	return &o
}

// AppProtocol is what the slice says of a port: of several ports with this name and protocol the first text; "" for nothing.
func (o *Origin) AppProtocol(name string, protocol corev1.Protocol) string {
	for _, a := range o.appProtocols {
		if a.name == name && a.protocol == protocol {
			return a.text
		}
	}
	return ""
}
