package hints

// nowhere is the number of a zone that has no weight, or of none at all.
const nowhere = -1

// Up to so many zones a scan beats a map.
const scanLimit = 8

// zoneIndex finds zones by name.
type zoneIndex struct {
	names  []string
	byName map[string]int
}

func newZoneIndex(names []string) zoneIndex {
	x := zoneIndex{names: names}
	if len(names) > scanLimit {
		x.byName = make(map[string]int, len(names))
		for z, name := range names {
			x.byName[name] = z
		}
	}
	return x
}

// find returns the zone's number, or nowhere. guess is where to look first, nowhere for no guess.
func (x *zoneIndex) find(name string, guess int) int {
	if guess >= 0 && x.names[guess] == name {
		return guess
	}
	if x.byName != nil {
		if z, ok := x.byName[name]; ok {
			return z
		}
		return nowhere
	}
	for z := range x.names {
		if x.names[z] == name {
			return z
		}
	}
	return nowhere
}
