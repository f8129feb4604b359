// Package model visits every state of a small world in which the real slicer.Compute plans, the
// real publish.Apply writes, the tracker of publish.Syncer says what comes next, and everything
// else happens in every order: what is wanted changes, a plan is cut off after any write, a cache
// shows one more write, others update, delete and replace slices, answers are lost before and after
// the write was done, writers start again. States differ by all that decides what happens next, and
// none is left out: more states than the limit are a failure. So what it says holds for these
// worlds without a doubt, and says nothing of larger ones.
//
// In each state and for each write it looks at the server alone:
//
//   - A Pod that was published, that the plan wanted and that is wanted now is published after the
//     write, on its port if it was there before (G6 over all plans).
//   - In worlds with "crash" the same for what all plans want whose writes the cache did not show
//     (G12).
//   - A write is refused only on a slice that another client wrote.
//   - When the caches show all and what is wanted stands still, one sync publishes it, no write of
//     it is refused, and the next writes nothing.
//   - No writes go on for ever while what is wanted stands still.
//   - No set waits for ever: where upTo is known, without a live list as long as all answers are.
//
// A breach comes with a shortest way to it, printed as a scenario of testdata/writes, which the
// tests replay. A world is a line of names and numbers: the fields of World.
package model

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// World says what there is and what may happen. The zero values of what may happen leave it out.
// What is wanted can always change, a plan can always be cut off, and a cache can always show one
// more write. That a cache skips states needs no action of its own: it shows several writes, and no
// sync runs in between.
type World struct {
	Pods, Max, Ports int // Pods that may be wanted, endpoints in a slice, target ports in turn
	Late             int // writes that a cache may not have shown
	Writers          int // of the one set; 0: one
	DualStack        bool
	Shrinks          bool // the maximum may be one less, and slices above it are split
	Dying            bool // the parent may be marked as deleted
	Compact          bool
	ByUID            bool
	Placeholders     bool
	Zones            bool // three, with hints for the same zone
	Generated        bool // names
	Reuses           bool // Pod 1 may take the address of Pod 2 and its own again

	Waits bool // writers use a tracker, as publish.Syncer does
	UpTo  bool // and know the version that the cache had reached
	Lists bool // and may list live at any time, not only when they wait

	Updates  bool // another client updates a slice
	Deletes  bool // another client deletes a slice
	Replaces bool // another client deletes a slice and creates it again
	Lost     bool // the answer to a write is lost, which was done or will never be
	Lands    bool // a write whose answer was lost is done later, or never
	Reorders bool // a cache may show a write before an earlier one to another slice; upTo is the highest version shown
	Restart  bool // a writer starts again with a cache that is current
	Listed   bool // a writer starts again with the cache as it is, and tells Writes of a live list
	// G12 is judged, and nothing more: what a plan wants, and all plans whose writes its cache did
	// not show; one writer is at work at a time
	Crash bool
	Blind bool // a writer starts again with the cache as it is
}

// wish is what is wanted: bits of Pods, then the number of the port, and whether the parent is
// being deleted.
type wish uint16

const everything wish = 1<<16 - 1

const (
	portBit  wish = 1 << 8
	dyingBit wish = 1 << 9
	smallBit wish = 1 << 10
	reuseBit wish = 1 << 11
)

func (w wish) pods() int { return int(w & 0xff) }

func (w wish) port() int { return bits.OnesCount16(uint16(w & portBit)) }

var set = slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "slices.example.com"}

// input is what a writer hands to Compute.
func (m *model) input(w wish) slicer.Input {
	in := slicer.Input{Set: set, Options: slicer.Options{MaxEndpointsPerSlice: m.Max, NoPlaceholder: !m.Placeholders,
		ByTargetUID: m.ByUID, GeneratedNames: m.Generated}}
	if w&smallBit != 0 {
		in.Options.MaxEndpointsPerSlice--
	}
	in.Options.SplitOversize = m.Shrinks
	if m.Compact {
		in.Options.Packing = slicer.Compact
	}
	if m.Zones {
		in.Hints.Mode = hints.SameZone
	}
	in.Set.AddressTypes = m.types
	in.Set.Terminating = w&dyingBit != 0
	name, number := "http", int32(80+w.port())
	for _, t := range m.types {
		g := slicer.Group{AddressType: t, Ports: []discoveryv1.EndpointPort{{Name: &name, Port: &number}}}
		for pod := range m.Pods {
			if w.pods()>>pod&1 == 1 {
				g.Endpoints = append(g.Endpoints, m.endpoint(t, pod, w))
			}
		}
		in.Groups = append(in.Groups, g)
	}
	return in
}

