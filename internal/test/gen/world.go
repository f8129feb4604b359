package gen

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
	"github.com/slicewright/slicewright/slicer"
)

// Namespace, Name and Manager are those of the set in all drawn cases.
const (
	Namespace = "ns"
	Name      = "web"
	Manager   = "slices.example.com"
)

var (
	addressTypes = []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6,
		discoveryv1.AddressTypeFQDN}
	current = metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: Name, UID: "owner-2",
		Controller: ptr(true), BlockOwnerDeletion: ptr(true)}
	former = metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: Name, UID: "owner-1",
		Controller: ptr(true), BlockOwnerDeletion: ptr(true)}
	stranger = metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Gateway", Name: "gw", UID: "owner-3"}
)

// Draw draws an input without a caller's mistake: a few Pods, wanted on a few lists of ports, held
// all over a few slices, with all that can differ in slices of one or many managers, and every
// option.
func Draw(t *rapid.T) Case {
	w := &world{t: t}
	w.in.Options, w.in.Hints = Options(t), HintConfig(t)
	w.set()
	w.groups()
	w.existing()
	w.pending()
	w.changed()
	if chance(t, 12, "owner without UID") {
		w.in.Meta.OwnerReferences = append(slices.Clone(w.in.Meta.OwnerReferences),
			metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "db"})
	}
	if chance(t, 12, "bad ports") {
		badPorts[rapid.IntRange(0, len(badPorts)-1).Draw(t, "which ports")](&w.in)
	}
	if chance(t, 6, "a Pod is left out") {
		w.in.Warnings = slicer.Notices{{
			Reason: "NoAddress", Object: corev1.ObjectReference{Kind: "Pod", Namespace: Namespace, Name: "pod-0"},
			Path: "pods[0]", Err: errNoAddress,
		}}
	}
	return w.in
}

var errNoAddress = errors.New("it has no address")

// changed says of some groups when their endpoints changed.
func (w *world) changed() {
	for i := range w.in.Groups {
		g := &w.in.Groups[i]
		if len(g.Endpoints) == 0 || chance(w.t, 2, "no times") {
			continue
		}
		for j := range g.Endpoints {
			g.Endpoints[j].Changed = pick(w.t, "changed", time.Time{}, clock(1), clock(2), clock(3))
		}
	}
}

// clock is one of a few times.
func clock(hour int) time.Time { return time.Date(2026, 11, 2, hour, 0, 0, 0, time.UTC) }

// Options draws any choice there is, except for AddressTypes and Adopt. Small maxima are the likely
// ones.
func Options(t *rapid.T) slicer.Options {
	return slicer.Options{
		MaxEndpointsPerSlice: pick(t, "max", 2, 1, 3, 0, 4),
		Compact:              chance(t, 2, "compact"),
		NoPlaceholder:        chance(t, 2, "no placeholder"),
		KeepLabels:           chance(t, 3, "keep labels"),
	}
}

// HintConfig draws every mode. Most weights are such that Auto can give hints: of the zones
// that endpoints have.
func HintConfig(t *rapid.T) hints.Options {
	c := hints.Options{Mode: pick(t, "hints", hints.None, hints.Given, hints.Keep, hints.PreferSameZone, hints.PreferSameNode,
		hints.Auto, hints.Auto)}
	if c.Mode == hints.PreferSameZone && chance(t, 2, "limit") {
		c.Limit = pick(t, "limit", 50, 20, 1, 1000)
	} else if c.Mode != hints.PreferSameZone && chance(t, 20, "limit without effect") {
		c.Limit = 50
	}
	if c.Mode != hints.Auto && (c.Mode != hints.PreferSameZone || c.Limit == 0) &&
		!chance(t, 6, "weights that are not used") {
		return c
	}
	c.Weights.Zones = pick(t, "weights", map[string]int64{"zone-a": 1, "zone-b": 1},
		map[string]int64{"zone-a": 3, "zone-b": 1},
		map[string]int64{"zone-a": 1, "zone-b": 2, "zone-c": 1}, map[string]int64{"zone-a": 1}, nil)
	c.Steady = chance(t, 2, "steady")
	if chance(t, 12, "missing") {
		c.Weights.Missing = []string{"node-a"}
	}
	return c
}

