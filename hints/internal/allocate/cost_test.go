package allocate

import (
	"math/bits"
	"testing"
)

// hostile is a case made to be slow: it returns how often each loop looks, and its size in endpoints, zones and slices.
type hostile struct {
	name string
	run  func(slices, zones, each int) (looks []int, size int)
}

var hostiles = []hostile{
	{"all slices open for one zone", func(count, zones, each int) ([]int, int) {
		list, total := make([]Held, count), make([]int, zones)
		for i := range list {
			list[i].Shares = []Share{{0, each}}
			total[0] += each
		}
		return openLooks(list, total, make([]int, zones), total[0])
	}},
	{"every slice opened makes all others help less", func(count, zones, each int) ([]int, int) {
		list, total, minimums := make([]Held, count), make([]int, zones), make([]int, zones)
		for i := range list {
			for z := range zones {
				list[i].Shares = append(list[i].Shares, Share{z, each})
				total[z] += each
			}
		}
		for z := range minimums { // the surplus of zones ends at one slice after the other
			minimums[z] = max(0, total[z]-z*each)
		}
		return openLooks(list, total, minimums, zones*count*each)
	}},
	{"all leave their zones for others", func(count, zones, each int) ([]int, int) {
		w, b := weightsFrom(1, zones), Bounds{Held: make([]int, zones), Low: make([]int, zones)}
		var classes []Class
		for z := range zones {
			if b.Low[z] = each; z < zones/2 {
				b.Low[z] = 0
				for prior := range count {
					classes = append(classes, Class{Home: z, Prior: prior%2 - 1, Count: 2 * each})
				}
			}
		}
		return []int{deal(&w, classes, b).looks}, zones * (1 + count*each)
	}},
	{"endpoints nowhere, and any zone may take them", func(count, zones, each int) ([]int, int) {
		w, b := weightsFrom(1, zones), Bounds{Held: make([]int, zones), Low: make([]int, zones)}
		d := deal(&w, []Class{{Nowhere, Nowhere, count * zones * each}}, b)
		return []int{d.looks, d.ordered}, count * zones * each
	}},
}

func weightsFrom(first int64, zones int) Weights {
	list := make([]int64, zones)
	for z := range list {
		list[z] = first + int64(z)
	}
	return NewWeights(list)
}

func openLooks(list []Held, total, minimums []int, n int) (looks []int, size int) {
	g := newGains(list, total, minimums)
	g.until(max(0, Excess(total, minimums, n)) + surplusOf(g) - 1)
	return []int{g.looks, g.queue.looks}, n + len(list)
}

// surplusOf is all that slices can give up: the twin of what a hostile input would need.
func surplusOf(g *gains) (sum int) {
	for _, s := range g.surplus {
		sum += s
	}
	return sum
}

// TestLooksAreBounded: at most some looks for each endpoint, slice and zone, times a logarithm, whichever dimension doubles.
func TestLooksAreBounded(t *testing.T) {
	for _, h := range hostiles {
		for _, d := range [][3]int{{20, 20, 4}, {400, 20, 4}, {20, 400, 4}, {20, 20, 80}, {200, 200, 1}} {
			looks, size := h.run(d[0], d[1], d[2])
			for _, n := range looks {
				if limit := 4 * size * bits.Len(uint(size)); n > limit || n <= 0 {
					t.Errorf("%s, %d slices, %d zones, %d each: %d looks for a size of %d", h.name, d[0], d[1], d[2], looks, size)
				}
			}
		}
	}
}

// Mutants of gremlins in deal.go, open.go, queue.go and weights.go that no test can notice: slices are opened while there is no excess
// any more, and closed again; a slice that gives up exactly what is needed is the last anyway; and two numbers of a queue never
// compare equal. The constants -1 are in no function.
// In search.go and share.go: steps and crews are counted to end a long search, so that one more or fewer only makes that earlier or
// later; two crews that are alike cost time, nothing else; and traffic that is nearer by exactly a tenth, or by exactly what is rounded
// down, is not drawn.
