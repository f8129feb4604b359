package dedup_test

import (
	"fmt"
	"log"
	"sync/atomic"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// EventType and Event stand for what the caller's watch delivers.
type EventType int

const (
	Listed EventType = iota
	Added
	Modified
	Deleted
)

type Event struct {
	Type            EventType
	Slices          []*discoveryv1.EndpointSlice
	Slice           *discoveryv1.EndpointSlice
	Namespace, Name string
}

// The loop of the package comment: a reader follows a watch, and keeps a view of all Services.
func Example_followingAWatch() {
	events := make(chan Event, 10)
	var views atomic.Pointer[dedup.View]
	go func() {
		events <- Event{Type: Listed, Slices: []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1")}}
		events <- Event{Type: Added, Slice: slice("web-b", "10.0.0.1", "10.0.0.2")}
		events <- Event{Type: Deleted, Namespace: "default", Name: "web-a"}
		close(events)
	}()
	run(events, &views, func(dedup.Changes) {})
	for port, e := range views.Load().All() {
		fmt.Println(port, e)
	}
	// Output:
	// default/web:http/TCP 10.0.0.1:8080
	// default/web:http/TCP 10.0.0.2:8080
}

func run(events <-chan Event, views *atomic.Pointer[dedup.View], send func(dedup.Changes)) {
	var ix dedup.Index
	for e := range events {
		switch e.Type {
		case Listed:
			ix.Replace(e.Slices)
		case Added, Modified:
			ix.Upsert(e.Slice)
		case Deleted: // needs only the name, so that the tombstone of a lost watch will do
			ix.Delete(e.Namespace, e.Name)
		}
		if len(events) > 0 {
			continue
		}
		changes, problems := ix.Flush()
		if err := problems.Err(); err != nil {
			log.Print(err) // what was set aside for the first time; the rest is good
		}
		view := ix.View()
		views.Store(&view)
		send(changes)
	}
}
