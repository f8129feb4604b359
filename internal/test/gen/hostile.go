package gen

import (
	"fmt"
	"strconv"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Hostile are inputs that make a careless planner quadratic, each of about n endpoints and slices.
var Hostile = []struct {
	Name  string
	Input func(n int) Case
}{
	// One identity, n contents.
	{"duplicates", func(n int) Case {
		in := First(Service(n))
		for i := range in.Groups[0].Endpoints {
			e := &in.Groups[0].Endpoints[i].API
			e.Addresses, e.TargetRef = []string{Address(0)}, nil
			e.Zone = ptr(fmt.Sprintf("zone-%d", i))
		}
		return in
	}},
	// Every endpoint on ports of its own, before and after.
	{"ports", func(n int) Case {
		in := Service(0)
		in.Groups = nil
		for i := range n {
			in.Groups = append(in.Groups,
				slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: hostilePorts(i + n),
					Endpoints: Want(podEndpoints(i, i+1)...)})
			s := serviceSlice(i, i+1)
			s.Name, s.Ports = fmt.Sprintf("s%d", i), hostilePorts(i)
			in.Existing = append(in.Existing, s)
		}
		return in
	}},
	// Every slice is free, and holds what is wanted on each of the other ports.
	{"reuse", func(n int) Case {
		in := Service(0)
		in.Groups = nil
		for i := range n {
			g := slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: hostilePorts(i),
				Endpoints: Want(podEndpoints(i, i+1)...)}
			in.Groups = append(in.Groups, g)
			s := serviceSlice(i+1, i+2)
			s.Name, s.Ports = fmt.Sprintf("s%d", i), hostilePorts(i)
			in.Existing = append(in.Existing, s)
		}
		return in
	}},
	// Every slice is adopted, by name.
	{"adopted", func(n int) Case {
		in := First(Service(n))
		for i := range n {
			s := serviceSlice(i, i+1)
			s.Name, s.Labels = fmt.Sprintf("s%d", i), nil
			in.Existing = append(in.Existing, s)
			in.Options.Adopt = append(in.Options.Adopt, s.Name)
		}
		return in
	}},
	// All slices hold the same endpoints.
	{"copies", func(n int) Case {
		in := Service(perSlice)
		in.Existing = nil
		for i := range n / perSlice {
			s := serviceSlice(0, perSlice)
			s.Name, s.ResourceVersion = fmt.Sprintf("s%d", i), fmt.Sprint(i+1)
			in.Existing = append(in.Existing, s)
		}
		return in
	}},
	// One endpoint wanted on n lists of ports, held on n others.
	{"star", func(n int) Case {
		in := Service(0)
		in.Groups = nil
		for i := range n {
			in.Groups = append(in.Groups,
				slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: hostilePorts(i + n),
					Endpoints: Want(podEndpoints(0, 1)...)})
			s := serviceSlice(0, 1)
			s.Name = fmt.Sprintf("s%d", i)
			s.Ports = hostilePorts(i)
			s.ResourceVersion = fmt.Sprint(i + 1)
			in.Existing = append(in.Existing, s)
		}
		return in
	}},
	// Every name that could be given is taken.
	{"names", func(n int) Case {
		in := Service(n)
		in.Options.MaxEndpointsPerSlice = 1
		in.Existing = nil
		for i := range n {
			s := serviceSlice(i, i+1)
			s.Name, s.Labels = fmt.Sprintf("web-ipv4-%d", i+2), nil
			in.Existing = append(in.Existing, s)
		}
		return in
	}},
}

// Sized returns slices with the same ports, and in each endpoints with addresses of their own and a
// zone of their own. The same endpoints are wanted, but for every tenth one.
func Sized(of, endpoints, ports, addresses int) Case {
	in := Service(0)
	var list []discoveryv1.EndpointPort
	for k := range ports {
		name, port := fmt.Sprint("p", k), int32(1+k%65535)
		list = append(list, discoveryv1.EndpointPort{Name: &name, Port: &port})
	}
	in.Groups[0].Ports = list
	for i := range of {
		s := WebSlice(fmt.Sprint("web-", i))
		s.Namespace, s.Labels[discoveryv1.LabelManagedBy] = Namespace, Manager
		s.Ports, s.Endpoints, s.ResourceVersion = list, nil, strconv.Itoa(1+i)
		for k := range endpoints {
			e, zone := discoveryv1.Endpoint{}, fmt.Sprint("z", i*endpoints+k)
			e.Zone = &zone
			for a := range addresses {
				e.Addresses = append(e.Addresses, Address((i*endpoints+k)*addresses+a))
			}
			if s.Endpoints = append(s.Endpoints, e); (i+k)%10 > 0 {
				in.Groups[0].Endpoints = append(in.Groups[0].Endpoints, Want(e)...)
			}
		}
		in.Existing = append(in.Existing, s)
	}
	return in
}

func hostilePorts(i int) []discoveryv1.EndpointPort {
	return []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(1 + i%65535)),
		AppProtocol: ptr(fmt.Sprintf("p%d", i))}}
}
