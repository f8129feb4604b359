package main

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/xds"
	corev1 "k8s.io/api/core/v1"
)

// network is Pods that serve gRPC, each port of each a server of its own on loopback. Clients reach
// them by the addresses that slices have.
type network struct {
	mu      sync.Mutex
	servers map[string]*grpc.Server
	real    map[string]string
}

func newNetwork(t testing.TB) *network {
	n := &network{servers: map[string]*grpc.Server{}, real: map[string]string{}}
	t.Cleanup(func() {
		for _, server := range n.servers {
			server.Stop()
		}
	})
	return n
}

// serve starts the server at an address.
func (n *network) serve(t testing.TB, address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(server, pod{address: address})
	n.mu.Lock()
	n.servers[address], n.real[address] = server, l.Addr().String()
	n.mu.Unlock()
	go server.Serve(l)
}

// pod answers all requests, and says who it is.
type pod struct {
	grpc_health_v1.UnimplementedHealthServer
	address string
}

func (p pod) Check(ctx context.Context, _ *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse,
	error) {
	return &grpc_health_v1.HealthCheckResponse{}, grpc.SetHeader(ctx, metadata.Pairs("served-by", p.address))
}

// stop ends the server at an address: requests that are there are answered, connections are
// refused.
func (n *network) stop(address string) {
	n.mu.Lock()
	server := n.servers[address]
	n.mu.Unlock()
	server.GracefulStop()
}

// dial connects to the server at an address, as a Pod network would.
func (n *network) dial(ctx context.Context, address string) (net.Conn, error) {
	n.mu.Lock()
	real, known := n.real[address]
	n.mu.Unlock()
	if !known {
		return nil, fmt.Errorf("no route to %s", address)
	}
	return new(net.Dialer).DialContext(ctx, "tcp", real)
}

const patience = 30 * time.Second // for what should take milliseconds

// dialXDS returns a client of a service port that learns of its endpoints by xDS, as if it were in
// a zone.
func dialXDS(t testing.TB, target, controlPlane, zone string, n *network) *grpc.ClientConn {
	t.Helper()
	resolver, err := xds.NewXDSResolverWithConfigForTesting(fmt.Appendf(nil, `{
		"xds_servers": [{"server_uri": %q, "channel_creds": [{"type": "insecure"}], "server_features": ["xds_v3"]}],
		"node": {"id": %q, "locality": {"zone": %q}}
	}`, controlPlane, t.Name(), zone))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient("xds:///"+target, grpc.WithResolvers(resolver), grpc.WithContextDialer(n.dial),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: patience,
			Backoff: backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1, MaxDelay: 50 * time.Millisecond}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// traffic is a client under test, which sends requests all the time, none of which may fail.
type traffic struct {
	*testing.T
	client grpc_health_v1.HealthClient
}

func newTraffic(t *testing.T, conn *grpc.ClientConn) *traffic {
	c := &traffic{T: t, client: grpc_health_v1.NewHealthClient(conn)}
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for sent := 0; ; sent++ {
				select {
				case <-stop:
					return
				case <-time.After(2 * time.Millisecond):
				}
				if _, err := c.send(); err != nil {
					t.Errorf("request %d of a worker failed: %v", sent, err)
					return
				}
			}
		})
	}
	t.Cleanup(func() { close(stop); workers.Wait() })
	return c
}

// send sends a request and returns the address that answered.
func (c *traffic) send() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var header metadata.MD
	_, err := c.client.Check(ctx, &grpc_health_v1.HealthCheckRequest{}, grpc.Header(&header))
	if err != nil {
		return "", err
	}
	return header.Get("served-by")[0], nil
}

// reaches waits until requests reach these Pods, all of them and no other.
func (c *traffic) reaches(pods ...*corev1.Pod) {
	c.Helper()
	var got, want []string
	for _, p := range pods {
		want = append(want, at(p))
	}
	slices.Sort(want)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		seen := map[string]bool{}
		for range 10 * len(want) {
			address, err := c.send()
			if err != nil {
				c.Fatal(err)
			}
			seen[address] = true
		}
		if got = slices.Sorted(maps.Keys(seen)); slices.Equal(got, want) {
			return
		}
	}
	c.Fatalf("requests reach %v, want %v", got, want)
}
