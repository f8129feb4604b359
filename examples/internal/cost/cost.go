// Package cost prices plans: what they cost an API server, its storage and its watchers.
package cost

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/slicewright/slicewright/slicer"
)

// Cost is what a plan costs. Sizes are those of the Kubernetes protobuf encoding, without what the
// transport adds or saves; what the API server fills in on its own (names, UIDs, managedFields)
// counts only where the objects have it.
type Cost struct {
	Writes      int   // requests: creates, updates and deletes
	Objects     int   // slices that exist afterwards
	StoredBytes int64 // written to storage by creates and updates
	SentBytes   int64 // to all watchers together
}

// Of prices a plan for a number of watchers of the slices, such as the nodes of a cluster, which is
// small enough that the bytes of all fit an int64. A watcher is sent each written object whole, and
// the last state of each deleted one.
func Of(p slicer.Plan, watchers int) Cost {
	c := Cost{Writes: len(p.Steps), Objects: len(p.Unchanged)}
	for i := range p.Steps {
		s := &p.Steps[i]
		event, object := "MODIFIED", s.New
		switch s.Verb {
		case slicer.Create:
			event = "ADDED"
		case slicer.Delete:
			event, object = "DELETED", s.Old
		}
		c.SentBytes += int64(watchers) * int64(eventSize(event, object))
		if s.Verb != slicer.Delete {
			c.Objects++
			c.StoredBytes += int64(storedSize(object))
		}
	}
	return c
}

// storedSize is an object's size in storage, where it has no resourceVersion.
func storedSize(s *discoveryv1.EndpointSlice) int {
	stored := *s
	stored.ResourceVersion = ""
	return enveloped(stored.Size())
}

// eventSize is the size of a watch event, its type and the object inside a message, in a frame of
// four bytes.
func eventSize(event string, s *discoveryv1.EndpointSlice) int {
	return 4 + fieldSize(len(event)) + fieldSize(fieldSize(enveloped(s.Size())))
}

// enveloped is the size of a message in its envelope, after four bytes that say what follows.
func enveloped(message int) int {
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"}}
	return len("k8s\x00") + envelope.Size() + fieldSize(message)
}

// fieldSize is the size of a protobuf field of n bytes: a tag, the length, and the bytes.
func fieldSize(n int) int {
	size := 2 + n
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}
