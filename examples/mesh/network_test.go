package main

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/xds"
)

// network is Pods that serve gRPC, each port of each a server of its own on loopback. Clients reach them by the addresses
// that slices have.
type network struct {
	grpc_health_v1.UnimplementedHealthServer
	mu      sync.Mutex
	servers map[string]*grpc.Server
	real    map[string]string
	// moment counts what forbid was called for; requests carry it as it was when they began.
	moment    atomic.Int64
	forbidden map[string]int64 // since which moment
	wrong     []string
}

func newNetwork(t testing.TB) *network {
	n := &network{servers: map[string]*grpc.Server{}, real: map[string]string{}, forbidden: map[string]int64{}}
	t.Cleanup(func() {
		for address := range n.real {
			n.servers[address].Stop()
		}
		for _, w := range n.wrong {
			t.Error(w)
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
	server := grpc.NewServer(grpc.UnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
			n.arrived(ctx, address)
			return handle(ctx, request)
		}))
	grpc_health_v1.RegisterHealthServer(server, n)
	n.mu.Lock()
	n.servers[address], n.real[address] = server, l.Addr().String()
	delete(n.forbidden, address)
	n.mu.Unlock()
	go server.Serve(l)
}

func (n *network) arrived(ctx context.Context, address string) {
	_ = grpc.SetHeader(ctx, metadata.Pairs("served-by", address))
	var began int64
	md, _ := metadata.FromIncomingContext(ctx)
	_, _ = fmt.Sscan(md.Get("moment")[0], &began)
	n.mu.Lock()
	defer n.mu.Unlock()
	if since, is := n.forbidden[address]; is && began >= since {
		n.wrong = append(n.wrong, fmt.Sprintf("a request reached %s, which clients had left", address))
	}
}

// Check answers all requests.
func (n *network) Check(context.Context, *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}, nil
}

// forbid makes the test fail if a request that begins from now on reaches the address.
func (n *network) forbid(address string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.forbidden[address] = n.moment.Add(1)
}

// stop ends the server at an address: requests that are there are answered, connections are refused.
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

// dialXDS returns a client of a service port that learns of its endpoints by xDS, as if it were in a zone.
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
	network *network
	client  grpc_health_v1.HealthClient
}

func newTraffic(t *testing.T, conn *grpc.ClientConn, n *network) *traffic {
	c := &traffic{T: t, network: n, client: grpc_health_v1.NewHealthClient(conn)}
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
	ctx = metadata.AppendToOutgoingContext(ctx, "moment", strconv.FormatInt(c.network.moment.Load(), 10))
	var header metadata.MD
	_, err := c.client.Check(ctx, &grpc_health_v1.HealthCheckRequest{}, grpc.Header(&header))
	if err != nil {
		return "", err
	}
	return header.Get("served-by")[0], nil
}

// reaches waits until requests reach these addresses, all of them and no other.
func (c *traffic) reaches(want ...string) {
	c.Helper()
	slices.Sort(want)
	var got []string
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