type world struct {
	t  *rapid.T
	in Case
	// types are those that groups and slices mostly have.
	types []discoveryv1.AddressType
}

func (w *world) set() {
	t, k, m := w.t, &w.in.Key, &w.in.Meta
	k.Namespace = Namespace
	k.Name = Name
	k.ManagedBy = Manager
	w.types = addressTypes[:pick(t, "types", 1, 1, 2, 3)]
	if chance(t, 4, "address types") {
		w.in.Options.AddressTypes = w.types
	}
	if chance(t, 4, "labels of the key") {
		k.MatchLabels = map[string]string{"example.com/owner": "gw"}
		if chance(t, 4, "another Service's key") {
			k.MatchLabels[discoveryv1.LabelServiceName] = pick(t, "Service", "db", Name)
		}
	}
	if chance(t, 6, "prefix") {
		m.NamePrefix = "edge"
	}
	if !chance(t, 3, "no owner") {
		m.OwnerReferences = append(m.OwnerReferences, current)
	}
	if chance(t, 6, "second owner") {
		second := stranger
		second.UID, second.Name = "owner-4", "gw-2"
		m.OwnerReferences = append(m.OwnerReferences, second)
	}
	if chance(t, 3, "labels") {
		m.Labels = map[string]string{"app": "web", discoveryv1.LabelManagedBy: "overridden"}
		if chance(t, 6, "another Service's label") {
			m.Labels[discoveryv1.LabelServiceName] = "db"
		}
	}
	if chance(t, 4, "annotations") {
		m.Annotations = map[string]string{"note": "ours"}
	}
	switch rapid.IntRange(0, 5).Draw(t, "trigger") {
	case 0:
		if m.Annotations == nil {
			m.Annotations = map[string]string{}
		}
		m.Annotations[corev1.EndpointsLastChangeTriggerTime] = pick(t, "trigger time", "2026-11-02T02:04:05.6789Z", "")
	case 1:
		m.CreationTimestamp = clock(2)
	}
	if chance(t, 6, "adopt") {
		w.in.Options.Adopt = []string{"s1", "nothing"}
	}
	m.Terminating = chance(t, 6, "terminating")
}

// portLists are the ports of small test cases: no ports in two ways, one list in two spellings, and
// some that differ.
func portLists() [][]discoveryv1.EndpointPort {
	tcp, udp := ptr(corev1.ProtocolTCP), ptr(corev1.ProtocolUDP)
	return [][]discoveryv1.EndpointPort{
		{{Name: ptr("http"), Protocol: tcp, Port: ptr(int32(80))}},
		{{Name: ptr("http"), Protocol: tcp, Port: ptr(int32(81))}},
		nil,
		{},
		{{Port: ptr(int32(80))}},
		{{Name: ptr(""), Protocol: tcp, Port: ptr(int32(80))}},
		{{Name: ptr("http"), Port: ptr(int32(80))}},
		{{Name: ptr("http"), Protocol: udp, Port: ptr(int32(80))}},
		{{Name: ptr("http"), Protocol: tcp}},
		{{Name: ptr("http"), Protocol: tcp, Port: ptr(int32(80)), AppProtocol: ptr("kubernetes.io/h2c")}},
		{{Name: ptr("http"), Protocol: tcp, Port: ptr(int32(80))},
			{Name: ptr("dns"), Protocol: udp, Port: ptr(int32(53))}},
		{{Name: ptr("dns"), Protocol: udp, Port: ptr(int32(53))},
			{Name: ptr("http"), Protocol: tcp, Port: ptr(int32(80))}},
	}
}

