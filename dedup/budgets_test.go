//go:build !race

package dedup_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestOnePortAllocates: the number of allocations does not grow with the number of endpoints.
func TestOnePortAllocates(t *testing.T) {
	for name, list := range onePortLists() {
		if allocs := testing.AllocsPerRun(100, func() {
			dedup.OnePort(list, "http", "", dedup.Options{})
		}); allocs > 30 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

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

// perRun returns the bytes and allocations of a call, of which it makes some.
func perRun(runs int, call func()) (bytes, allocs float64) {
	var before, after runtime.MemStats
	call()
	runtime.ReadMemStats(&before)
	for range runs {
		call()
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(runs),
		float64(after.Mallocs-before.Mallocs) / float64(runs)
}

// TestLoadCosts: an index that takes in many small Services makes few things for each.
func TestLoadCosts(t *testing.T) {
	nightly.Slow(t)
	const n = 10000
	list := manyServices(n)
	bytes, allocs := math.Inf(1), math.Inf(1)
	for range 3 {
		b, a := perRun(1, func() {
			var ix dedup.Index
			ix.Replace(list)
			ix.Flush()
		})
		bytes, allocs = min(bytes, b), min(allocs, a)
	}
	if bytes > 3000*n || allocs > 15*n {
		t.Errorf("%.0f bytes and %.1f allocations for each Service, want at most 3000 and 15", bytes/n, allocs/n)
	}
}

// TestFlushCopiesLittle: a flush of one slice copies 8 bytes for each Service and for each slice
// (D5).
func TestFlushCopiesLittle(t *testing.T) {
	nightly.Slow(t)
	for _, n := range []int{1000, 50000} {
		list := manyServices(n)
		ix := &dedup.Index{}
		ix.Replace(list)
		ix.Flush()
		turn := 0
		bytes, allocs := perRun(100, func() {
			turn++
			s := list[turn*7919%n].DeepCopy()
			s.Endpoints[0].Conditions.Ready = ptr(false)
			ix.Upsert(s)
			ix.Flush()
		})
		copied, _ := perRun(100, func() { list[0].DeepCopy() })
		if bytes -= copied; bytes > float64(12000+20*n) {
			t.Errorf("%d Services: %.0f bytes, want at most %d", n, bytes, 12000+20*n)
		}
		t.Logf("%d Services: %.0f bytes, %.0f allocations", n, bytes, allocs)
	}
}

// TestManyClaimsOfOneAddress: k slices with one address cost k, not the square of k (D5), each for
// a Pod of its own or all for one, when they come, when all are written again in one flush, and
// when they go. Eight times as many may cost three times as much for each, because working memory
// grows; with a square it is eight times.
func TestManyClaimsOfOneAddress(t *testing.T) {
	costs := func(k int, onePod bool) (bytes, allocs float64) {
		list, again := sameAddress(k, onePod), sameAddress(k, onePod)
		for i, s := range again {
			s.ResourceVersion, s.Endpoints[0].Conditions.Ready = fmt.Sprint(2*k-i), ptr(false)
		}
		return perRun(2, func() {
			var ix dedup.Index
			for _, all := range [][]*discoveryv1.EndpointSlice{list, again, nil} {
				ix.Replace(all)
				ix.Flush()
			}
		})
	}
	for _, onePod := range []bool{false, true} {
		bytes, allocs := costs(500, onePod)
		if moreBytes, moreAllocs := costs(4000, onePod); moreBytes > 3*8*bytes || moreAllocs > 3*8*allocs {
			t.Errorf("one Pod: %v: %.0f bytes in %.0f allocations for 500 slices, %.0f in %.0f for 4000", onePod, bytes,
				allocs, moreBytes, moreAllocs)
		}
	}
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

// manyPorts returns n slices of one Service, each with a port of its own.
func manyPorts(n int) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, n)
	for i := range list {
		list[i] = slice(fmt.Sprintf("web-%05d", i), "10.0.0.1")
		list[i].Ports[0].Name = ptr(fmt.Sprintf("port-%05d", i))
	}
	return list
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
