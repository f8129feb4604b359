package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Cost is what a plan costs an API server, its storage and its watchers. Sizes are bytes of the Kubernetes protobuf
// encoding; what the API server adds on its own (names, UID, managedFields) counts only where the objects have it.
type Cost struct {
	Writes        int // requests: creates, updates and deletes
	Objects       int // slices of ours that exist afterwards
	StoredBytes   int // written to storage by creates and updates
	WatchEvents   int // one for each write and watcher
	SentBytes     int // to all watchers together
	LargestObject int // bytes of the largest object written; etcd takes 1.5 MB by default (S31)
}

// Cost prices the plan for a number of watchers of the slices, such as the nodes of a cluster. Negative counts as none.
// A watcher is sent each written object whole, and the last state of each deleted one.
func (p Plan) Cost(watchers int) Cost {
	watchers = max(watchers, 0)
	c := Cost{Writes: len(p.Steps), WatchEvents: len(p.Steps) * watchers, Objects: len(p.Unchanged)}
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.New == nil {
			c.SentBytes += watchers * eventSize("DELETED", objectSize(s.Old))
			continue
		}
		size, event := objectSize(s.New), "MODIFIED"
		if s.Verb == Create {
			event = "ADDED"
		}
		c.Objects++
		c.StoredBytes += size
		c.LargestObject = max(c.LargestObject, size)
		c.SentBytes += watchers * eventSize(event, size)
	}
	return c
}

// objectSize is an object's size in storage and in an event: the protobuf message in its envelope, after four bytes
// that say what follows.
func objectSize(s *discoveryv1.EndpointSlice) int {
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"}}
	size := s.Size()
	return len("k8s\x00") + envelope.Size() + 1 + lengthPrefix(size) + size
}

// eventSize is the size of a watch event with an object of a size, in its frame.
func eventSize(event string, object int) int {
	raw := 1 + lengthPrefix(object) + object
	message := (&metav1.WatchEvent{Type: event}).Size() - (&metav1.WatchEvent{}).Size()
	message += 1 + lengthPrefix(raw) + raw
	return 4 + message
}

// lengthPrefix is the size of a protobuf length.
func lengthPrefix(n int) int {
	size := 1
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}
