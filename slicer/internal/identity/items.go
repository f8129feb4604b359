package identity

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// None is no item, no identity and no group.
const None = endpoint.None

// Item is one accepted endpoint of a group. No two items of a group that Take keeps are one endpoint.
type Item struct {
	Endpoint *discoveryv1.Endpoint // the caller's
	Source   Source
	IP       uint32 // its one address, where that is a canonical IPv4 text; else 0
	Group    int32
	ID       int32 // of its identity; Take fills it in
}

// Source is where an endpoint stands in the input.
type Source struct{ Group, Endpoint int32 }

// Duplicate is a wanted endpoint whose identity another one of its group has, the item.
type Duplicate struct {
	Endpoint *discoveryv1.Endpoint
	Source   Source
	Item     int32
}

// Found is the item that an existing endpoint is, or None.
type Found struct {
	Item  int32
	Exact bool // to the letter, hints apart
}

// Items finds the items that existing endpoints are. The zero value has none; it is used again after Release.
type Items struct {
	items  []Item
	groups []Group
	table  endpoint.Table // numbers the identities
	one    []int32        // of each identity: an item
	found  []Found        // what Identify returned since Rewind

	// rows has the items by identity and then by group, and ends where the row of each identity ends. nil: identity i has
	// item i alone.
	rows, ends []int32

	byUID, byAddress bool // some group goes by UID, by address
	hashAll          bool // hashes are of whatever tells endpoints apart, and not of their addresses alone
}

// maxOthers is how many endpoints of one address a search may pass. Most addresses have one endpoint.
const maxOthers = 8

// hash is equal for endpoints that are one. ip is the endpoint's endpoint.OnlyIPv4.
func (t *Items) hash(ip uint32, e *discoveryv1.Endpoint, byUID bool) uint64 {
	switch {
	case byUID:
		return t.table.Text(endpoint.UID(e))
	case t.hashAll:
		return t.table.Endpoint(ip, e)
	default:
		return t.table.Addresses(ip, e)
	}
}

// is reports whether an identity is that of an endpoint in an address type, and whether item one of that identity equals the
// endpoint to the letter. Most do, and then nothing else is compared.
func (t *Items) is(id int32, e *discoveryv1.Endpoint, typ int32, byUID bool) (same, exact bool) {
	it := &t.items[t.one[id]]
	if g := &t.groups[it.Group]; g.Type != typ || g.ByUID != byUID {
		return false, false
	}
	if endpoint.Identical(it.Endpoint, e) {
		return true, true
	}
	if byUID {
		return endpoint.UID(it.Endpoint) == endpoint.UID(e), false
	}
	return endpoint.SameByAddress(it.Endpoint, e), false
}

// Take makes ready to find items. It returns the items without those whose identity an earlier one of their group has, and
// these. The groups are in the plan's order.
func (t *Items) Take(items []Item, groups []Group) ([]Item, []Duplicate) {
	t.items, t.groups = items, groups
	t.found = slices.Grow(t.found[:0], len(items)) // existing endpoints are as many, or nearly
	for g := range groups {
		t.byUID, t.byAddress = t.byUID || groups[g].ByUID, t.byAddress || !groups[g].ByUID
	}
	if !t.number() {
		t.hashAll = true
		t.number()
	}
	if t.table.Len() == len(items) {
		return items, nil
	}
	duplicates := t.removeDuplicates()
	t.makeRows()
	return t.items, duplicates
}

// number gives each item its identity. Addresses alone are quick to hash, but a search among many endpoints of one
// address is long: it gives up and returns false if one passes more than maxOthers, unless everything is hashed.
func (t *Items) number() bool {
	t.table.Reset(len(t.items))
	t.one = slices.Grow(t.one[:0], len(t.items))
	for i := range t.items {
		it, passed := &t.items[i], 0
		g := &t.groups[it.Group]
		id, isNew := t.table.Add(t.hash(it.IP, it.Endpoint, g.ByUID), func(id int32) bool {
			same, _ := t.is(id, it.Endpoint, g.Type, g.ByUID)
			passed++
			return same
		})
		if passed > maxOthers && !t.hashAll {
			return false
		}
		if it.ID = id; isNew {
			t.one = append(t.one, int32(i))
		}
	}
	return true
}

