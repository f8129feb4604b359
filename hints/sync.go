package hints

// Changed reports whether an event is worth sending when a set's decision for one address type was prev and now is
// next: mode, On or Reason differ. It is false on a repeat, whatever the numbers and names do. Compare the
// decisions of one address type only; for the first, pass the zero Decision, which stands for no hints.
func Changed(prev, next Decision) bool {
	return prev.Mode != next.Mode || prev.On != next.On || prev.Reason != next.Reason
}

// ChangedDecisions returns those of next that are worth an event after prev, the decisions of the set's last plan, in
// order: Changed says so of the two of one address type, and one that prev lacks is held against the zero Decision. nil
// when nothing is worth one. The list is the caller's; the decisions share the memory of next.
func ChangedDecisions(prev, next []Decision) []Decision {
	var changed []Decision
	for _, now := range next {
		var before Decision
		for _, d := range prev {
			if d.AddressType == now.AddressType {
				before = d
			}
		}
		if Changed(before, now) {
			changed = append(changed, now)
		}
	}
	return changed
}

// NeedsSync reports whether, with new weights, planning again would change a hint of a set whose last plan, wholly
// applied, came with decision d: hints that must go, zones that are no longer weighted or fall below their minimum at
// the stop threshold, and also hints that were off and now could start. Weights that stay within the band are no
// reason.
//
// It is false for modes other than Proportional. While endpoints have no zone it is false too:
// no weights help, and the change of an endpoint is a reason to plan of its own. Weights that [Config.Validate] refuses
// are no reason either.
func NeedsSync(d Decision, w Weights) bool {
	if d.Mode != Proportional || len(w.validate(nil)) > 0 {
		return false
	}
	s := newShares(w)
	percent := d.Thresholds.Start
	if d.On {
		percent = d.Thresholds.Stop
	}
	refused := s.refused()
	usable := len(w.Problems) == 0 && !refused.any() && len(s.names) > 1 &&
		len(s.names) <= d.Ready && s.feasible(d.Ready, percent)
	if !d.On {
		return usable && d.Zoneless == 0
	}
	if !usable || len(d.Zones) != len(s.names) {
		return true
	}
	for z, row := range d.Zones {
		if row.Name != s.names[z] || row.Hinted < s.minimum(z, d.Ready, percent) {
			return true
		}
	}
	return false
}
