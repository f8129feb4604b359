package packing

import "slices"

// Stay returns how many of the endpoints at home in a slice stay there when the slice is written: the maximum at most.
// The surplus leaves and becomes unassigned. A slice that is not written keeps its surplus, so that a lowered maximum
// writes nothing by itself.
//
// While nothing can be created all endpoints stay, because those that leave might find no room: a lowered maximum would
// then take away what is published and wanted.
func (l Limits) Stay(homes int) int {
	if l.NoCreates {
		return homes
	}
	return min(homes, l.Max)
}

// dropSurplus returns the problem with the surplus of written slices unassigned. A problem without surplus is returned as
// it is.
func (p Problem) dropSurplus() Problem {
	copied := false
	for i, s := range p.Slices {
		if !s.Written || p.Stay(s.Homes) == s.Homes {
			continue
		}
		if !copied {
			p.Groups, p.Slices, copied = slices.Clone(p.Groups), slices.Clone(p.Slices), true
		}
		p.Slices[i].Homes = p.Stay(s.Homes)
		p.Groups[s.Group].Unassigned += s.Homes - p.Stay(s.Homes)
	}
	return p
}
