package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// noPort is the name of the port that slices without ports get here, so that their endpoints have rows.
const noPort = "none"

// subject is a Service that slices belong to, or that is in the input.
type subject struct {
	*corev1.Service
	slices  []*discoveryv1.EndpointSlice // with its label, by name
	given   bool                         // it is in the input
	assumed bool                         // its cluster IP is not
}

// row is an endpoint on a port, with the slices that have it.
type row struct {
	dedup.Endpoint
	slices []string
}

// section is the rows of a port and family.
type section struct {
	port   string
	family discoveryv1.AddressType
	rows   []*row
}

// subjectsOf lists all Services, by namespace and name. A Service that is not in the input is taken
// to have cluster IPs of both families and all ports of its slices.
func subjectsOf(objects *manifest.Objects) (all []*subject) {
	found := map[types.NamespacedName]*subject{}
	for _, svc := range objects.Services {
		svc, assumed := manifest.Completed(svc)
		s := &subject{Service: svc, given: true, assumed: assumed}
		found[s.name()] = s
		all = append(all, s)
	}
	list := slices.Clone(objects.EndpointSlices)
	slices.SortFunc(list, func(a, b *discoveryv1.EndpointSlice) int { return cmp.Compare(a.Name, b.Name) })
	for _, slice := range list {
		name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Labels[discoveryv1.LabelServiceName]}
		if name.Name == "" {
			continue
		}
		s := found[name]
		if s == nil {
			s = &subject{Service: &corev1.Service{}}
			s.Namespace, s.Name = name.Namespace, name.Name
			s.Spec.ClusterIP, s.Spec.ClusterIPs = "192.0.2.1", []string{"192.0.2.1", "2001:db8::1"}
			s.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
			found[name] = s
			all = append(all, s)
		}
		s.slices = append(s.slices, slice)
		for _, p := range slice.Ports {
			if p := manifest.PortOf(p); !s.given && !slices.ContainsFunc(s.Spec.Ports, func(q corev1.ServicePort) bool {
				return manifest.PortName(p) == manifest.PortName(q)
			}) {
				s.Spec.Ports = append(s.Spec.Ports, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b *subject) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func (s *subject) name() types.NamespacedName {
	return types.NamespacedName{Namespace: s.Namespace, Name: s.Name}
}

func (s *subject) headless() bool { return s.Spec.ClusterIP == corev1.ClusterIPNone }

// ports are those of a slice; one that stands for none if it has none.
func ports(slice *discoveryv1.EndpointSlice) []discoveryv1.EndpointPort {
	if len(slice.Ports) > 0 {
		return slice.Ports
	}
	name := noPort
	return []discoveryv1.EndpointPort{{Name: &name}}
}

var allTypes = dedup.Options{AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4,
	discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN}}

// everything is all endpoints of slices: by Service and port, and by address and number.
func everything(list []*discoveryv1.EndpointSlice) map[string]dedup.Endpoint {
	known := map[string]dedup.Endpoint{}
	o := allTypes
	for _, o.AnyPort = range []bool{false, true} {
		var read []*discoveryv1.EndpointSlice
		for _, slice := range list {
			if (len(slice.Ports) == 0) == o.AnyPort {
				out := *slice
				out.Ports = ports(slice)
				read = append(read, &out)
			}
		}
		for port, e := range dedup.Merge(read, o).All() {
			name := manifest.PortName(corev1.ServicePort{Name: port.Port, Protocol: port.Protocol})
			known[fmt.Sprint(port.Service, " ", name, " ", e)] = e
		}
	}
	return known
}

// sections sorts the endpoints of a Service by port and family. Endpoints that nothing reads are
// counted by slice.
func (s *subject) sections(known map[string]dedup.Endpoint, skipped map[string]int) (all []*section) {
	rows := map[string]*row{}
	add := func(slice *discoveryv1.EndpointSlice, port string, e dedup.Endpoint) {
		i := slices.IndexFunc(all, func(s *section) bool { return s.port == port && s.family == slice.AddressType })
		if i < 0 {
			i = len(all)
			all = append(all, &section{port: port, family: slice.AddressType})
		}
		key := fmt.Sprint(i, " ", e)
		if rows[key] == nil {
			rows[key] = &row{Endpoint: e}
			all[i].rows = append(all[i].rows, rows[key])
		}
		if !slices.Contains(rows[key].slices, slice.Name) {
			rows[key].slices = append(rows[key].slices, slice.Name)
		}
	}
	for _, slice := range s.slices {
		for _, e := range slice.Endpoints {
			for _, p := range ports(slice) {
				for _, address := range append(e.Addresses, "")[:max(1, len(e.Addresses))] {
					at := dedup.Endpoint{FQDN: strings.TrimSuffix(address, ".")}
					if ip, ok := endpoint.Addr(address); ok && slice.AddressType != discoveryv1.AddressTypeFQDN {
						at = dedup.Endpoint{Address: ip}
					}
					if p.Port != nil {
						at.Port = *p.Port
					}
					name := manifest.PortName(manifest.PortOf(p))
					if e, ok := known[fmt.Sprint(s.name(), " ", name, " ", at)]; ok {
						add(slice, name, e)
					} else {
						skipped[s.Namespace+"/"+slice.Name]++
					}
				}
			}
		}
	}
	return all
}
