package main

import (
	"context"
	"fmt"
	"net"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fleet is 50 slices of 100 endpoints in three zones, of one Service or of 50.
func fleet(services int) (list []any) {
	port, name, ready := int32(8080), "grpc", true
	for i := range 50 {
		s := &discoveryv1.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("web-%d", i),
				Labels: map[string]string{discoveryv1.LabelServiceName: fmt.Sprintf("web-%d", i%services)}},
			AddressType: discoveryv1.AddressTypeIPv4,
			Ports:       []discoveryv1.EndpointPort{{Name: &name, Port: &port}},
		}
		for j := range 100 {
			zone := string(rune('a' + j%3))
			s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.1.%d.%d", i, j)},
				Conditions: discoveryv1.EndpointConditions{Ready: &ready}, Zone: &zone})
		}
		list = append(list, s)
	}
	return list
}

// event replaces one endpoint of the first slice by one with an address that was never there.
func event(list []any, number int) (*discoveryv1.EndpointSlice, string) {
	s := list[0].(*discoveryv1.EndpointSlice).DeepCopy()
	s.Endpoints[50].Addresses = []string{fmt.Sprintf("10.2.%d.%d", number/256, number%256)}
	return s, s.Endpoints[50].Addresses[0] + ":8080"
}

// BenchmarkPush is the time from an event in one slice, which replaces an endpoint of 5000, until a client in one of two
// zones has the response, and the response's size.
func BenchmarkPush(b *testing.B) {
	for _, services := range []int{1, 50} {
		for variant, subscribe := range map[string]func(testing.TB, string, string, ...string) *subscriber{
			"state-of-the-world": subscribe, "incremental": subscribeDelta,
		} {
			b.Run(fmt.Sprintf("services=%d/%s", services, variant), func(b *testing.B) {
				w, list := newWorld(b), fleet(services)
				if err := w.store.Replace(list, ""); err != nil {
					b.Fatal(err)
				}
				w.store.publish(w.caches)
				var names []string
				for i := range services {
					names = append(names, fmt.Sprintf("web-%d.shop:grpc", i))
				}
				one, other := subscribe(b, w.address, "a", names...), subscribe(b, w.address, "b", names...)
				first, bytes, n := one.next().bytes, 0, 0
				other.next()
				for b.Loop() {
					s, _ := event(list, n)
					n++
					if err := w.store.Update(s); err != nil {
						b.Fatal(err)
					}
					w.store.publish(w.caches)
					bytes += one.next().bytes
					other.next()
				}
				b.ReportMetric(float64(first), "bytes-first")
				b.ReportMetric(float64(bytes)/float64(n), "bytes/op")
			})
		}
	}
}

// BenchmarkClient is the time from an event in one slice, which replaces an endpoint of 5000, until grpc-go connects to the
// new one.
func BenchmarkClient(b *testing.B) {
	w, list := newWorld(b), fleet(1)
	if err := w.store.Replace(list, ""); err != nil {
		b.Fatal(err)
	}
	w.store.publish(w.caches)
	n := newNetwork(b)
	dialled := make(chan string, 10000)
	n.connect = func(ctx context.Context, address string) (net.Conn, error) {
		dialled <- address
		<-ctx.Done() // as if nothing answered
		return nil, ctx.Err()
	}
	conn := dialXDS(b, "web-0.shop:grpc", w.address, "a", n)
	conn.Connect()
	for range 5000 {
		<-dialled
	}
	number := 0
	for b.Loop() {
		s, address := event(list, number)
		number++
		if err := w.store.Update(s); err != nil {
			b.Fatal(err)
		}
		w.store.publish(w.caches)
		for got := ""; got != address; got = <-dialled {
		}
	}
}
