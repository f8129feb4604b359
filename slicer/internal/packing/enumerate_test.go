package packing_test

import (
	"math/rand"
	"slices"

	. "github.com/slicewright/slicewright/slicer/internal/packing"
)

// problems are all problems of a size: every number of slices up to a bound, each of every kind,
// and every number of unassigned endpoints up to another.
type problems struct {
	max, groups, slices, unassigned int
	full                            int // endpoints in one more clean slice of each group, which has no room
	// of those that differ in what only decides between plans of one cost, take one
	costs bool
}

// kinds are all slices there can be: reusable ones with the ports of each group or none, and those
// of each group, written and clean, with up to one endpoint more than the maximum, which a written
// one has only while nothing can be created.
func (s problems) kinds() []Slice {
	var kinds []Slice
	for ports := None; ports < s.groups && (ports == None || !s.costs); ports++ {
		kinds = append(kinds, Slice{Group: None, Ports: ports})
	}
	for g := range s.groups {
		for stay := 1; stay <= s.max+1; stay++ {
			kinds = append(kinds, Slice{g, g, stay, false}, Slice{g, g, stay, true})
		}
	}
	return kinds
}

func (s problems) each(visit func(Problem)) {
	kinds := s.kinds()
	for count := range s.slices + 1 {
		eachNumber(count, len(kinds)-1, func(of []int) {
			p := Problem{Limits: Limits{Max: s.max}}
			for i, k := range of {
				if s.costs && i > 0 && of[i-1] > k {
					return
				}
				p.Slices = append(p.Slices, kinds[k])
			}
			for g := 0; g < s.groups && s.full > 0; g++ {
				p.Slices = append(p.Slices, Slice{Group: g, Ports: g, Stay: s.full})
			}
			eachNumber(s.groups, s.unassigned, func(unassigned []int) {
				p.Unassigned = slices.Clone(unassigned)
				visit(p)
			})
		})
	}
}

// eachNumber visits all numbers of so many digits from 0 to highest.
func eachNumber(digits, highest int, visit func([]int)) {
	number := make([]int, digits)
	for {
		visit(number)
		at := 0
		for at < digits && number[at] == highest {
			number[at] = 0
			at++
		}
		if at == digits {
			return
		}
		number[at]++
	}
}

// drawn is a problem of up to so many slices and three groups.
func drawn(r *rand.Rand, size int) (Problem, []Overlap) {
	p := Problem{Limits: Limits{Max: 1 + r.Intn(9), NoCreates: r.Intn(5) == 0}}
	for range 1 + r.Intn(3) {
		p.Unassigned = append(p.Unassigned, r.Intn(2)*r.Intn(3*p.Max))
	}
	var overlaps []Overlap
	for i := range r.Intn(size + 1) {
		s := Slice{Group: r.Intn(len(p.Unassigned)), Stay: 1 + r.Intn(p.Max), Written: r.Intn(3) == 0}
		s.Ports = s.Group
		if r.Intn(8) == 0 {
			s.Stay += r.Intn(4)
		}
		if r.Intn(4) == 0 {
			s = Slice{Group: None, Ports: r.Intn(len(p.Unassigned)+1) - 1}
			for g := range p.Unassigned {
				if count := r.Intn(1 + min(p.Max, p.Unassigned[g])); r.Intn(3) > 0 {
					overlaps = append(overlaps, Overlap{i, g, count})
				}
			}
		}
		p.Slices = append(p.Slices, s)
	}
	if r.Intn(2) == 0 {
		p.Slices = append(p.Slices, fullSlice(r, p))
	}
	return p, overlaps
}

// fullSlice is a clean slice without room. With it, the new endpoints of some group are just a few
// in view of those that stay, or just too many for that.
func fullSlice(r *rand.Rand, p Problem) Slice {
	g := r.Intn(len(p.Unassigned))
	stay := 100*p.Unassigned[g] + r.Intn(3) - 1
	for _, s := range p.Slices {
		if s.Group == g {
			stay -= s.Stay
		}
	}
	return Slice{Group: g, Ports: g, Stay: max(stay, p.Max)}
}