func (w *world) groups() {
	t := w.t
	for range rapid.IntRange(0, 4).Draw(t, "groups") {
		addressType := pick(t, "group type", w.types...)
		g := slicer.Group{AddressType: addressType, Ports: pick(t, "ports", portLists()...)}
		for range rapid.IntRange(0, 5).Draw(t, "endpoints") {
			of := addressType
			if chance(t, 12, "other type") {
				of = pick(t, "endpoint type", addressTypes...)
			}
			g.Endpoints = append(g.Endpoints, slicer.Endpoint{API: wantedEndpoint(t, of)})
		}
		if n := len(g.Endpoints); n > 0 && chance(t, 8, "twice") {
			g.Endpoints = append(g.Endpoints, slicer.Endpoint{API: *g.Endpoints[n-1].API.DeepCopy()})
		}
		w.in.Groups = append(w.in.Groups, g)
	}
}

func (w *world) existing() {
	for i := range rapid.IntRange(0, 5).Draw(w.t, "slices") {
		w.in.Existing = append(w.in.Existing, w.slice(i))
	}
}

// pending draws objects that are not known at the moment.
func (w *world) pending() {
	t := w.t
	if !chance(t, 4, "pending") {
		return
	}
	for range rapid.IntRange(1, 3).Draw(t, "objects") {
		p := slicer.Pending{Untargeted: chance(t, 6, "untargeted")}
		if target := target(t, rapid.IntRange(0, pods-1).Draw(t, "pending pod")); target != nil {
			p.Object = *target
		}
		if p.Object.UID = ""; chance(t, 2, "by UID") {
			p.Object = corev1.ObjectReference{UID: types.UID(fmt.Sprint("uid-", rapid.IntRange(0, pods-1).Draw(t, "UID")))}
		}
		if chance(t, 3, "one address") {
			of := pick(t, "type", w.types...)
			p.Address = addresses[of][rapid.IntRange(0, pods-1).Draw(t, "address")][0]
		}
		if p.Object != (corev1.ObjectReference{}) || p.Untargeted {
			w.in.Pending = append(w.in.Pending, p)
		}
	}
}

func (w *world) slice(i int) *discoveryv1.EndpointSlice {
	t := w.t
	s := &discoveryv1.EndpointSlice{AddressType: pick(t, "slice type", w.types...)}
	if chance(t, 12, "other slice type") {
		s.AddressType = pick(t, "any type", addressTypes...)
	}
	s.Namespace = Namespace
	s.Name = fmt.Sprintf("s%d", i)
	s.UID = types.UID(fmt.Sprintf("slice-s%d", i))
	if chance(t, 12, "stable name") {
		s.Name = []string{"web-ipv4", "web-ipv4-2", "web-ipv6", "web-fqdn", "web-ipv4-3"}[i]
	}
	s.GenerateName = "web-"
	// Versions differ, and their order is not that of the names.
	s.ResourceVersion = fmt.Sprint(8 + rapid.IntRange(0, 3).Draw(t, "version")*5 + i)
	w.labels(s)
	w.metadata(s, i)
	s.Ports = pick(t, "slice ports", portLists()...)
	for range rapid.IntRange(0, 5).Draw(t, "held") {
		s.Endpoints = append(s.Endpoints, w.held(s.AddressType))
	}
	return s
}

// held draws an endpoint of a slice, mostly just as some group wants it.
func (w *world) held(addressType discoveryv1.AddressType) discoveryv1.Endpoint {
	t := w.t
	var good []discoveryv1.Endpoint
	for _, g := range w.in.Groups {
		for _, e := range g.Endpoints {
			if storable(e.API, addressType) {
				good = append(good, e.API)
			}
		}
	}
	if len(good) == 0 || chance(t, 3, "unlike any") {
		return storedEndpoint(t, addressType)
	}
	like := pick(t, "like", good...)
	e := like.DeepCopy()
	if chance(t, 4, "disagree") {
		disagree(t, e, addressType)
	}
	return *e
}

