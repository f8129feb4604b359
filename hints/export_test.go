package hints

// What tests of the numbers need.

func Minimum(w Weights, zone string, n, percent int) int {
	s := newShares(w)
	for z, name := range s.names {
		if name == zone {
			return s.minimum(z, n, percent)
		}
	}
	return 0
}

func Feasible(w Weights, n, percent int) bool {
	s := newShares(w)
	return s.feasible(n, percent)
}

func Best(w Weights, n int) Overload {
	s := newShares(w)
	return s.best(n)
}

func Next(w Weights, n, percent int) int {
	s := newShares(w)
	return s.next(n, percent)
}

var ValidZone, ValidNode = validZone, validNode

// MaxFlow runs the flow over links of from, to and room.
func MaxFlow(nodes, source, sink int, links [][3]int) int {
	var f flow
	f.reset(nodes)
	for _, l := range links {
		f.link(l[0], l[1], l[2])
	}
	return f.run(source, sink)
}

const SubsetLimit = subsetLimit

var Subsets = subsets
