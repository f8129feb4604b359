package hinting

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// separately is Assign for the modes that decide for each endpoint separately. PreferSameZone gives
// each ready endpoint a hint for its own zone, PreferSameNode gives it one for its node as well,
// and None removes all hints. Given and Keep change nothing.
func separately(mode string, in []Slice, change func(Change)) (d Decision) {
	d = Decision{On: mode == PreferSameZone || mode == PreferSameNode, Reason: "ByMode", Message: byMode[mode]}
	if mode == Given || mode == Keep {
		return d
	}
	var refused, lacking []string // names, and endpoints without a zone or node
	for i := range in {
		for k := range in[i].Endpoints {
			e := &in[i].Endpoints[k]
			hint, wrong := hintOf(mode, e)
			for _, name := range [...]string{wrong.Zone, wrong.Node} {
				if name != "" {
					refused = append(refused, name)
				}
			}
			if Lacks(mode, e) && ready(e) {
				lacking = append(lacking, endpointName(e))
			}
			if !hint.Matches(e.Hints) {
				change(Change{i, k, hint.Endpoint()})
			}
		}
	}
	switch {
	case len(refused) > 0:
		d.because("InvalidName", "names that cannot be hints: ", refused)
	case len(lacking) > 0 && mode == PreferSameZone:
		d.because("NoZoneSpecified", "ready endpoints without zone: ", lacking)
	case len(lacking) > 0:
		d.because("NoNodeSpecified", "ready endpoints without node: ", lacking)
	}
	return d
}

// Lacks reports whether an endpoint does not have what the mode takes its hint from.
func Lacks(mode string, e *discoveryv1.Endpoint) bool {
	return mode == PreferSameZone && endpoint.Text(e.Zone) == "" ||
		mode == PreferSameNode && endpoint.Text(e.NodeName) == ""
}

// byMode are the Messages of modes that alone decide.
var byMode = map[string]string{
	None:           "no endpoint has hints",
	PreferSameZone: "each ready endpoint has a hint for its own zone",
	PreferSameNode: "each ready endpoint has hints for its own node, and for its zone if it has one",
	Given:          "the hints are those of the wanted endpoints",
	Keep:           "the hints are left to another writer",
}