// disagree changes what an endpoint is held with, so that it differs from what is wanted, and from
// other copies.
func disagree(t *rapid.T, e *discoveryv1.Endpoint, addressType discoveryv1.AddressType) {
	switch rapid.IntRange(0, 8).Draw(t, "what") {
	case 0:
		e.Conditions = discoveryv1.EndpointConditions{Ready: ptr(!conditions.Of(e.Conditions).Ready)}
	case 1: // the same Pod at another address
		e.Addresses = []string{addresses[addressType][rapid.IntRange(0, pods-1).Draw(t, "moved")][0]}
	case 2: // another Pod at the same address
		e.TargetRef = target(t, rapid.IntRange(0, pods-1).Draw(t, "other pod"))
	case 3:
		e.Hints = someHints(t)
	case 4: // which the API server refuses today
		e.Hints = &discoveryv1.EndpointHints{ForZones: pick(t, "refused hints", []discoveryv1.ForZone{{Name: "zone a"}},
			[]discoveryv1.ForZone{{Name: "zone-a"}, {Name: "zone-a"}}, []discoveryv1.ForZone{{}})}
	case 5:
		e.Zone = ptr(pick(t, "held zone", "zone-a", "zone-b"))
	case 6:
		targetOf(e).APIVersion = "v1"
	case 7:
		targetOf(e).FieldPath = "spec.containers{app}"
	case 8:
		e.NodeName = ptr("node-c")
	}
}

func (w *world) labels(s *discoveryv1.EndpointSlice) {
	t, key := w.t, w.in.Key
	s.Labels = maps.Clone(w.in.Meta.Labels)
	if s.Labels == nil {
		s.Labels = map[string]string{}
	}
	s.Labels[discoveryv1.LabelManagedBy] = key.ManagedBy
	if key.MatchLabels == nil {
		s.Labels[discoveryv1.LabelServiceName] = key.Name
	}
	maps.Copy(s.Labels, key.MatchLabels)
	switch rapid.IntRange(0, 23).Draw(t, "label fault") {
	case 18, 19:
		s.Labels["example.com/other"] = "label"
	case 20:
		delete(s.Labels, "app")
	case 21:
		s.Labels[discoveryv1.LabelManagedBy] = "other.example.com"
	case 22:
		delete(s.Labels, discoveryv1.LabelServiceName)
	case 23:
		s.Labels = nil
	}
}

func (w *world) metadata(s *discoveryv1.EndpointSlice, i int) {
	t, m := w.t, w.in.Meta
	s.OwnerReferences = append(s.OwnerReferences, m.OwnerReferences...)
	switch rapid.IntRange(0, 15).Draw(t, "owner fault") {
	case 9:
		other := current
		other.UID, other.Name = "owner-5", "db"
		s.OwnerReferences = []metav1.OwnerReference{other}
	case 10:
		s.OwnerReferences = nil
	case 11, 12:
		s.OwnerReferences = []metav1.OwnerReference{former}
	case 13:
		controller := stranger
		controller.Controller = ptr(true)
		s.OwnerReferences = []metav1.OwnerReference{controller}
	case 14:
		s.OwnerReferences = append(s.OwnerReferences, stranger)
	case 15:
		if len(s.OwnerReferences) > 0 {
			s.OwnerReferences = append([]metav1.OwnerReference(nil), s.OwnerReferences...)
			if first := &s.OwnerReferences[0]; chance(t, 2, "controller") {
				first.Controller = nil
			} else {
				first.BlockOwnerDeletion = nil
			}
		}
	}
	s.Annotations = maps.Clone(m.Annotations)
	if chance(t, 6, "another client's annotation") {
		s.Annotations = map[string]string{"example.com/other": "annotation",
			corev1.EndpointsLastChangeTriggerTime: "2026-01-01T00:00:00Z"}
	}
	if chance(t, 10, "being deleted") {
		s.DeletionTimestamp, s.Finalizers = ptr(metav1.Unix(1, 0)), []string{"example.com/wait"}
	}
	if chance(t, 10, "finalizer") {
		s.Finalizers = []string{"example.com/keep"}
	}
	s.CreationTimestamp = metav1.Unix(int64(i), 0)
	s.Generation = 3
}
