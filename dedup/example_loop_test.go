package dedup_test

import (
	"fmt"
	"log"
	"net"
	"strconv"
	"sync/atomic"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

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

// The program of the package comment: the ready endpoints of one port.
func Example() {
	slices := []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), slice("web-b", "10.0.0.1", "10.0.0.2")}
	name := types.NamespacedName{Namespace: "default", Name: "web"}
	use := func(address string) { fmt.Println(address) }

	found, problems := dedup.OnePort(slices, dedup.PortOptions{Service: name, Port: "http"})
	if len(problems) > 0 {
		log.Print(problems) // what was skipped, and why; the rest is right
	}
	for _, f := range found {
		if f.State().Ready {
			use(net.JoinHostPort(f.Address, strconv.Itoa(int(f.Port))))
		}
	}
	// Output:
	// 10.0.0.1:8080
	// 10.0.0.2:8080
}

// A reader follows a watch, and keeps a view of all Services. It flushes the index when it likes,
// here when no event waits, so that many events cost one flush. One goroutine does this; any number
// of goroutines may read the views.
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
		if len(problems) > 0 {
			log.Print(problems) // what was skipped for the first time; the rest is good
		}
		view := ix.View()
		views.Store(&view)
		send(changes)
	}
}
