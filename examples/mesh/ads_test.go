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
	"google.golang.org/protobuf/proto"
)

// response is what both variants of the protocol have in common.
type response struct {
	assignments map[string]*endpoint.ClusterLoadAssignment
	removed     []string
}

func (r response) add(t testing.TB, value []byte) {
	a := &endpoint.ClusterLoadAssignment{}
	if err := proto.Unmarshal(value, a); err != nil {
		t.Error(err)
	}
	r.assignments[a.ClusterName] = a
}

// subscriber asks for the endpoints of some names from a zone, and acknowledges what it gets.
type subscriber struct {
	testing.TB
	send    func(node *core.Node, nonce string) error
	receive func() (r response, nonce string, err error)
	got     chan response
}

func (s *subscriber) run(zone string) *subscriber {
	if err := s.send(&core.Node{Id: zone, Locality: &core.Locality{Zone: zone}}, ""); err != nil {
		s.Fatal(err)
	}
	s.got = make(chan response, 100)
	go func() {
		for {
			r, nonce, err := s.receive()
			if err != nil {
				return
			}
			s.got <- r
			if s.send(nil, nonce) != nil { // only the first request has the node
				return
			}
		}
	}()
	return s
}

func (s *subscriber) next() response {
	s.Helper()
	select {
	case r := <-s.got:
		return r
	case <-time.After(patience):
		s.Fatal("no response")
		panic("unreachable")
	}
}

// expect checks that the next response is the assignment of this name and no other.
func (s *subscriber) expect(name, want string) {
	s.Helper()
	r := s.next()
	if got := notation(r.assignments[name]); got != want || len(r.assignments) != 1 || len(r.removed) > 0 {
		s.Errorf("got %v, want only %s: %s", r, name, want)
	}
}

func connect(t testing.TB, address string) discoveryservice.AggregatedDiscoveryServiceClient {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64<<20)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return discoveryservice.NewAggregatedDiscoveryServiceClient(conn)
}

// subscribe speaks the protocol that gRPC does, state of the world.
func subscribe(t testing.TB, address, zone string, names ...string) *subscriber {
	t.Helper()
	stream, err := connect(t, address).StreamAggregatedResources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	version := ""
	return (&subscriber{TB: t,
		send: func(node *core.Node, nonce string) error {
			return stream.Send(&discoveryservice.DiscoveryRequest{Node: node, TypeUrl: resource.EndpointType,
				ResourceNames: names, VersionInfo: version, ResponseNonce: nonce})
		},
		receive: func() (response, string, error) {
			m, err := stream.Recv()
			r := response{assignments: map[string]*endpoint.ClusterLoadAssignment{}}
			for _, a := range m.GetResources() {
				r.add(t, a.Value)
			}
			version = m.GetVersionInfo()
			return r, m.GetNonce(), err
		},
	}).run(zone)
}

// subscribeDelta speaks the incremental protocol, as Envoy can.
func subscribeDelta(t testing.TB, address, zone string, names ...string) *subscriber {
	t.Helper()
	stream, err := connect(t, address).DeltaAggregatedResources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return (&subscriber{TB: t,
		send: func(node *core.Node, nonce string) error {
			r := &discoveryservice.DeltaDiscoveryRequest{Node: node, TypeUrl: resource.EndpointType, ResponseNonce: nonce}
			if node != nil {
				r.ResourceNamesSubscribe = names
			}
			return stream.Send(r)
		},
		receive: func() (response, string, error) {
			m, err := stream.Recv()
			r := response{assignments: map[string]*endpoint.ClusterLoadAssignment{}, removed: m.GetRemovedResources()}
			for _, a := range m.GetResources() {
				r.add(t, a.Resource.Value)
			}
			return r, m.GetNonce(), err
		},
	}).run(zone)
}
