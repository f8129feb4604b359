package dedup

import (
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// reading is one slice as it is understood: scratch memory that the next slice overwrites. Its records are in order,
// each once.
type reading struct {
	slice    types.NamespacedName
	source   *source
	ports    []slicePort
	records  []*record
	shapes   shapes // of the last slices
	problems []Problem

	arena     *arena // one of the two
	scratch   arena
	lasting   arena
	lastPorts []slicePort // of the last slice, for the next one to share
}

// slicePort is a port of a slice. Number 0 means any.
type slicePort struct {
	name     string
	protocol corev1.Protocol
	number   uint16
}

func (p slicePort) compare(q slicePort) int {
	if c := strings.Compare(p.name, q.name); c != 0 {
		return c
	}
	if c := strings.Compare(string(p.protocol), string(q.protocol)); c != 0 {
		return c
	}
	return int(p.number) - int(q.number)
}

// read understands a slice of the Service and source that were set. It reports whether it did so by comparing the slice with
// what it was before: then the changes have all that is new, and there are no records.
func (r *reading) read(slice *discoveryv1.EndpointSlice, o *Options, read family, before *holding, c *changes) (again bool) {
	f, ok := familyOf(slice.AddressType)
	if !ok {
		r.problem(UnknownAddressType, unknownAddressType(field.NewPath("addressType"), slice))
		return false
	}
	if read&f == 0 {
		return false
	}
	r.readPorts(slice.Ports, o.KeepAnyPort)
	if !o.AllAddresses && hasMoreAddresses(slice) {
		r.problem(MoreAddresses, moreAddresses(field.NewPath("endpoints")))
	}
	if r.readAgain(slice, f, before, c) {
		return true
	}
	r.shapes.recall(before.records)
	n := len(slice.Endpoints)
	if o.AllAddresses {
		n = 0
		for i := range slice.Endpoints {
			n += len(slice.Endpoints[i].Addresses)
		}
	}
	r.arena.expect(n)
	if cap(r.records) < n {
		r.records = make([]*record, 0, n)
	}
	for i := range slice.Endpoints {
		r.readEndpoint(&slice.Endpoints[i], i, f, o.AllAddresses)
	}
	return false
}

// reset drops what was read except for shapes and ports, which slices have in common.
func (r *reading) reset() {
	r.ports, r.records, r.problems = emptied(r.ports), emptied(r.records), nil
	r.scratch.reset()
	r.lasting.reset()
}

func (r *reading) problem(reason ProblemReason, err *field.Error) {
	r.problems = append(r.problems, Problem{Slice: r.slice, Reason: reason, Err: err})
}

// readPorts puts the usable ports in order, each once.
func (r *reading) readPorts(ports []discoveryv1.EndpointPort, keepAnyPort bool) {
	for i := range ports {
		p := endpoint.PortOf(&ports[i])
		switch {
		case ports[i].Port == nil && !keepAnyPort:
			r.problem(NoNumber, noNumber(portPath(i)))
			continue
		case ports[i].Port == nil:
			p.Number = 0
		case p.Number < 1 || p.Number > 65535:
			r.problem(BadNumber, field.Invalid(portPath(i), p.Number, "must be 1 to 65535"))
			continue
		}
		r.ports = append(r.ports, slicePort{name: p.Name, protocol: protocolOf(p.Protocol), number: uint16(p.Number)})
	}
	slices.SortFunc(r.ports, slicePort.compare)
	r.ports = slices.Compact(r.ports)
	r.dropSamePorts()
}

func portPath(i int) *field.Path { return field.NewPath("ports").Index(i).Child("port") }

// portList returns the ports that were read, as a list that slices with the same ports share.
func (r *reading) portList(before []slicePort) []slicePort {
	if !slices.Equal(r.ports, before) {
		if slices.Equal(r.ports, r.lastPorts) {
			return r.lastPorts
		}
		before = slices.Clone(r.ports)
	}
	r.lastPorts = before
	return before
}

// dropSamePorts sets ports of one name and protocol aside: which of their numbers is meant is anybody's guess.
func (r *reading) dropSamePorts() {
	kept := r.ports[:0]
	for i := 0; i < len(r.ports); {
		j := i + 1
		for j < len(r.ports) && r.ports[j].name == r.ports[i].name && r.ports[j].protocol == r.ports[i].protocol {
			j++
		}
		if j == i+1 {
			kept = append(kept, r.ports[i])
		} else {
			r.problem(SamePort, field.Invalid(field.NewPath("ports"),
				r.ports[i].name+"/"+string(r.ports[i].protocol), "has several numbers; give each name and protocol once"))
		}
		i = j
	}
	r.ports = kept
}

func (r *reading) readEndpoint(e *discoveryv1.Endpoint, index int, f family, all bool) {
	if len(e.Addresses) == 0 {
		r.problem(NoAddress, noAddress(field.NewPath("endpoints").Index(index)))
		return
	}
	addresses := e.Addresses
	if !all {
		addresses = addresses[:1]
	}
	for i, a := range addresses {
		h, _, reason, ok := readHost(a, f)
		if !ok {
			r.problem(reason, badAddress(field.NewPath("endpoints").Index(index), i, a))
			continue
		}
		rec := r.arena.record()
		rec.host = h
		r.fill(rec, e)
		if f == fqdn {
			r.arena.moreFor(rec).fqdn = strings.TrimSuffix(a, ".")
		}
		r.records = append(r.records, rec)
	}
}

// readHost parses an address of a slice whose endpoints are of family f. canonical is false where the text is not the one
// spelling of the address. The reason counts only if it is not ok.
func readHost(a string, f family) (h host, canonical bool, reason ProblemReason, ok bool) {
	if f == fqdn {
		name := strings.TrimSuffix(a, ".")
		return host{}, len(name) == len(a), BadAddress, name != ""
	}
	if ip, ok := endpoint.IPv4(a); ok {
		return host{lo: mapped | uint64(ip)}, true, WrongFamily, f&ipv4 != 0
	}
	if hi, lo, ok := endpoint.IPv6(a); ok && hi|lo != 0 {
		return host{hi, lo}, true, WrongFamily, f&ipv6 != 0
	}
	addr, ok := endpoint.Addr(a)
	if !ok || addr == netip.IPv6Unspecified() {
		return host{}, false, BadAddress, false
	}
	h = hostOf(addr)
	return h, false, WrongFamily, f&h.family() != 0
}

// fill reads everything but addresses.
func (r *reading) fill(rec *record, e *discoveryv1.Endpoint) {
	want := shape{source: r.source, usability: usabilityOf(conditions.Of(e.Conditions))}
	if e.Zone != nil {
		want.zone = *e.Zone
	}
	if e.NodeName != nil {
		rec.node = *e.NodeName
	}
	if t := e.TargetRef; t != nil {
		want.kind, want.namespace, rec.name, rec.uid = t.Kind, t.Namespace, t.Name, t.UID
	}
	if e.Hostname != nil && *e.Hostname != "" {
		r.arena.moreFor(rec).hostname = *e.Hostname
	}
	if e.Hints != nil {
		want.zones = inOrder(e.Hints.ForZones, compareForZones)
		if len(e.Hints.ForNodes) > 0 {
			r.arena.moreFor(rec).nodes = r.arena.hints(e.Hints.ForNodes)
		}
	}
	rec.shape = r.shapes.get(&want)
}

// inOrder returns a list sorted, each element once, nil if it is empty. A list of one is the caller's own.
func inOrder[T comparable](list []T, compare func(a, b T) int) []T {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[:1:1]
	}
	list = slices.Clone(list)
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}
