package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sliceOf is a slice of a Service in namespace shop with these endpoints (parseEndpoints).
func sliceOf(t *testing.T, name, service, endpoints string) *discoveryv1.EndpointSlice {
	t.Helper()
	port, grpc := int32(80), "grpc"
	s := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name,
			Labels: map[string]string{discoveryv1.LabelServiceName: service}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: &grpc, Port: &port}},
	}
	for _, e := range parseEndpoints(t, endpoints) {
		out := discoveryv1.Endpoint{Addresses: []string{e.Host()}, Conditions: e.State.Conditions(), Zone: &e.Zone}
		if len(e.ForZones) > 0 {
			out.Hints = &discoveryv1.EndpointHints{ForZones: e.ForZones}
		}
		s.Endpoints = append(s.Endpoints, out)
	}
	return s
}

// An event in one slice sends only the clusters that it changed, and only where they look
// different.
func TestPush(t *testing.T) {
	w := newWorld(t)
	w.update(sliceOf(t, "web-1", "web", "1 a ++- zone=a"), sliceOf(t, "web-2", "web", "2 b ++- zone=b"),
		sliceOf(t, "db-1", "db", "9 a ++- zone=a"))
	a, b := subscribe(t, w.address, "a", "web.shop:grpc", "db.shop:grpc"), subscribe(t, w.address, "b", "web.shop:grpc",
		"db.shop:grpc")
	for _, s := range []*subscriber{a, b} {
		if r := s.next(); len(r) != 2 {
			t.Fatalf("got %v, want all that was asked for", r)
		}
	}

	w.update(sliceOf(t, "web-2", "web", "2 b ++- zone=b, 3 b ++- zone=b"))
	a.expect("web.shop:grpc", "0:a*1(1) 1:b*2(2 3)")
	b.expect("web.shop:grpc", "0:b*2(2 3) 1:a*1(1)")

	// While an endpoint moves from slice to slice nothing is sent; the next response is about
	// something else.
	w.update(sliceOf(t, "web-1", "web", "1 a ++- zone=a, 3 b ++- zone=b"))
	w.update(sliceOf(t, "web-2", "web", "2 b ++- zone=b"))
	// Nor is what looks the same from everywhere, though the index calls it a change.
	w.update(sliceOf(t, "web-2", "web", "2 b ++- zone=b zone=c"))
	w.update(sliceOf(t, "db-1", "db", "9 a -+-"))
	a.expect("db.shop:grpc", "")
	b.expect("db.shop:grpc", "")

	// A Service that goes and comes back.
	w.delete(sliceOf(t, "db-1", "db", "9 a -++"))
	if l, c := w.caches.listeners.NumResources(), w.caches.clusters.NumResources(); l != 1 || c != 1 {
		t.Errorf("%d listeners and %d clusters for one Service", l, c)
	}
	w.update(sliceOf(t, "db-1", "db", "8 b ++-"))
	a.expect("db.shop:grpc", "0:b*1(8)")
}

// A place is kept while it has clients, and forgotten with the last of them.
func TestPlaces(t *testing.T) {
	c := newCaches(2)
	join := func(id int64, zone string) {
		t.Helper()
		if err := c.join(id, nodeIn(zone)); err != nil {
			t.Fatal(err)
		}
	}
	join(1, "a")
	join(1, "a") // a later request of the stream
	join(9, "a") // another stream
	join(2, "b")
	err := c.join(4, nodeIn("c"))
	if status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "-max-places allows more") {
		t.Errorf("a third place: %v", err)
	}
	join(5, "b") // a place that is there has room
	c.leave(5)
	c.leave(1)
	c.leave(2)
	c.leave(3) // never joined
	if got := fmt.Sprint(len(c.places), len(c.streams)); got != "1 1" {
		t.Errorf("%s places and streams, want 1 1", got)
	}
	c.leave(9)
	if got := fmt.Sprint(len(c.places), len(c.streams)); got != "0 0" {
		t.Errorf("%s places and streams, want 0 0", got)
	}
}

// TestShow: what -show prints of a service port that does not exist yet, and of one that comes.
func TestShow(t *testing.T) {
	w := newWorld(t)
	in, out := io.Pipe()
	go func() { _ = show(t.Context(), out, w.address, "a", target) }()
	time.AfterFunc(patience, func() { _ = out.Close() }) // lines that do not come are empty
	lines := bufio.NewScanner(in)
	expect := func(wanted ...string) {
		t.Helper()
		for _, want := range wanted {
			if lines.Scan(); lines.Text() != want {
				t.Errorf("got %q, want %q", lines.Text(), want)
			}
		}
	}
	expect("web.shop:grpc: there is no such service port now; waiting for one")
	w.update(sliceOf(t, "web-1", "web", "1 a ++- zone=a, 2 b ++- zone=b, 4 b -++"))
	expect("web.shop:grpc has 3 endpoints", "  priority 0  zone a  weight 1  10.0.0.1:80  HEALTHY",
		"  priority 1  zone b  weight 1  10.0.0.2:80  HEALTHY", "  priority 2  zone b  weight 1  10.0.0.4:80  DRAINING")
}

// TestUnknownType: a client that asks for a type of which there is nothing gets an empty answer,
// and the rest of what it asks for on the same stream.
func TestUnknownType(t *testing.T) {
	w := newWorld(t)
	w.update(sliceOf(t, "web-1", "web", "1 a ++-"))
	stream := open(t, w.address)
	for kind, resources := range map[string]int{resource.RuntimeType: 0, resource.EndpointType: 1} {
		request := &discoveryservice.DiscoveryRequest{Node: nodeIn("a"), TypeUrl: kind,
			ResourceNames: []string{"web.shop:grpc"}}
		if err := stream.Send(request); err != nil {
			t.Fatal(err)
		}
		answer, err := stream.Recv()
		if err != nil || answer.GetTypeUrl() != kind || len(answer.GetResources()) != resources {
			t.Errorf("got %v (%v), want %d of %s", answer, err, resources, kind)
		}
	}
}
