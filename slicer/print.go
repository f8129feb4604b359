package slicer

import (
	"cmp"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
)

// String returns the plan as text for people. Each step has a line, as [Step.String] returns it, in
// the order of Steps. Then come the slices that are left alone, the Skips, the gaps and the
// decisions on hints. The last line is the total.
//
//	create web-* ipv4 http:80: +10.0.0.1..100 (EndpointsAdded)
//	update web-b: -10.0.0.3 ~10.0.0.4{!ready} (EndpointsRemoved, EndpointsChanged)
//	delete web-c: -10.0.0.7 (NothingLeft)
//	unchanged web-d web-e
//	ignored web-f (Foreign)
//	skipped 127.0.0.1 (InvalidAddress) groups[0].endpoints[3].addresses[0]
//	gap IPv4 10.0.0.1 on http: missing after step 1 until step 3
//	hints IPv4 PreferSameZone: ByMode: each ready endpoint has a hint for its own zone
//	total 3 writes (1 create, 1 update, 1 delete), endpoints +100 -2 ~1
//
// The text is never shortened. A line for which the plan has nothing is left out, for example the
// line of unchanged slices. Hints are left out in modes that decide nothing: None, Given and Keep.
// Equal plans give equal text. Do not parse it, because later versions may add to it. The text of
// the zero plan is "total 0 writes\n".
func (p Plan) String() string {
	var b strings.Builder
	for i := range p.Steps {
		fmt.Fprintln(&b, p.Steps[i].String())
	}
	if len(p.Unchanged) > 0 {
		b.WriteString("unchanged")
		for _, s := range p.Unchanged {
			b.WriteString(" " + notation.Quote(nameOf(s)))
		}
		b.WriteByte('\n')
	}
	for _, i := range p.Ignored {
		fmt.Fprintf(&b, "ignored %s (%s)\n", notation.Quote(nameOf(i.Slice)), i.Reason)
	}
	for i := range p.Skips {
		s := &p.Skips[i]
		fmt.Fprintf(&b, "skipped %s (%s)", s.subject(), s.Reason)
		if s.Path != "" && s.Path != s.subject() {
			b.WriteString(" " + s.Path)
		}
		b.WriteByte('\n')
	}
	for _, g := range p.Gaps() {
		fmt.Fprintf(&b, "gap %s\n", g)
	}
	for _, d := range p.Hints {
		if d.Mode != hints.None && d.Mode != hints.Given && d.Mode != hints.Keep {
			fmt.Fprintf(&b, "hints %s %s: %s\n", d.AddressType, d.Mode, d)
		}
	}
	fmt.Fprintln(&b, total(p.Stats()))
	return b.String()
}

// Summary returns a summary of the plan on one line, without a newline. It is the last line of
// String, as in "total 3 writes (1 create, 2 updates), endpoints +3 -1 ~1". If there are Skips,
// their number follows, as in ", 2 skipped". The summary of the zero plan is "total 0 writes".
func (p Plan) Summary() string {
	s := p.Stats()
	text := total(s)
	if s.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Skipped)
	}
	return text
}

// String returns the step on one line, without a newline. The line has these parts:
//
//   - the verb and the name of the slice (a generated name ends in *);
//   - for a create, the address type and the ports;
//   - the endpoints that are removed (-), added (+) or changed (~, with the fields that differ), or
//     that stay while the ports change (=);
//   - other differences;
//   - the reasons.
//
// Endpoints with equal addresses are distinguished by hostname and targetRef.
func (s Step) String() string {
	var words []string
	switch {
	case s.Verb == Create && s.New != nil:
		words = append(words, fmt.Sprintf("create %s %s %s:", name(s.New),
			notation.AddressType(s.New.AddressType), notation.PortsOrNone(s.New.Ports)))
	case s.New != nil || s.Old != nil:
		words = append(words, string(s.Verb)+" "+s.name()+":")
	default:
		return string(s.Verb)
	}
	write := notation.Write{Old: s.Old, New: s.New, Added: s.Added, Removed: s.Removed, Changed: s.Changed}
	if changes := notation.Changes(write); len(changes) > 0 {
		words = append(words, notation.Join(changes))
	}
	words = append(words, notation.Metadata(s.Old, s.New)...)
	reasons := make([]string, len(s.Reasons))
	for i, r := range s.Reasons {
		reasons[i] = string(r)
	}
	if len(words) == 1 {
		words[0] = strings.TrimSuffix(words[0], ":")
	}
	return strings.Join(words, " ") + " (" + strings.Join(reasons, ", ") + ")"
}

// total returns the last line of a plan's text.
func total(s Stats) string {
	writes := s.Creates + s.Updates + s.Deletes
	text := "total " + notation.Count(writes, "write")
	if writes == 0 {
		return text
	}
	var verbs []string
	for _, v := range []struct {
		n    int
		verb Verb
	}{{s.Creates, Create}, {s.Updates, Update}, {s.Deletes, Delete}} {
		if v.n > 0 {
			verbs = append(verbs, notation.Count(v.n, string(v.verb)))
		}
	}
	return fmt.Sprintf("%s (%s), endpoints +%d -%d ~%d", text, strings.Join(verbs, ", "), s.Added, s.Removed, s.Changed)
}

// Stats are the figures of a plan. The table has the metrics of Kubernetes' controller, without the
// prefix endpoint_slice_controller_ of their names, and the value to use for each:
//
//	endpoints_added_per_sync         Added
//	endpoints_removed_per_sync       Removed
//	changes{operation}               Creates, Updates, Deletes
//	endpointslices_changed_per_sync  Creates + Updates + Deletes; its labels topology and
//	                                 traffic_distribution come from the Service: see hints.ModeOf
//	syncs{result}                    the errors of publish.Syncer
//	num_endpoint_slices              Slices of IPv4, IPv6 and FQDN, summed over all Services
//	desired_endpoint_slices          Fewest of IPv4, IPv6 and FQDN, summed over all Services
//	endpoints_desired                Endpoints of IPv4, IPv6 and FQDN, summed over all Services
type Stats struct {
	Creates, Updates, Deletes int       // writes
	Unchanged, Ignored        int       // slices
	Added, Removed, Changed   int       // endpoints over all steps
	Skipped                   int       // Plan.Skips
	IPv4, IPv6, FQDN          TypeStats // by address type
}

// TypeStats are the endpoints and slices of one address type once every step is applied.
type TypeStats struct {
	Endpoints int // endpoints in these slices
	Slices    int // slices of the set, placeholders included
	// Fewest is the smallest possible number of slices. Each port set needs the number of its
	// endpoints divided by the maximum, rounded up. A placeholder needs 1.
	Fewest int
}

// Stats returns the figures of the plan.
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

// countTypes sets the figures of each address type. It counts the slices that exist once every step
// is applied.
func (p Plan) countTypes(s *Stats) {
	types := map[discoveryv1.AddressType]*TypeStats{
		discoveryv1.AddressTypeIPv4: &s.IPv4, discoveryv1.AddressTypeIPv6: &s.IPv6,
	}
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
		set.of.Fewest += max(1, (n+most-1)/most) // an empty slice is a placeholder
	}
}
