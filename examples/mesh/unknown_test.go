package main

import (
	"slices"
	"testing"
	"time"

	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
)

const unheardOf = "type.googleapis.com/envoy.service.runtime.v3.Runtime"

// TestUnknownType: a client that asks for a type of which there is nothing is told so, once, and gets the rest of what it
// asks for on the same stream.
func TestUnknownType(t *testing.T) {
	w := newWorld(t)
	w.update(sliceOf(t, "web-1", "web", "1 a ++-"))
	stream, err := connect(t, w.address).StreamAggregatedResources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exchange := func(r *discoveryservice.DiscoveryRequest) *discoveryservice.DiscoveryResponse {
		t.Helper()
		if err := stream.Send(r); err != nil {
			t.Fatal(err)
		}
		answer, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	first := exchange(&discoveryservice.DiscoveryRequest{Node: nodeIn("a"), TypeUrl: unheardOf, ResourceNames: []string{"x"}})
	if first.GetTypeUrl() != unheardOf || len(first.GetResources()) > 0 {
		t.Errorf("got %v", first)
	}
	// An acknowledgement is not answered: what comes next is about endpoints.
	err = stream.Send(&discoveryservice.DiscoveryRequest{TypeUrl: unheardOf, ResourceNames: []string{"x"},
		VersionInfo: first.GetVersionInfo(), ResponseNonce: first.GetNonce()})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	next := exchange(&discoveryservice.DiscoveryRequest{TypeUrl: resource.EndpointType, ResourceNames: []string{"web.shop:grpc"}})
	if next.GetTypeUrl() != resource.EndpointType || len(next.GetResources()) != 1 {
		t.Errorf("got %v, want endpoints", next)
	}
}

// TestUnknownDelta: the incremental variant names what does not exist.
func TestUnknownDelta(t *testing.T) {
	stream, err := connect(t, newWorld(t).address).DeltaAggregatedResources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{unheardOf, resource.EndpointType} {
		if err := stream.Send(&discoveryservice.DeltaDiscoveryRequest{Node: nodeIn("a"), TypeUrl: kind, ResourceNamesSubscribe: []string{"x"}}); err != nil {
			t.Fatal(err)
		}
		answer, err := stream.Recv()
		if err != nil || answer.GetTypeUrl() != kind || !slices.Equal(answer.GetRemovedResources(), []string{"x"}) {
			t.Errorf("got %v (%v), want x removed", answer, err)
		}
	}
}
