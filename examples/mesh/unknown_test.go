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
	if err := w.store.Replace([]any{sliceOf(t, "web-1", "web", "1 a ++-")}, ""); err != nil {
		t.Fatal(err)
	}
	w.store.publish(w.caches)
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

// TestUnknownDelta: the incremental variant names what does not exist, resources of a type without any as well as service
// ports that nobody has; these are told when they come.
func TestUnknownDelta(t *testing.T) {
	w := newWorld(t)
	stream, err := connect(t, w.address).DeltaAggregatedResources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exchange := func(r *discoveryservice.DeltaDiscoveryRequest) *discoveryservice.DeltaDiscoveryResponse {
		t.Helper()
		if r != nil {
			if err := stream.Send(r); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.Send(&discoveryservice.DeltaDiscoveryRequest{TypeUrl: answer.GetTypeUrl(), ResponseNonce: answer.GetNonce()}); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	first := exchange(&discoveryservice.DeltaDiscoveryRequest{Node: nodeIn("a"), TypeUrl: unheardOf, ResourceNamesSubscribe: []string{"x"}})
	if first.GetTypeUrl() != unheardOf || !slices.Equal(first.GetRemovedResources(), []string{"x"}) {
		t.Errorf("got %v, want x removed", first)
	}
	missing := exchange(&discoveryservice.DeltaDiscoveryRequest{TypeUrl: resource.EndpointType, ResourceNamesSubscribe: []string{"web.shop:grpc"}})
	if missing.GetTypeUrl() != resource.EndpointType || !slices.Equal(missing.GetRemovedResources(), []string{"web.shop:grpc"}) {
		t.Errorf("got %v, want web.shop:grpc removed", missing)
	}
	if err := w.store.Update(sliceOf(t, "web-1", "web", "1 a ++-")); err != nil {
		t.Fatal(err)
	}
	w.store.publish(w.caches)
	if found := exchange(nil); len(found.GetResources()) != 1 || len(found.GetRemovedResources()) > 0 {
		t.Errorf("got %v, want an assignment", found)
	}
}
