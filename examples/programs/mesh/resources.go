package main

import (
	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	router "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcm "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	xdstype "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/slicewright/slicewright/dedup"
)

// nameOf is the name of the listener, cluster and assignment of a service port: web.shop:http, and
// web.shop if the port has no name. Slices do not have the numbers of a Service's ports.
func nameOf(port dedup.ServicePortName) string {
	name := port.Service.Name + "." + port.Service.Namespace
	if port.Port != "" {
		name += ":" + port.Port
	}
	return name
}

// listenerOf sends all requests of a gRPC client to the cluster of the same name.
func listenerOf(name string) *listener.Listener {
	host := &route.VirtualHost{Name: name, Domains: []string{"*"}, Routes: []*route.Route{{
		Match: &route.RouteMatch{PathSpecifier: &route.RouteMatch_Prefix{}},
		Action: &route.Route_Route{Route: &route.RouteAction{
			ClusterSpecifier: &route.RouteAction_Cluster{Cluster: name}}},
	}}}
	routes := &route.RouteConfiguration{Name: name, VirtualHosts: []*route.VirtualHost{host}}
	manager := &hcm.HttpConnectionManager{
		RouteSpecifier: &hcm.HttpConnectionManager_RouteConfig{RouteConfig: routes},
		HttpFilters: []*hcm.HttpFilter{{Name: "router",
			ConfigType: &hcm.HttpFilter_TypedConfig{TypedConfig: packed(&router.Router{})}}},
	}
	return &listener.Listener{Name: name, ApiListener: &listener.ApiListener{ApiListener: packed(manager)}}
}

// clusterOf has its endpoints on the same stream, and takes them in turn. Only Envoy reads the last
// field. Without it, Envoy sends requests to unhealthy endpoints once half of a priority is unhealthy,
// and ignores the weights of localities.
func clusterOf(name string) *cluster.Cluster {
	ads := &core.ConfigSource{ResourceApiVersion: core.ApiVersion_V3,
		ConfigSourceSpecifier: &core.ConfigSource_Ads{Ads: &core.AggregatedConfigSource{}}}
	return &cluster.Cluster{
		Name:                 name,
		ClusterDiscoveryType: &cluster.Cluster_Type{Type: cluster.Cluster_EDS},
		EdsClusterConfig:     &cluster.Cluster_EdsClusterConfig{EdsConfig: ads},
		LbPolicy:             cluster.Cluster_ROUND_ROBIN,
		CommonLbConfig: &cluster.Cluster_CommonLbConfig{
			HealthyPanicThreshold: &xdstype.Percent{Value: 0},
			LocalityConfigSpecifier: &cluster.Cluster_CommonLbConfig_LocalityWeightedLbConfig_{
				LocalityWeightedLbConfig: &cluster.Cluster_CommonLbConfig_LocalityWeightedLbConfig{}},
		},
	}
}

// assignmentOf is members as clients get them. A locality has the weight of its endpoints, so that
// each gets the same traffic.
func assignmentOf(name string, members []member) *endpoint.ClusterLoadAssignment {
	type key struct {
		priority uint32
		zone     string
	}
	a := &endpoint.ClusterLoadAssignment{ClusterName: name}
	localities := map[key]*endpoint.LocalityLbEndpoints{}
	for _, m := range members {
		l := localities[key{m.priority, m.zone}]
		if l == nil {
			l = &endpoint.LocalityLbEndpoints{Locality: &core.Locality{Zone: m.zone}, Priority: m.priority,
				LoadBalancingWeight: &wrapperspb.UInt32Value{}}
			localities[key{m.priority, m.zone}] = l
			a.Endpoints = append(a.Endpoints, l)
		}
		l.LbEndpoints = append(l.LbEndpoints, endpointOf(m))
		l.LoadBalancingWeight.Value++
	}
	return a
}

func endpointOf(m member) *endpoint.LbEndpoint {
	address := &core.Address_SocketAddress{SocketAddress: &core.SocketAddress{Address: m.address.Addr().String(),
		PortSpecifier: &core.SocketAddress_PortValue{PortValue: uint32(m.address.Port())}}}
	return &endpoint.LbEndpoint{HealthStatus: m.health, HostIdentifier: &endpoint.LbEndpoint_Endpoint{
		Endpoint: &endpoint.Endpoint{Address: &core.Address{Address: address}}}}
}

// packed is a message as the value of a field of any type.
func packed(m proto.Message) *anypb.Any {
	a, err := anypb.New(m)
	if err != nil {
		panic(err) // marshalling what this file builds cannot fail
	}
	return a
}
