package slicer

import (
	"math"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Cost is what a plan costs an API server, its storage and its watchers. Sizes are those of the Kubernetes protobuf
// encoding, without what the transport adds or saves; what the API server fills in on its own (names, UIDs,
// managedFields) counts only where the objects have it.
type Cost struct {
	Writes        int   // requests: creates, updates and deletes
	Objects       int   // slices of ours that exist afterwards
	StoredBytes   int64 // written to storage by creates and updates
	WatchEvents   int   // one for each write and watcher
	SentBytes     int64 // to all watchers together, for these events
	LargestObject int   // bytes in storage of the largest object written; etcd takes 1.5 MB by default
}

// Cost prices the plan for a number of watchers of the slices, such as the nodes of a cluster. Negative counts as none.
// A watcher is sent each written object whole, and the last state of each deleted one. An empty plan costs nothing, and
// its Objects are those that stay. A step that lacks its object, which Compute never makes, is a write without bytes.
// What does not fit an int or int64 is the largest of its type (math.MaxInt, math.MaxInt64), never a wrong number.
func (p Plan) Cost(watchers int) Cost {
	watchers = max(watchers, 0)
	c := Cost{Writes: len(p.Steps), WatchEvents: int(product(int64(len(p.Steps)), int64(watchers), math.MaxInt)), Objects: len(p.Unchanged)}
	for i := range p.Steps {
		s := &p.Steps[i]
		event, object := "MODIFIED", s.New
		switch s.Verb {
		case Create:
			event = "ADDED"
		case Delete:
			event, object = "DELETED", s.Old
		}
		if object == nil {
			continue
		}
		sent := product(int64(watchers), int64(eventSize(event, object)), math.MaxInt64)
		c.SentBytes += min(sent, math.MaxInt64-c.SentBytes)
		if s.Verb != Delete {
			stored := storedSize(object)
			c.Objects++
			c.StoredBytes += int64(stored)
			c.LargestObject = max(c.LargestObject, stored)
		}
	}
	return c
}

// product is a*b, or limit where that is more; neither is negative.
func product(a, b, limit int64) int64 {
	if a != 0 && b > limit/a {
		return limit
	}
	return a * b
}

// storedSize is an object's size in storage, where it has no resourceVersion.
func storedSize(s *discoveryv1.EndpointSlice) int {
	stored := *s
	stored.ResourceVersion = ""
	return enveloped(stored.Size())
}

// eventSize is the size of a watch event, its type and the object inside a message, in a frame of four bytes.
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
