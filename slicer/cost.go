package slicer

import (
	"math"

	"github.com/slicewright/slicewright/slicer/internal/size"
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
		sent := product(int64(watchers), int64(size.Event(event, object)), math.MaxInt64)
		c.SentBytes += min(sent, math.MaxInt64-c.SentBytes)
		if s.Verb != Delete {
			stored := size.Stored(object)
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
