package hints

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/quote"
)

// Assign returns the hints of all endpoints of one Service and address type, in the order of
// endpoints; nil stands for no hints. Pass the endpoints of all slices of the Service in one list,
// whatever their ports, as in Kubernetes. Their present hints stay if possible. Hints were on
// before if a ready endpoint has a hint for a zone. Given and Keep return the present hints. The
// result shares no memory with the endpoints. Pass at most 2^23 endpoints.
//
// The error is made of a *field.Error for each mistake in the options, joined by errors.Join.
func Assign(o Options, endpoints []discoveryv1.Endpoint) ([]*discoveryv1.EndpointHints, Decision, error) {
	list := make([]*discoveryv1.EndpointHints, len(endpoints))
	next := 0 // endpoints before this one have their hints
	keep := func(until int) {
		for ; next < until; next++ {
			if h := endpoints[next].Hints; h != nil && len(h.ForZones)+len(h.ForNodes) > 0 {
				list[next] = h.DeepCopy()
			}
		}
	}
	made, err := hinting.Each(hinting.Options{
		Mode: string(o.Mode), Limit: o.Limit, Weights: hinting.Weights(o.Weights), Steady: o.Steady,
	}, []hinting.Slice{{Endpoints: endpoints}}, func(c hinting.Change) {
		keep(c.Endpoint)
		list[next] = c.Hints
		next++
	})
	if err != nil {
		return nil, Decision{}, err
	}
	keep(len(endpoints))
	d := Decision{Mode: o.Mode, On: made.On, Reason: made.Reason, Message: made.Message}
	for _, z := range made.Zones {
		d.Zones = append(d.Zones, Allocation(z))
	}
	return list, d, nil
}

// Decision says whether endpoints of one address type have hints, and why. Send an Event when
// Reason changes.
type Decision struct {
	// AddressType is empty in the result of Assign.
	AddressType discoveryv1.AddressType
	// Mode is the mode of the Options.
	Mode Mode
	// On says that ready endpoints get hints. It is false for Given and Keep.
	On bool
	// Reason is a word such as TopologyAwareHintsEnabled. The package comment lists them.
	Reason string
	// Message is a line of text that names Nodes, zones or endpoints.
	Message string
	// Zones has a row for each zone with a weight, sorted by name, for Auto and Limit.
	Zones []Allocation
}

// String returns Reason and Message, and a line for each of Zones. It has no newline at the end. Do
// not parse it, because later versions may add to it.
func (d Decision) String() string {
	var b strings.Builder
	b.WriteString(d.Reason)
	if d.Message != "" {
		b.WriteString(": " + d.Message)
	}
	for _, z := range d.Zones {
		fmt.Fprintf(&b, "\n  %s: weight %d, %d ready, %d hinted", quote.Text(z.Zone), z.Weight, z.Ready, z.Hinted)
	}
	return b.String()
}

// Allocation is what one zone gets.
type Allocation struct {
	// Zone is its name.
	Zone string
	// Weight is that of Options.Weights.
	Weight int64
	// Ready is the number of ready endpoints in the zone, and Hinted that of ready endpoints, of
	// any zone, whose hints name it.
	Ready, Hinted int
}
