package dedup_test

import (
	"fmt"
	"net/netip"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// manyPorts returns n slices of one Service, each with a port of its own.
func manyPorts(n int) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, n)
	for i := range list {
		list[i] = slice(fmt.Sprintf("web-%05d", i), "10.0.0.1")
		list[i].Ports[0].Name = ptr(fmt.Sprintf("port-%05d", i))
	}
	return list
}

// TestFlushCostsByPort: a change behind one port of a Service leaves nearly all ports to both views, and is looked for behind
// that port alone (D5).
func TestFlushCostsByPort(t *testing.T) {
	var allocs [2]float64
	for i, n := range []int{500, 5000} {
		list := manyPorts(n)
		ix := newIndex(dedup.Options{})
		ix.Replace(list)
		ix.Flush()
		before := ix.View()
		flipped := list[7].DeepCopy()
		flipped.Endpoints[0].Conditions.Ready = ptr(false)
		ix.Upsert(flipped)
		ix.Flush()
		count, shared := dedup.SharedPorts(before, ix.View(), webHTTP.Service)
		if count != n || shared < n-2*128 {
			t.Errorf("n=%d: %d of %d are shared", n, shared, count)
		}
		turn := 0
		allocs[i] = testing.AllocsPerRun(20, func() {
			if turn++; turn%2 == 0 {
				ix.Upsert(flipped)
			} else {
				ix.Upsert(list[7])
			}
			ix.Flush()
		})
	}
	if allocs[1] > allocs[0]+5 {
		t.Errorf("%v allocations for a change behind one of 500 ports, %v behind one of 5000", allocs[0], allocs[1])
	}
}

// TestEmptyProtocolIsTCP: a port that is asked for without a protocol is the TCP port, and not the UDP port of the same name.
func TestEmptyProtocolIsTCP(t *testing.T) {
	s := slice("web-a", "10.0.0.1")
	s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("http"), Protocol: ptr(corev1.ProtocolUDP), Port: ptr(int32(53))})
	view := dedup.Merge([]*discoveryv1.EndpointSlice{s}, dedup.Options{})
	port := webHTTP
	port.Protocol = ""
	if e, ok := view.Endpoint(port, netip.MustParseAddrPort("10.0.0.1:8080")); !ok || e.Port != 8080 || view.Len(port) != 1 {
		t.Errorf("got %v, %v of %d", e, ok, view.Len(port))
	}
	for e := range view.Endpoints(port) {
		if e.Port != 8080 {
			t.Errorf("got %v", e)
		}
	}
	if port.String() != webHTTP.String() || port.Compare(webHTTP) != 0 {
		t.Errorf("%v is not %v", port, webHTTP)
	}
}
