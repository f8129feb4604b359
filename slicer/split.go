package slicer

// splits are the slices above the maximum that must come down to it because their hints have to change. A set of splits only
// grows, and once a slice is in it, the slice is written with at most the maximum: so hints ask for each slice once.
type splits struct {
	slices []bool // of each live slice; nil: none
	rounds int
}

// with adds crowded slices. From the second time on it adds all of their address types, so that hints which move on from one
// slice to the next cost three rounds and not one for each slice.
func (s splits) with(crowded []int32, live []liveSlice) splits {
	grown := make([]bool, len(live))
	copy(grown, s.slices)
	var types typeSet
	for _, i := range crowded {
		grown[i] = true
		types[live[i].typ] = true
	}
	if s.rounds > 0 {
		for i := range live {
			if t := live[i].typ; t != none && types[t] {
				grown[i] = true
			}
		}
	}
	return splits{grown, s.rounds + 1}
}

func (s splits) has(slice int) bool { return s.slices != nil && s.slices[slice] }
