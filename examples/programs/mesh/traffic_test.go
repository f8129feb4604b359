package main

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/xds"
)

// pod answers all requests, and says who it is.
type pod struct {
	health.UnimplementedHealthServer
	address string
}

func (p pod) Check(ctx context.Context, _ *health.HealthCheckRequest) (*health.HealthCheckResponse, error) {
	return &health.HealthCheckResponse{}, grpc.SetHeader(ctx, metadata.Pairs("served-by", p.address))
}

// serve starts a server on loopback, and returns its address there.
func serve(t *testing.T, server *grpc.Server) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return l.Addr().String()
}

// clientOf is a gRPC client in zone a that learns of endpoints by xDS. Pods 1 to 4 serve.
func clientOf(t *testing.T, m *mesh) health.HealthClient {
	network := map[string]string{}
	for i := range 4 {
		address := fmt.Sprintf("10.0.0.%d:8080", i+1)
		server := grpc.NewServer()
		health.RegisterHealthServer(server, pod{address: address})
		network[address] = serve(t, server)
	}
	dial := func(ctx context.Context, address string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", network[address])
	}
	resolver, err := xds.NewXDSResolverWithConfigForTesting(fmt.Appendf(nil, `{
		"xds_servers": [{"server_uri": %q, "channel_creds": [{"type": "insecure"}], "server_features": ["xds_v3"]}],
		"node": {"id": "x", "locality": {"zone": "a"}}}`, serve(t, newServer(t.Context(), m))))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient("xds:///"+target, grpc.WithResolvers(resolver), grpc.WithContextDialer(dial),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return health.NewHealthClient(conn)
}

// send sends a request and returns the last number of the address that answered.
func send(client health.HealthClient) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var header metadata.MD
	if _, err := client.Check(ctx, &health.HealthCheckRequest{}, grpc.Header(&header)); err != nil {
		return "", err
	}
	return strings.TrimSuffix(strings.TrimPrefix(header.Get("served-by")[0], "10.0.0."), ":8080"), nil
}

// TestTraffic: a client of gRPC sends requests all the time while slices are written one by one. No
// request fails, and after each write they reach all Pods that the client should use, and no others.
func TestTraffic(t *testing.T) {
	m := meshOf(t)
	client := clientOf(t, m)
	ctx, stop := context.WithCancel(t.Context())
	var worker sync.WaitGroup
	defer worker.Wait()
	defer stop()
	for i, step := range []struct{ why, slice, endpoints, want string }{
		{"all zones get traffic without hints", "web-1", "1 a ++-, 2 b ++-", "1 2"},
		{"a new Pod comes", "web-2", "3 c ++-", "1 2 3"},
		{"the first Pod terminates", "web-1", "1 a -++, 2 b ++-", "2 3"},
		{"it is replaced", "web-1", "4 a ++-, 2 b ++-", "2 3 4"},
		{"the second slice gets hints, and the first does not have them yet", "web-2", "3 c ++- zone=c", "2 3 4"},
		{"all have hints", "web-1", "4 a ++- zone=a, 2 b ++- zone=b", "4"},
		{"the zone is lost", "web-1", "4 a --- zone=a, 2 b ++- zone=b", "2 3"},
		{"it comes back", "web-1", "4 a ++- zone=a, 2 b ++- zone=b", "4"},
		{"the Service is shut down, and its Pods still serve", "web-1", "4 a -++, 2 b -++", "3"},
		{"the last Pod terminates", "web-2", "3 c -++", "2 3 4"},
	} {
		var got string
		_ = m.Update(sliceOf(step.slice, step.endpoints)) // it returns no error
		for deadline := time.Now().Add(30 * time.Second); got != step.want && time.Now().Before(deadline); {
			seen := map[string]bool{}
			for range 30 {
				by, err := send(client)
				if err != nil {
					t.Fatalf("%s: %v", step.why, err)
				}
				seen[by] = true
			}
			got = strings.Join(slices.Sorted(maps.Keys(seen)), " ")
		}
		if got != step.want {
			t.Fatalf("%s: requests reach %q, want %q", step.why, got, step.want)
		}
		if i == 0 { // from now on
			worker.Go(func() {
				for ctx.Err() == nil {
					if _, err := send(client); err != nil {
						t.Errorf("a request failed: %v", err)
					}
					time.Sleep(2 * time.Millisecond)
				}
			})
		}
	}
}
