package hinting

// separately is Assign for the modes that decide for each endpoint separately. PreferSameZone gives
// each ready endpoint a hint for its own zone, PreferSameNode gives it one for its node as well,
// and None removes all hints. Given and Keep change nothing.
func separately(mode string, in []Slice, change func(Change)) (d Decision) {
	d = Decision{On: mode == PreferSameZone || mode == PreferSameNode, Reason: "ByMode", Message: byMode[mode]}
	if mode == Given || mode == Keep {
		return d
	}
	var refused, zoneless []string
	for i := range in {
		for k := range in[i].Endpoints {
			e := &in[i].Endpoints[k]
			hint, wrong := hintOf(mode, e)
			for _, name := range [...]string{wrong.Zone, wrong.Node} {
				if name != "" {
					refused = append(refused, name)
				}
			}
			if mode == PreferSameZone && hint.Zone == "" && ready(e) {
				zoneless = append(zoneless, endpointName(e))
			}
			if !hint.Matches(e.Hints) {
				change(Change{i, k, hint.Endpoint()})
			}
		}
	}
	switch {
	case len(refused) > 0:
		d.because("InvalidName", "names that cannot be hints: ", refused)
	case len(zoneless) > 0:
		d.because("NoZoneSpecified", "ready endpoints without zone: ", zoneless)
	}
	return d
}

// byMode are the Messages of modes that alone decide.
var byMode = map[string]string{
	None:           "no endpoint has hints",
	PreferSameZone: "each ready endpoint has a hint for its own zone",
	PreferSameNode: "each ready endpoint has hints for its own node and zone",
	Given:          "the hints are those of the wanted endpoints",
	Keep:           "the hints are left to another writer",
}
