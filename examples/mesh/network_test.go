package main

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
)

// network is Pods that serve gRPC, each port of each a server of its own on loopback. Clients reach them by the addresses
// that slices have.
type network struct {
	grpc_health_v1.UnimplementedHealthServer
	connect func(ctx context.Context, address string) (net.Conn, error) // as clients do

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
	n.connect = n.dial
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

// serveAgain takes back what forbid said.
func (n *network) serveAgain(address string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.forbidden, address)
}
