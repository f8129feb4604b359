package slicer

import (
	"cmp"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
)

// Stats has the figures of a plan. Kubernetes' controller has these metrics, whose names begin with
// endpoint_slice_controller_, and their values here are:
//
//	endpoints_added_per_sync         Added
//	endpoints_removed_per_sync       Removed
//	changes{operation}               Creates, Updates, Deletes
//	endpointslices_changed_per_sync  the sum of these; its label topology is the On of Plan.Hints
//	syncs{result}                    the errors of publish.Syncer
//	num_endpoint_slices              Slices of IPv4, IPv6 and FQDN, added up over all Services
//	desired_endpoint_slices          Fewest of these, added up likewise
//	endpoints_desired                Endpoints of these, added up likewise
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
