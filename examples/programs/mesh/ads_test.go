package main

import (
	"testing"
	"time"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

func nodeIn(zone string) *core.Node {
	return &core.Node{Id: zone, Locality: &core.Locality{Zone: zone}}
}

// open starts a stream of the protocol that gRPC speaks, state of the world.
func open(t testing.TB, address string) discoveryservice.AggregatedDiscoveryService_StreamAggregatedResourcesClient {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	stream, err := discoveryservice.NewAggregatedDiscoveryServiceClient(conn).StreamAggregatedResources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// subscriber asks for the endpoints of some names from a zone, and acknowledges what it gets:
// assignments by name.
type subscriber struct {
	testing.TB
	got chan map[string]*endpoint.ClusterLoadAssignment
}

func subscribe(t testing.TB, address, zone string, names ...string) *subscriber {
	t.Helper()
	stream := open(t, address)
	s := &subscriber{TB: t, got: make(chan map[string]*endpoint.ClusterLoadAssignment, 100)}
	go func() {
		request := &discoveryservice.DiscoveryRequest{Node: nodeIn(zone), TypeUrl: resource.EndpointType,
			ResourceNames: names}
		for stream.Send(request) == nil {
			m, err := stream.Recv()
			if err != nil {
				return
			}
			assignments := map[string]*endpoint.ClusterLoadAssignment{}
			for _, r := range m.GetResources() {
				a := &endpoint.ClusterLoadAssignment{}
				if err := r.UnmarshalTo(a); err != nil {
					t.Error(err)
				}
				assignments[a.ClusterName] = a
			}
			s.got <- assignments
			request.Node, request.VersionInfo, request.ResponseNonce = nil, m.GetVersionInfo(), m.GetNonce()
		}
	}()
	return s
}

func (s *subscriber) next() map[string]*endpoint.ClusterLoadAssignment {
	s.Helper()
	select {
	case assignments := <-s.got:
		return assignments
	case <-time.After(patience):
		s.Fatal("no response")
		return nil
	}
}

// expect checks that the next response is the assignment of this name and no other.
func (s *subscriber) expect(name, want string) {
	s.Helper()
	assignments := s.next()
	if got := notation(assignments[name]); got != want || len(assignments) != 1 {
		s.Errorf("got %v, want only %s: %s", assignments, name, want)
	}
}