// makeRows fills rows and ends: it counts the items of each identity, and puts each at the next place of its row.
func (t *Items) makeRows() {
	t.ends = make([]int32, t.table.Len())
	t.rows = make([]int32, len(t.items))
	for i := range t.items {
		t.ends[t.items[i].ID]++
	}
	start := int32(0)
	for id, count := range t.ends {
		t.ends[id] = start
		start += count
	}
	for i := range t.items {
		end := &t.ends[t.items[i].ID]
		t.rows[*end] = int32(i)
		*end++
	}
	for id := range t.ends {
		slices.SortStableFunc(t.Row(int32(id)), func(a, b int32) int { return cmp.Compare(t.items[a].Group, t.items[b].Group) })
	}
}

// removeDuplicates takes out of the items those whose identity an earlier one of their group has.
func (t *Items) removeDuplicates() (duplicates []Duplicate) {
	type member struct{ id, group int32 }
	first := make(map[member]int32, len(t.items)) // of an identity and group
	kept := t.items[:0]
	for _, it := range t.items {
		m, n := member{it.ID, it.Group}, int32(len(kept))
		if earlier, again := first[m]; again {
			duplicates = append(duplicates, Duplicate{Item: earlier, Endpoint: it.Endpoint, Source: it.Source})
			continue
		}
		first[m], t.one[it.ID] = n, n
		kept = append(kept, it)
	}
	clear(t.items[len(kept):])
	t.items = kept
	return duplicates
}

// Row lists the items of an identity, in the plan's order of their groups.
func (t *Items) Row(id int32) []int32 {
	if t.rows == nil {
		t.makeRows()
	}
	start := int32(0)
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.rows[start:t.ends[id]]
}

// Groups returns how many groups there are.
func (t *Items) Groups() int { return len(t.groups) }

// Group returns the group of an item.
func (t *Items) Group(item int32) int32 { return t.items[item].Group }

// Class returns the address type of a group.
func (t *Items) Class(group int32) int32 { return t.groups[group].Type }

// Identities returns how many identities there are. They are numbered from 0.
func (t *Items) Identities() int { return t.table.Len() }

// IDs appends the identities of an existing endpoint of an address type: at most one by address and one by UID.
func (t *Items) IDs(list []int32, e *discoveryv1.Endpoint, typ int32) []int32 {
	if t.byAddress {
		if id, _ := t.id(e, typ, false); id != None {
			list = append(list, id)
		}
	}
	if t.byUID {
		if id, _ := t.id(e, typ, true); id != None {
			list = append(list, id)
		}
	}
	return list
}

// id returns the identity of an existing endpoint, or None, and whether item one of that identity equals it to the letter.
func (t *Items) id(e *discoveryv1.Endpoint, typ int32, byUID bool) (id int32, exact bool) {
	id = t.table.Find(t.hash(endpoint.OnlyIPv4(e), e, byUID), func(id int32) (same bool) {
		same, exact = t.is(id, e, typ, byUID)
		return same
	})
	return id, exact
}

// At returns the item that an identity is in a group, or None.
func (t *Items) At(id, group int32) int32 {
	if t.rows == nil {
		if t.items[id].Group == group {
			return id
		}
		return None
	}
	row := t.Row(id)
	if n, ok := slices.BinarySearchFunc(row, group, func(i, group int32) int { return cmp.Compare(t.items[i].Group, group) }); ok {
		return row[n]
	}
	return None
}

// find returns the item that an existing endpoint is in a group.
func (t *Items) find(e *discoveryv1.Endpoint, group int32) Found {
	g := &t.groups[group]
	id, exact := t.id(e, g.Type, g.ByUID)
	if id == None {
		return Found{Item: None}
	}
	i := t.At(id, group)
	if i != t.one[id] {
		exact = i != None && endpoint.Identical(t.items[i].Endpoint, e)
	}
	return Found{Item: i, Exact: exact}
}

// Identify finds the items that existing endpoints are in a group. The result is valid until Rewind.
func (t *Items) Identify(endpoints []discoveryv1.Endpoint, group int32) []Found {
	start := len(t.found)
	for j := range endpoints {
		t.found = append(t.found, t.find(&endpoints[j], group))
	}
	return t.found[start:len(t.found):len(t.found)]
}

// Sort brings items into the canonical order of their endpoints.
func (t *Items) Sort(items []int32) {
	slices.SortFunc(items, func(a, b int32) int {
		x, y := &t.items[a], &t.items[b]
		if x.IP != y.IP && x.IP != 0 && y.IP != 0 {
			return cmp.Compare(x.IP, y.IP)
		}
		return endpoint.Compare(x.Endpoint, y.Endpoint)
	})
}

// Rewind forgets what Identify returned.
func (t *Items) Rewind() { t.found = t.found[:0] }

// Release forgets all items.
func (t *Items) Release() {
	t.table.Reset(0)
	*t = Items{found: t.found[:0], table: t.table, one: t.one[:0]}
}

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
