package slicer_test

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

const (
	machineNamespace = "ns"
	machineManager   = "slices.example.com"
	machinePods      = 6
)

// desired is what the machine's controller wants: a Service with its Pods.
type desired struct {
	options   slicer.Options
	types     []discoveryv1.AddressType
	pods      []machinePod
	port      int32
	owner     int
	label     int
	lost      string // the zone of a node that is gone
	dying     bool
	ownership bool
}

type machinePod struct {
	id    int
	ready bool
	other bool // its named port has another number
	zone  string
}

func drawDesired(t *rapid.T) desired {
	bit := func(label string) bool { return rapid.Bool().Draw(t, label) }
	d := desired{port: 80, owner: 1, types: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4}}
	if bit("dual stack") {
		d.types = append(d.types, discoveryv1.AddressTypeIPv6)
	}
	d.ownership = bit("owners")
	d.options = slicer.Options{
		MaxEndpointsPerSlice: rapid.IntRange(1, 3).Draw(t, "max"),
		Packing:              rapid.SampledFrom([]slicer.Packing{slicer.InPlace, slicer.Compact}).Draw(t, "packing"),
		GeneratedNames:       bit("generated names"),
		ByTargetUID:          bit("by target UID"),
		NoPlaceholder:        bit("no placeholder"),
		SplitOversize:        bit("split oversize"),
		DissolveUpTo:         rapid.SampledFrom([]int{0, 0, 1, 50}).Draw(t, "dissolve up to"),
		ExplicitConditions:   bit("explicit conditions"),
		Hints:                gen.HintConfig(t),
	}
	if d.options.Packing == slicer.InPlace {
		d.options.DissolveUpTo = 0
	}
	return d
}

// scaleUp adds Pods. There are few, so that the same one comes back while old slices still hold it.
func (m *machine) scaleUp(t *rapid.T) {
	for range rapid.IntRange(1, 3).Draw(t, "pods") {
		if id := m.freeID(t); id > 0 {
			m.desired.pods = append(m.desired.pods, machinePod{id: id, ready: true, zone: drawZone(t)})
		}
	}
}

// want sets the Pods.
func (m *machine) want(ids ...int) {
	m.desired.pods = nil
	for _, id := range ids {
		m.desired.pods = append(m.desired.pods, machinePod{id: id, ready: true})
	}
}

// freeID draws a Pod that is not wanted now; 0 if all are.
func (m *machine) freeID(t *rapid.T) int {
	var free []int
	for id := 1; id <= machinePods; id++ {
		if !slices.ContainsFunc(m.desired.pods, func(p machinePod) bool { return p.id == id }) {
			free = append(free, id)
		}
	}
	if len(free) == 0 {
		return 0
	}
	return rapid.SampledFrom(free).Draw(t, "id")
}

func (m *machine) scaleDown(t *rapid.T) {
	for range rapid.IntRange(1, 4).Draw(t, "pods") {
		if n := len(m.desired.pods); n > 0 {
			i := rapid.IntRange(0, n-1).Draw(t, "pod")
			m.desired.pods = append(m.desired.pods[:i:i], m.desired.pods[i+1:]...)
		}
	}
}

// pod draws one Pod to change; nil if there is none.
func (m *machine) pod(t *rapid.T) *machinePod {
	n := len(m.desired.pods)
	if n == 0 {
		return nil
	}
	m.desired.pods = append([]machinePod(nil), m.desired.pods...)
	return &m.desired.pods[rapid.IntRange(0, n-1).Draw(t, "pod")]
}

// roll replaces a Pod.
func (m *machine) roll(t *rapid.T) {
	if id, p := m.freeID(t), m.pod(t); p != nil && id > 0 {
		*p = machinePod{id: id, ready: rapid.Bool().Draw(t, "ready"), zone: drawZone(t)}
	}
}

func (m *machine) flipReady(t *rapid.T) {
	if p := m.pod(t); p != nil {
		p.ready = !p.ready
	}
}

// rePort changes the target port of the Service.
func (m *machine) rePort(t *rapid.T) {
	m.desired.port = rapid.SampledFrom([]int32{80, 81, 82}).Draw(t, "port")
}

