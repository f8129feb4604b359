package slicer

import (
	"cmp"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
)

// Stats counts what a plan does, what it leaves alone or sets aside, and what there will be. The package comment says which
// field feeds which metric of Kubernetes' controller.
type Stats struct {
	Creates, Updates, Deletes int       // writes
	Unchanged, Ignored        int       // slices
	Added, Removed, Changed   int       // endpoints over all steps
	Skipped                   int       // Plan.Skips
	IPv4, IPv6, FQDN          TypeStats // by address type
}

// TypeStats counts what there will be of one address type once every step is applied.
type TypeStats struct {
	Endpoints int // each once
	Slices    int // ours, placeholders included
	// Fewest is how few slices would do: for each port set its endpoints divided by the maximum, rounded up, and one for a
	// placeholder.
	Fewest int
}

// Stats counts the plan.
func (p Plan) Stats() Stats {
	s := Stats{
		Unchanged: len(p.Unchanged), Ignored: len(p.Ignored),
		Skipped: len(p.Skips),
	}
	for i := range p.Steps {
		step := &p.Steps[i]
		switch step.Verb {
		case Create:
			s.Creates++
		case Update:
			s.Updates++
		case Delete:
			s.Deletes++
		}
		s.Added += step.Added
		s.Removed += step.Removed
		s.Changed += step.Changed
	}
	p.countTypes(&s)
	return s
}

func (p Plan) countTypes(s *Stats) {
	type portSet struct {
		addressType discoveryv1.AddressType
		key         string
	}
	portSets := map[portSet]int{}
	for _, slice := range p.After() {
		if slice == nil {
			continue
		}
		t := s.ofType(slice.AddressType)
		t.Endpoints += len(slice.Endpoints)
		t.Slices++
		portSets[portSet{slice.AddressType, notation.Ports(notation.Defaulted(slice.Ports))}] += len(slice.Endpoints)
	}
	most := cmp.Or(p.max, defaultMaxEndpoints)
	for set, endpoints := range portSets {
		s.ofType(set.addressType).Fewest += max(1, (endpoints+most-1)/most)
	}
}

func (s *Stats) ofType(t discoveryv1.AddressType) *TypeStats {
	switch t {
	case discoveryv1.AddressTypeIPv4:
		return &s.IPv4
	case discoveryv1.AddressTypeIPv6:
		return &s.IPv6
	default:
		return &s.FQDN
	}
}
