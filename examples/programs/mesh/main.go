// Command mesh is an endpoint discovery service: it turns EndpointSlices into the resources that
// xDS clients, such as gRPC and Envoy, ask for, as each client should see them from where it is.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	xds "github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:18000", "address to serve xDS on, in plain text")
	kubeconfig := flag.String("kubeconfig", "",
		"the file that says which cluster to watch; without it, the cluster in which the program runs")
	namespace := flag.String("namespace", "", "watch this namespace only")
	family := flag.String("address-type", "IPv4", "IPv4 or IPv6: the family that clients reach endpoints by")
	label := flag.String("service-label", discoveryv1.LabelServiceName,
		"the label of slices that names their Service; multicluster.kubernetes.io/service-name for imported ones")
	places := flag.Int("max-places", 1000,
		"how many zones and nodes clients may be in; each may cost memory for every endpoint")
	name := flag.String("show", "", "do not serve, but print what clients get for this service port, such as "+
		"web.shop:grpc")
	zone := flag.String("zone", "", "the zone in which to -show it")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("%q is no flag; -h lists them", flag.Arg(0))
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if *name != "" {
		if err := show(ctx, os.Stdout, *listen, *zone, *name); ctx.Err() == nil {
			log.Fatal(err)
		}
		return
	}
	if *family != string(discoveryv1.AddressTypeIPv4) && *family != string(discoveryv1.AddressTypeIPv6) {
		log.Fatalf("-address-type is %q; it must be IPv4 or IPv6", *family)
	}

	index, err := dedup.NewIndex(dedup.Options{
		Service: dedup.ByLabel(*label),
		// One family, because hints are decided for each, and a dual-stack Pod must not count
		// twice.
		AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressType(*family)},
	})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *listen)
	if err == nil {
		err = run(ctx, listener, newStore(index), newCaches(*places), func(ctx context.Context, s *store) error {
			return watchCluster(ctx, *kubeconfig, *namespace, s)
		})
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run serves what the source puts into the store, until the context ends or something fails.
func run(ctx context.Context, listener net.Listener, s *store, c *caches,
	source func(context.Context, *store) error) error {
	defer listener.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	go func() { cancel(source(ctx, s)) }()

	// The first change is the first list. Serving earlier would tell clients that there is nothing.
	if s.wait(ctx) {
		s.publish(c)
		log.Printf("serving xDS on %s", listener.Addr())
		server := newServer(ctx, c)
		defer server.Stop()
		go func() { cancel(server.Serve(listener)) }()
	}
	for s.wait(ctx) {
		s.publish(c)
	}
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// newServer returns a gRPC server of the aggregated discovery service, in the variant of the
// protocol that gRPC speaks.
func newServer(ctx context.Context, c *caches) *grpc.Server {
	server := grpc.NewServer(grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Minute}))
	discoveryservice.RegisterAggregatedDiscoveryServiceServer(server, xds.NewServer(ctx, c, c.callbacks()))
	return server
}
