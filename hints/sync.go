package hints

// NeedsSync reports whether planning again with new weights or thresholds would change a hint of a set whose last plan was
// wholly applied and came with decision d. It is true if hints must go, if zones have no weight any more or fall below their
// minimum at the stop threshold, and if hints were off and can start now. It is false for weights that stay within the
// thresholds, and for all modes except Proportional.
//
// Of d it reads Mode, On, Ready, Zoneless and the Name and Hinted of Zones, in any order. A caller that keeps decisions from
// sync to sync need not store more of them. Of the options it reads Weights and Thresholds.
//
// It is false while endpoints have no zone, because no weights help, and false for options that [Options.Validate] refuses.
func NeedsSync(d Decision, o Options) bool {
	if d.Mode != Proportional || o.Validate(nil) != nil {
		return false
	}
	percent := o.Thresholds.withDefaults().Start
	if d.On {
		percent = o.Thresholds.withDefaults().Stop
	}
	var z zones
	z.read(o.Weights)
	possible := z.why(o.Weights, d.Ready, d.Zoneless, percent) == Allocated
	if !d.On || !possible {
		return d.On != possible
	}
	if len(d.Zones) != len(z.names) {
		return true
	}
	for i, name := range z.names {
		if hinted, ok := d.hintedTo(name, i); !ok || hinted < z.weights.Minimum(i, d.Ready, percent) {
			return true
		}
	}
	return false
}

// hintedTo returns how many endpoints are hinted to a zone, false if the decision has no row for it. guess is where the row
// is if the rows are sorted.
func (d *Decision) hintedTo(zone string, guess int) (int, bool) {
	if d.Zones[guess].Name == zone {
		return d.Zones[guess].Hinted, true
	}
	for i := range d.Zones {
		if d.Zones[i].Name == zone {
			return d.Zones[i].Hinted, true
		}
	}
	return 0, false
}
