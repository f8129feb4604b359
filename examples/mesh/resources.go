package main

import (
	"net/netip"
	"slices"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	router "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcm "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// nameOf is how clients call a service port, whose listener, cluster and assignment have this name: web.shop:http, and
// web.shop where the port has no name. Slices do not know the number of a Service's port.
func nameOf(port dedup.ServicePort) string {
	name := port.Service.Name + "." + port.Service.Namespace
	if port.Port != "" {
		name += ":" + port.Port
	}
	return name
}

// listenerOf sends all requests of a gRPC client to the cluster of the same name.
func listenerOf(name string) *listener.Listener {
	routes := &route.RouteConfiguration{
		Name: name,
		VirtualHosts: []*route.VirtualHost{{
			Name:    name,
			Domains: []string{"*"},
			Routes: []*route.Route{{
				Match: &route.RouteMatch{PathSpecifier: &route.RouteMatch_Prefix{}},
				Action: &route.Route_Route{Route: &route.RouteAction{
					ClusterSpecifier: &route.RouteAction_Cluster{Cluster: name},
				}},
			}},
		}},
	}
	manager := &hcm.HttpConnectionManager{
		RouteSpecifier: &hcm.HttpConnectionManager_RouteConfig{RouteConfig: routes},
		HttpFilters: []*hcm.HttpFilter{{
			Name:       "router",
			ConfigType: &hcm.HttpFilter_TypedConfig{TypedConfig: packed(&router.Router{})},
		}},
	}
	return &listener.Listener{Name: name, ApiListener: &listener.ApiListener{ApiListener: packed(manager)}}
}

// clusterOf says that endpoints come over the same stream, and are to be taken in turn.
func clusterOf(name string) *cluster.Cluster {
	return &cluster.Cluster{
		Name:                 name,
		ClusterDiscoveryType: &cluster.Cluster_Type{Type: cluster.Cluster_EDS},
		EdsClusterConfig: &cluster.Cluster_EdsClusterConfig{EdsConfig: &core.ConfigSource{
			ResourceApiVersion:    core.ApiVersion_V3,
			ConfigSourceSpecifier: &core.ConfigSource_Ads{Ads: &core.AggregatedConfigSource{}},
		}},
		LbPolicy: cluster.Cluster_ROUND_ROBIN,
	}
}

// assignmentOf is the endpoints of a service port for clients at a place. First are those that kube-proxy would use
// there, by hints for its node or zone; then, in case these fail, those it would use if it knew less of where it is. The
// rest, which gets no traffic, has a priority of its own: elsewhere it would count against the health of the others, and
// a rolling update would send clients to other zones.
func assignmentOf(name string, endpoints []dedup.Endpoint, at hints.Location) *endpoint.ClusterLoadAssignment {
	a := &endpoint.ClusterLoadAssignment{ClusterName: name}
	placed := map[netip.AddrPort]bool{}
	isPlaced := func(e dedup.Endpoint) bool { return placed[e.AddrPort()] }
	priority := uint32(0)
	put := func(list []dedup.Endpoint, used bool) {
		list = slices.DeleteFunc(list, isPlaced)
		for _, e := range list {
			placed[e.AddrPort()] = true
		}
		if len(list) > 0 { // clients refuse gaps between priorities
			a.Endpoints = append(a.Endpoints, localitiesOf(list, priority, used)...)
			priority++
		}
	}
	for _, reader := range []hints.Location{at, {Zone: at.Zone}, {}} {
		put(hints.Route(endpoints, candidateOf, reader, hints.Policy{}).Cluster, true)
	}
	put(slices.Clone(endpoints), false)
	return a
}

func candidateOf(e dedup.Endpoint) hints.Candidate {
	return hints.Candidate{State: e.State, NodeName: e.NodeName, ForZones: e.ForZones, ForNodes: e.ForNodes}
}

// localitiesOf groups endpoints by zone. A locality has the weight of its endpoints, so that all get the same traffic.
func localitiesOf(list []dedup.Endpoint, priority uint32, used bool) (localities []*endpoint.LocalityLbEndpoints) {
	byZone := map[string]*endpoint.LocalityLbEndpoints{}
	for _, e := range list {
		l := byZone[e.Zone]
		if l == nil {
			l = &endpoint.LocalityLbEndpoints{Locality: &core.Locality{Zone: e.Zone}, Priority: priority}
			byZone[e.Zone], localities = l, append(localities, l)
		}
		l.LbEndpoints = append(l.LbEndpoints, endpointOf(e, used))
	}
	for _, l := range localities {
		l.LoadBalancingWeight = wrapperspb.UInt32(uint32(len(l.LbEndpoints)))
	}
	return localities
}

func endpointOf(e dedup.Endpoint, used bool) *endpoint.LbEndpoint {
	address := &core.SocketAddress{
		Address:       e.Host(),
		PortSpecifier: &core.SocketAddress_PortValue{PortValue: uint32(e.Port)},
	}
	return &endpoint.LbEndpoint{
		HealthStatus: healthOf(e, used),
		HostIdentifier: &endpoint.LbEndpoint_Endpoint{Endpoint: &endpoint.Endpoint{
			Address: &core.Address{Address: &core.Address_SocketAddress{SocketAddress: address}},
		}},
	}
}

// healthOf is healthy for an endpoint that gets traffic, also where it terminates and no ready one is left: clients send
// nothing to one that is said to be draining.
func healthOf(e dedup.Endpoint, used bool) core.HealthStatus {
	switch {
	case used:
		return core.HealthStatus_HEALTHY
	case e.State.ServesWhileTerminating():
		return core.HealthStatus_DRAINING
	}
	return core.HealthStatus_UNHEALTHY
}

// packed is a message as the value of a field of any type. Marshalling what this file builds cannot fail.
func packed(m proto.Message) *anypb.Any {
	a, err := anypb.New(m)
	if err != nil {
		panic(err)
	}
	return a
}
