package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// show prints what a client in a zone gets for a service port, and whatever it gets from then on.
func show(ctx context.Context, out io.Writer, server, zone, name string) error {
	conn, err := grpc.NewClient(server, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close()
	stream, err := discoveryservice.NewAggregatedDiscoveryServiceClient(conn).StreamAggregatedResources(ctx,
		grpc.WaitForReady(true))
	if err != nil {
		return err
	}
	request := &discoveryservice.DiscoveryRequest{
		Node:          &core.Node{Id: "show", Locality: &core.Locality{Zone: zone}},
		TypeUrl:       resource.EndpointType,
		ResourceNames: []string{name},
	}
	for {
		if err := stream.Send(request); err != nil {
			return err
		}
		response, err := stream.Recv()
		if err != nil {
			return err
		}
		if len(response.GetResources()) == 0 {
			fmt.Fprintf(out, "%s: there is no such service port now; waiting for one\n", name)
		}
		for _, r := range response.GetResources() {
			var a endpoint.ClusterLoadAssignment
			if err := r.UnmarshalTo(&a); err != nil {
				return err
			}
			printAssignment(out, &a)
		}
		request.Node = nil
		request.VersionInfo = response.GetVersionInfo()
		request.ResponseNonce = response.GetNonce()
	}
}

// printAssignment prints each endpoint with the priority, the zone and the weight of its locality.
func printAssignment(out io.Writer, a *endpoint.ClusterLoadAssignment) {
	var text strings.Builder
	endpoints := 0
	for _, l := range a.GetEndpoints() {
		endpoints += len(l.GetLbEndpoints())
		for _, e := range l.GetLbEndpoints() {
			address := e.GetEndpoint().GetAddress().GetSocketAddress()
			fmt.Fprintf(&text, "  priority %d  zone %s  weight %d  %s:%d  %s\n", l.GetPriority(),
				l.GetLocality().GetZone(),
				l.GetLoadBalancingWeight().GetValue(), address.GetAddress(), address.GetPortValue(),
				e.GetHealthStatus())
		}
	}
	fmt.Fprintf(out, "%s has %d endpoints\n%s", a.GetClusterName(), endpoints, &text)
}
