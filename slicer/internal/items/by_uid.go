package items

import "github.com/slicewright/slicewright/internal/endpoint"

// IdentifyByUID decides for each group whether UIDs identify its endpoints: where each endpoint has one of its own.
func IdentifyByUID(items []Item, groups []Group) {
	type groupUID struct {
		group int32
		uid   string
	}
	for g := range groups {
		groups[g].ByUID = true
	}
	seen := make(map[groupUID]bool, len(items))
	for i := range items {
		u := groupUID{items[i].Group, endpoint.UID(items[i].Endpoint)}
		if u.uid == "" || seen[u] {
			groups[u.group].ByUID = false
		}
		seen[u] = true
	}
}