// splitPorts lets one Pod's named port have another number.
func (m *machine) splitPorts(t *rapid.T) {
	if p := m.pod(t); p != nil {
		p.other = !p.other
	}
}

// resize changes the maximum, so that slices are too large or have room.
func (m *machine) resize(t *rapid.T) {
	m.desired.options.MaxEndpointsPerSlice = rapid.IntRange(1, 4).Draw(t, "max")
}

func (m *machine) relabel(t *rapid.T) { m.desired.label = rapid.IntRange(0, 2).Draw(t, "label") }

func (m *machine) nodeLoss(t *rapid.T) {
	m.desired.lost = rapid.SampledFrom([]string{"", "zone-a"}).Draw(t, "zone")
}

func (m *machine) recreateOwner(*rapid.T) { m.desired.owner++; m.desired.dying = false }

func (m *machine) terminate(*rapid.T) { m.desired.dying = true }

// input is what the controller hands to Compute when it sees these slices.
func (d *desired) input(view []*discoveryv1.EndpointSlice) given.World {
	in := given.World{Input: slicer.Input{Options: d.options}, Existing: view}
	in.Set = slicer.Set{
		Namespace: machineNamespace, Name: "web", ManagedBy: machineManager,
		AddressTypes: d.types, Terminating: d.dying,
		Labels: map[string]string{"version": fmt.Sprint(d.label)},
	}
	if d.ownership {
		in.Set.Owners = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "web", UID: types.UID(fmt.Sprintf("web-%d", d.owner))}}
	}
	for _, addressType := range d.types {
		for _, p := range d.pods {
			in.Groups = append(in.Groups, slicer.Group{
				AddressType: addressType, Ports: d.ports(p), Endpoints: []discoveryv1.Endpoint{d.endpoint(p, addressType)},
			})
		}
	}
	return in
}

func (d *desired) ports(p machinePod) []discoveryv1.EndpointPort {
	name, number := "http", d.port
	if p.other {
		number += 10
	}
	return []discoveryv1.EndpointPort{{Name: &name, Port: &number}}
}

func (d *desired) endpoint(p machinePod, addressType discoveryv1.AddressType) discoveryv1.Endpoint {
	e := discoveryv1.Endpoint{
		Addresses:  []string{fmt.Sprintf("10.0.0.%d", p.id)},
		Conditions: conditions.New(p.ready, false, false).Conditions(),
		TargetRef:  &corev1.ObjectReference{Kind: "Pod", Namespace: machineNamespace, Name: fmt.Sprintf("pod-%d", p.id), UID: types.UID(fmt.Sprintf("uid-%d", p.id))},
	}
	if addressType == discoveryv1.AddressTypeIPv6 {
		e.Addresses[0] = fmt.Sprintf("fd00::%d", p.id)
	}
	if p.zone != d.lost {
		zone := p.zone
		e.Zone = &zone
		e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
	}
	return e
}

// pairs names what is wanted and has a place.
func (d *desired) pairs(unplaced []slicer.Skip) map[string]bool {
	pairs := map[string]bool{}
	for _, g := range d.input(nil).Groups {
		s := &discoveryv1.EndpointSlice{AddressType: g.AddressType, Ports: g.Ports}
		pairs[pairName(s, &g.Endpoints[0])] = true
	}
	for i := range unplaced {
		for _, t := range d.types { // whatever its ports: a Pod has one port here
			for _, p := range d.pods {
				if e := d.endpoint(p, t); e.Addresses[0] == unplaced[i].Address {
					delete(pairs, pairName(&discoveryv1.EndpointSlice{AddressType: t, Ports: d.ports(p)}, &e))
				}
			}
		}
	}
	return pairs
}

// pairName names an endpoint with its ports.
func pairName(s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint) string {
	return fmt.Sprint(e.Addresses[0], pairPorts(s))
}

func pairPorts(s *discoveryv1.EndpointSlice) string {
	text := ""
	for _, p := range s.Ports {
		text += fmt.Sprintf(":%d", *p.Port)
	}
	return text
}

func drawZone(t *rapid.T) string {
	return rapid.SampledFrom([]string{"zone-a", "zone-b"}).Draw(t, "zone")
}