func (m *model) endpoint(t discoveryv1.AddressType, pod int, w wish) discoveryv1.Endpoint {
	yes, no := true, false
	address := pod + 1
	if pod == 0 && w&reuseBit != 0 {
		address = 2
	}
	e := discoveryv1.Endpoint{
		Addresses:  []string{fmt.Sprint("10.0.0.", address)},
		Conditions: discoveryv1.EndpointConditions{Ready: &yes, Serving: &yes, Terminating: &no},
		TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: fmt.Sprint("pod-", pod+1),
			UID: types.UID(fmt.Sprint("uid-", pod+1))},
	}
	if t == discoveryv1.AddressTypeIPv6 {
		e.Addresses[0] = fmt.Sprint("fd00::", address)
	}
	if m.Zones {
		zone := string(rune('a' + pod%3))
		e.Zone = &zone
	}
	return e
}

// content is what a slice says, whatever its name, UID and version; contents that are equal are
// one.
type content struct {
	object *discoveryv1.EndpointSlice
	pairs  pairs
}

// pairs is a set of Pods on ports, for each family eight bits for each port. The last is Pod 1 with
// the address of Pod 2, as if it were another Pod.
type pairs uint32

// pods are the Pods of each family on any port.
func (p pairs) pods() uint32 { return uint32(p|p>>8) & 0x00ff00ff }

// wanted are the pairs that a wish asks for.
func (m *model) wanted(w wish) (p pairs) {
	pods := w.pods()
	if w&reuseBit != 0 {
		pods = pods&^1 | pods&1<<7
	}
	for i := range m.types {
		p |= pairs(pods) << (16*i + 8*w.port())
	}
	return p
}

// intern returns the number of a slice's content.
func (m *model) intern(s *discoveryv1.EndpointSlice) int16 {
	c := *s
	c.ObjectMeta = *s.ObjectMeta.DeepCopy()
	c.Name = ""
	c.GenerateName = ""
	c.UID = ""
	c.ResourceVersion = ""
	c.Generation = 0
	c.CreationTimestamp = metav1.Time{}
	text, err := json.Marshal(&c)
	if err != nil {
		panic(err) // a slice can always be encoded
	}
	number, known := m.numbers[string(text)]
	if !known {
		number = int16(len(m.contents))
		m.numbers[string(text)] = number
		m.contents = append(m.contents, content{&c, m.pairsOf(&c)})
	}
	return number
}

func (m *model) pairsOf(s *discoveryv1.EndpointSlice) (p pairs) {
	if len(s.Ports) == 0 {
		return 0
	}
	for i := range s.Endpoints {
		pod := int(s.Endpoints[i].TargetRef.Name[len("pod-")] - '1')
		if address := s.Endpoints[i].Addresses[0]; pod == 0 && address[len(address)-1] == '2' {
			pod = 7
		}
		p |= 1 << (16*slices.Index(m.types, s.AddressType) + 8*int(*s.Ports[0].Port-80) + pod)
	}
	return p
}

// step is one write of a plan: what is at old in the view that the plan was made from becomes the
// content.
type step struct {
	verb    slicer.Verb
	name    string
	old     object // none for a create
	at      int    // of old in the view
	content int16  // none for a delete
}

// key tells apart what plans depend on: a wish, and slices, whose UIDs do not count and of whose
// versions only the order does.
func (m *model) key(v view, w wish) []byte {
	key := fmt.Appendf(m.space[:0], "%d ", w)
	for _, o := range v {
		newer := 0
		for _, p := range v {
			if p.version > o.version {
				newer++
			}
		}
		name := o.name
		if m.Generated {
			name = "" // its place says enough
		}
		key = fmt.Appendf(key, "%s %d %d ", name, o.content, newer)
	}
	m.space = key
	return key
}

// compute returns the steps of the plan that the real Compute makes. It is asked once for each key.
func (m *model) compute(v view, w wish) []step {
	key := m.key(v, w)
	steps, known := m.plans[string(key)]
	if !known {
		plan, err := slicer.Compute(m.input(w), m.objects(v))
		if err != nil {
			panic(fmt.Sprintf("the model made an input that is wrong: %v", err))
		}
		steps = []step{}
		for _, s := range plan.Steps {
			t := step{verb: s.Verb}
			if s.Old != nil {
				t.at = v.find(s.Old.Name)
			}
			if s.New != nil {
				t.name, t.content = s.New.Name, m.intern(s.New)
			}
			steps = append(steps, t)
		}
		m.plans[string(key)] = steps
	}
	out := make([]step, len(steps))
	for i, s := range steps {
		if s.verb != slicer.Create {
			s.old, s.name = v[s.at], v[s.at].name
		}
		out[i] = s
	}
	return out
}
