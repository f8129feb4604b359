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
	s := Stats{Unchanged: len(p.Unchanged), Ignored: len(p.Ignored), Skipped: len(p.Skips)}
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
	types := map[discoveryv1.AddressType]*TypeStats{discoveryv1.AddressTypeIPv4: &s.IPv4, discoveryv1.AddressTypeIPv6: &s.IPv6}
	type portSet struct {
		of    *TypeStats
		ports string
	}
	endpoints := map[portSet]int{}
	for _, slice := range p.After() {
		if slice == nil {
			continue
		}
		of := cmp.Or(types[slice.AddressType], &s.FQDN)
		of.Endpoints += len(slice.Endpoints)
		of.Slices++
		endpoints[portSet{of, notation.Ports(notation.Defaulted(slice.Ports))}] += len(slice.Endpoints)
	}
	most := cmp.Or(p.max, defaultMaxEndpoints)
	for set, n := range endpoints {
		set.of.Fewest += max(1, (n+most-1)/most)
	}
}
