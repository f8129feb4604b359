// Command mesh is an endpoint discovery service: it turns EndpointSlices into the resources that
// xDS clients, such as gRPC and Envoy, ask for, as each client should see them from where it is.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"os/signal"
	"syscall"
	"time"

	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	xds "github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/fields"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:18000", "address to serve xDS on, in plain text")
	kubeconfig := flag.String("kubeconfig", "", "which cluster to watch; if empty, the one in which the program runs")
	namespace := flag.String("namespace", "", "watch this namespace only")
	family := flag.String("address-type", "IPv4", "IPv4 or IPv6: the family by which clients reach endpoints")
	places := flag.Int("max-places", 1000, "how many zones and nodes clients may be in; each costs memory")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	m, err := newMesh(*places, discoveryv1.AddressType(*family))
	check(err)
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	client, err := discoveryclient.NewForConfig(config)
	check(err)
	watch := cache.NewListWatchFromClient(client.RESTClient(), "endpointslices", *namespace, fields.Everything())
	go cache.NewReflector(watch, &discoveryv1.EndpointSlice{}, m, 0).RunWithContext(ctx)
	select {
	case <-m.listed: // serving earlier would tell clients that there is nothing
	case <-ctx.Done():
		return
	}
	listener, err := net.Listen("tcp", *listen)
	check(err)
	server := newServer(ctx, m)
	context.AfterFunc(ctx, server.Stop)
	check(server.Serve(listener))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// newServer returns a gRPC server of the aggregated discovery service, in the variant of the
// protocol that gRPC speaks.
func newServer(ctx context.Context, m *mesh) *grpc.Server {
	server := grpc.NewServer(grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Minute}))
	discoveryservice.RegisterAggregatedDiscoveryServiceServer(server, xds.NewServer(ctx, m, m.callbacks()))
	return server
}
