package service

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
)

// wanted is what a Service's workloads want to have published. Nothing of it changes once a reader has made it.
type wanted struct {
	*rules
	workloads

	endpoints []wantedEndpoint   // in the order of the workloads
	ascending bool               // the numbers of their addresses ascend
	texts     []string           // addresses that have no other place
	joined    map[int32][]string // the addresses of a wanted endpoint that has several, except the first
	places    places
	ports     portSets
	skips     []Skip
}

// workloads are what endpoints are derived from: Pods or Backends. The other list is nil.
type workloads struct {
	pods     []*corev1.Pod
	backends []Backend
}

const none = -1 // no wanted endpoint, no text

// wantedEndpoint is an endpoint before it is made: one address of a workload. What is needed to find out whether a slice
// has it already lies together, in less than a line of a cache.
type wantedEndpoint struct {
	name     string    // of the target
	uid      types.UID // of the target
	ip       uint32    // the address, where it is a canonical IPv4 text; else 0
	workload int32
	text     int32 // the canonical address in texts; none: it is the workload's first address as that is spelt
	set      int32 // of ports
	place    int32 // in places.known
	family   uint8
	state    packedState
}

// packedState is a conditions.State in a byte.
type packedState uint8

func pack(s conditions.State) packedState {
	return packedState(bit(s.Ready) | bit(s.Serving)<<1 | bit(s.Terminating)<<2)
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func (s packedState) ready() bool       { return s&1 != 0 }
func (s packedState) serving() bool     { return s&2 != 0 }
func (s packedState) terminating() bool { return s&4 != 0 }

// address returns the address of a wanted endpoint, in its canonical spelling.
func (w *wanted) address(i int32) string {
	e := &w.endpoints[i]
	switch {
	case e.text != none:
		return w.texts[e.text]
	case w.pods == nil:
		return w.backends[e.workload].first()
	case len(w.pods[e.workload].Status.PodIPs) > 0:
		return w.pods[e.workload].Status.PodIPs[0].IP
	default:
		return w.pods[e.workload].Status.PodIP
	}
}

// changed is when a wanted endpoint last started or stopped serving, zero where that is not known.
func (w *wanted) changed(i int32) time.Time {
	n := w.endpoints[i].workload
	if w.pods == nil {
		return w.backends[n].Changed
	}
	if ready := conditions.ReadyCondition(w.pods[n]); ready != nil {
		return ready.LastTransitionTime.Time
	}
	return time.Time{}
}

// leaves is the memory that endpoints which are made point into.
type leaves struct {
	targets arena[corev1.ObjectReference]
	lists   arena[[1]string]
}

// make makes a wanted endpoint.
func (w *wanted) make(i int32, e *discoveryv1.Endpoint, l *leaves) {
	from := &w.endpoints[i]
	place := &w.places.known[from.place]
	*e = discoveryv1.Endpoint{
		Addresses: w.addresses(i, l),
		Conditions: discoveryv1.EndpointConditions{
			Ready: w.flag(from.state.ready()), Serving: w.flag(from.state.serving()), Terminating: w.flag(from.state.terminating()),
		},
		Hostname: place.hostname, NodeName: place.node, Zone: place.zone,
	}
	if place.target != nil {
		ref := l.targets.next()
		*ref = *place.target
		ref.Name, ref.UID, ref.ResourceVersion = from.name, from.uid, ""
		e.TargetRef = ref
	}
}

// addresses lists the addresses of a wanted endpoint.
func (w *wanted) addresses(i int32, l *leaves) []string {
	if more := w.joined[i]; more != nil {
		return append([]string{w.address(i)}, more...)
	}
	list := l.lists.next()
	list[0] = w.address(i)
	return list[:]
}

func (w *wanted) flag(value bool) *bool { return &w.flags[bit(value)] }

// release forgets all workloads.
func (w *wanted) release() {
	clear(w.endpoints)
	clear(w.texts)
	w.places.release()
	*w = wanted{endpoints: w.endpoints[:0], texts: w.texts[:0], places: w.places}
}
