package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/slicer"
)

// wanted are endpoints that workloads want, and what of the workloads is not published.
type wanted struct {
	*reader   // that read them
	endpoints []wantedEndpoint
	texts     []string           // addresses that have no other place
	joined    map[int32][]string // the addresses of a wanted endpoint that has several, except the first
	skips     []slicer.Skip
}

const none = -1 // no workload, no wanted endpoint, no text

// wantedEndpoint is an endpoint before it is made: one address of a workload.
type wantedEndpoint struct {
	workload int32
	text     int32 // the canonical address in texts; none: it is the workload's first address as that is spelt
	set      int32 // of ports
	place    int32 // of a Pod's Node, in places.known
	family   uint8
	state    packedState
	named    bool // it has the workload's hostname, if any
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

// join adds an address to a wanted endpoint, which may have it already.
func (w *wanted) join(i int32, address string) { w.setJoined(i, append(w.joined[i], address)) }

// unite leaves each address of a wanted endpoint once.
func (w *wanted) unite(i int32) {
	if list := w.joined[i]; list != nil {
		known := map[string]bool{w.address(i): true}
		w.joined[i] = slices.DeleteFunc(list, func(address string) bool {
			again := known[address]
			known[address] = true
			return again
		})
	}
}

func (w *wanted) setJoined(i int32, list []string) {
	if w.joined == nil {
		w.joined = map[int32][]string{}
	}
	w.joined[i] = list
}

// address returns the first address of a wanted endpoint, in its canonical spelling.
func (w *wanted) address(i int32) string {
	if e := &w.endpoints[i]; e.text == none {
		return w.workloads.address(e.workload)
	}
	return w.texts[w.endpoints[i].text]
}

// empty forgets all endpoints and skips.
func (w *wanted) empty() {
	w.endpoints, w.texts, w.skips = w.endpoints[:0], w.texts[:0], w.skips[:0]
	if w.joined != nil {
		clear(w.joined)
	}
}

// add adds the first endpoint of another list.
func (w *wanted) add(other *wanted) int32 {
	i, e := int32(len(w.endpoints)), other.endpoints[0]
	if e.text != none {
		e.text = int32(len(w.texts))
		w.texts = append(w.texts, other.address(0))
	}
	w.endpoints = append(w.endpoints, e)
	if more := other.joined[0]; more != nil {
		w.setJoined(i, more)
	}
	return i
}

// same reports whether an endpoint of the same first address, found by the workload's key, is just what is wanted, hints and
// deprecated topology apart.
func (w *wanted) same(e *discoveryv1.Endpoint, i int32) bool {
	want, c := &w.endpoints[i], &e.Conditions
	if (len(e.Addresses) > 1 || w.joined != nil) && !slices.Equal(e.Addresses[1:], w.joined[i]) {
		return false
	}
	if !says(c.Ready, want.state.ready()) || !says(c.Serving, want.state.serving()) || !says(c.Terminating, want.state.terminating()) {
		return false
	}
	if w.pods == nil {
		return w.sameAsBackend(e, want)
	}
	return w.sameAsPod(e, want)
}

func (w *wanted) sameAsPod(e *discoveryv1.Endpoint, want *wantedEndpoint) bool {
	pod, at, ref, hostname := w.pods[want.workload], &w.places.known[want.place], e.TargetRef, ""
	if want.named {
		hostname = pod.Spec.Hostname
	}
	return ref.UID == pod.UID && ref.Kind == "Pod" && ref.APIVersion == "" && ref.FieldPath == "" && ref.ResourceVersion == "" &&
		ref.Namespace == w.service.Namespace &&
		equal(e.NodeName, at.node) && equal(e.Zone, at.zone) && equal(e.Hostname, hostname)
}

func (w *wanted) sameAsBackend(e *discoveryv1.Endpoint, want *wantedEndpoint) bool {
	b, ref, hostname := &w.backends[want.workload], corev1.ObjectReference{}, ""
	if e.TargetRef != nil {
		ref = *e.TargetRef
	}
	if want.named {
		hostname = b.Hostname
	}
	target := b.TargetRef
	target.ResourceVersion = ""
	return ref == target && (e.TargetRef != nil) == (b.TargetRef != corev1.ObjectReference{}) &&
		equal(e.NodeName, b.Node) && equal(e.Zone, b.Zone) && equal(e.Hostname, hostname)
}

func says(have *bool, want bool) bool { return have != nil && *have == want }

// equal reports whether a text is as it is wanted, which is nil where that is empty.
func equal(have *string, want string) bool {
	if have == nil {
		return want == ""
	}
	return *have == want && want != ""
}

// release forgets all endpoints.
func (w *wanted) release() {
	clear(w.texts[:cap(w.texts)])
	*w = wanted{endpoints: w.endpoints[:0], texts: w.texts[:0]}
}
