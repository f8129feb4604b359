//go:build !race

package dedup_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// manyServices returns n Services with one slice of three endpoints each.
func manyServices(n int) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, n)
	for i := range list {
		list[i] = manySlices(3)[0]
		name := fmt.Sprintf("web-%05d", i)
		list[i].Name, list[i].Labels[discoveryv1.LabelServiceName] = name, name
	}
	return list
}

// manyPorts returns n slices of one Service, each with a port of its own.
func manyPorts(n int) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, n)
	for i := range list {
		list[i] = slice(fmt.Sprintf("web-%05d", i), "10.0.0.1")
		list[i].Ports[0].Name = ptr(fmt.Sprintf("port-%05d", i))
	}
	return list
}

// flip returns the number of allocations of a flush after the condition of one endpoint changed.
func flip(list []*discoveryv1.EndpointSlice) (allocs float64) {
	ix := newIndex(dedup.Options{})
	ix.Replace(list)
	ix.Flush()
	ways, turn := []*discoveryv1.EndpointSlice{list[7], list[7].DeepCopy()}, 0
	ways[1].Endpoints[0].Conditions.Ready = ptr(false)
	return testing.AllocsPerRun(20, func() {
		turn++
		ix.Upsert(ways[turn%2])
		ix.Flush()
	})
}

// TestFlushReadsLittle: one change in a slice needs as many allocations among many endpoints, ports
// and Services as among few (D5).
func TestFlushReadsLittle(t *testing.T) {
	for name, list := range map[string]func(n int) []*discoveryv1.EndpointSlice{
		"endpoints": manySlices, "ports": manyPorts, "Services": manyServices,
	} {
		if few, many := flip(list(1000)), flip(list(10000)); few > 80 || many > few+5 {
			t.Errorf("%s: %v allocations for one change among 1000, %v among 10000", name, few, many)
		}
	}
}

// TestOnePortAllocates: the number of allocations does not grow with the number of endpoints.
func TestOnePortAllocates(t *testing.T) {
	list := manySlices(1000)
	if allocs := testing.AllocsPerRun(100, func() { dedup.OnePort(list, "http", "", dedup.Options{}) }); allocs > 30 {
		t.Errorf("%v allocations", allocs)
	}
}
