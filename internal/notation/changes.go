package notation

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Write is one write of a slice: the slice before and after it, and the numbers of endpoints that
// it adds, removes and changes.
type Write struct {
	Old, New                *discoveryv1.EndpointSlice // Old is nil for a create, New for a delete
	Added, Removed, Changed int
}

// rules are the options of a plan that decide what counts as a change. A Step does not have them.
type rules struct {
	explicit bool // a nil condition differs from its default
	byUID    bool // the UID of the target, if it has one, identifies an endpoint
}

// comparison sorts the endpoints of a write for printing.
type comparison struct {
	rules     rules
	namespace string
	gone, new []*discoveryv1.Endpoint // only in Old, only in New
	both      []pair
	ported    bool            // Old and New have different ports
	shared    map[string]bool // addresses that endpoints of several identities have
}

// pair is an endpoint that is in Old and in New.
type pair struct {
	old, new *discoveryv1.Endpoint
	fields   []Field // fields that differ, as in New; the text of a removed field is -key
	moved    bool    // the addresses differ
}

func (p *pair) differs() bool { return p.moved || len(p.fields) > 0 }

// distance grows with the number of differences between old and new.
func (p *pair) distance() int {
	if p.differs() {
		return 2*len(p.fields) + 1
	}
	return 0
}

// Changes lists the endpoints that a write adds, removes or changes. If the ports of the slice
// change, it lists all endpoints. Removed endpoints come first, then added ones, then the others,
// each in canonical order. The options of the plan are guessed: of four combinations, Changes uses
// the first one that gives the counts of the write.
func Changes(s Write) (usual []Item) {
	for _, r := range []rules{{}, {explicit: true}, {byUID: true}, {explicit: true, byUID: true}} {
		c := compare(s, r)
		items := c.items()
		if s.Old == nil || s.New == nil || c.ported || s.counts(items) {
			return items
		}
		if r == (rules{}) {
			usual = items
		}
	}
	return usual
}

// counts reports whether the items agree with the numbers of the write.
func (s Write) counts(items []Item) bool {
	var n [3]int
	for _, item := range items {
		n[strings.Index("+-~", item.Sign)]++
	}
	return n == [3]int{s.Added, s.Removed, s.Changed}
}

func (c *comparison) items() (items []Item) {
	for _, e := range c.gone {
		items = append(items, c.item("-", e, nil))
	}
	for _, e := range c.new {
		items = append(items, c.item("+", e, nil))
	}
	for _, p := range c.both {
		if c.ported {
			items = append(items, c.item("=", p.new, p.fields))
		} else if p.differs() {
			item := c.item("~", p.new, p.fields)
			if p.moved {
				item.Addresses = Addresses(p.old.Addresses) + "->" + item.Addresses
			}
			items = append(items, item)
		}
	}
	return items
}

func compare(s Write, r rules) *comparison {
	c := &comparison{rules: r, shared: map[string]bool{}}
	c.ported = s.Old != nil && s.New != nil && !SamePorts(s.Old.Ports, s.New.Ports)
	var old, now []discoveryv1.Endpoint
	if s.Old != nil {
		old, c.namespace = r.read(s.Old.Endpoints), s.Old.Namespace
	}
	if s.New != nil {
		now, c.namespace = r.read(s.New.Endpoints), s.New.Namespace
	}
	c.pair(old, now)
	return c
}

// read returns endpoints in canonical order, without what plans ignore: empty texts, empty hints,
// the order of hints, the target's resourceVersion and the deprecated topology.
func (r rules) read(list []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	sorted := Sorted(list)
	for i := range sorted {
		e := &sorted[i]
		for _, text := range []**string{&e.Hostname, &e.NodeName, &e.Zone} {
			if endpoint.Text(*text) == "" {
				*text = nil
			}
		}
		hints := endpoint.HintsOf(e.Hints)
		zones, nodes := slices.Clone(hints.ForZones), slices.Clone(hints.ForNodes)
		slices.SortFunc(zones, func(a, b discoveryv1.ForZone) int { return strings.Compare(a.Name, b.Name) })
		slices.SortFunc(nodes, func(a, b discoveryv1.ForNode) int { return strings.Compare(a.Name, b.Name) })
		e.Hints = endpoint.Hints(zones, nodes)
		if e.TargetRef != nil {
			target := endpoint.TargetOf(e)
			e.TargetRef = &target
		}
		e.DeprecatedTopology = nil
		if !r.explicit {
			e.Conditions = conditions.Of(e.Conditions).API()
		}
	}
	return sorted
}

// pair finds the endpoints that have the same identity in the lists old and now. If old has several
// copies of an endpoint, pair compares the first few, and takes the copy that is most like the new
// one.
func (c *comparison) pair(old, now []discoveryv1.Endpoint) {
	const few = 8 // bounds the time for slices with many copies of one endpoint
	paired := map[*discoveryv1.Endpoint]bool{}
	left, texts := map[string][]*discoveryv1.Endpoint{}, map[string]string{}
	note := func(e *discoveryv1.Endpoint) string {
		addresses, text := Addresses(e.Addresses), c.addressed(e)
		if other, ok := texts[addresses]; ok && other != text {
			c.shared[addresses] = true
		}
		texts[addresses] = text
		return c.identity(e)
	}
	for i := range old {
		id := note(&old[i])
		left[id] = append(left[id], &old[i])
	}
	for i := range now {
		id := note(&now[i])
		var pairs []pair
		for _, e := range left[id][:min(few, len(left[id]))] {
			pairs = append(pairs, c.compare(e, &now[i]))
		}
		if len(pairs) == 0 {
			c.new = append(c.new, &now[i])
			continue
		}
		best := slices.MinFunc(pairs, func(a, b pair) int { return a.distance() - b.distance() })
		at := slices.Index(left[id], best.old)
		copy(left[id][1:], left[id][:at])
		c.both = append(c.both, best)
		left[id] = left[id][1:]
		paired[best.old] = true
	}
	for i := range old {
		if !paired[&old[i]] {
			c.gone = append(c.gone, &old[i])
		}
	}
}

func (c *comparison) identity(e *discoveryv1.Endpoint) string {
	if uid := endpoint.UID(e); c.rules.byUID && uid != "" {
		return "uid " + uid
	}
	return c.addressed(e)
}

// addressed returns an endpoint's identity in a set that does not go by UID: addresses, hostname
// and target.
func (c *comparison) addressed(e *discoveryv1.Endpoint) string {
	return strings.Join(endpoint.AddressSet(e.Addresses), " ") + Braces(IdentityFields(e, c.namespace))
}

// compare returns a pair of endpoints, with the fields in which they differ.
func (c *comparison) compare(old, now *discoveryv1.Endpoint) pair {
	p := pair{old: old, new: now, moved: !endpoint.SameAddressList(old.Addresses, now.Addresses)}
	both := old.TargetRef != nil && now.TargetRef != nil
	had, has := c.fields(old, both), c.fields(now, both)
	p.fields = slices.DeleteFunc(slices.Clone(has), func(f Field) bool { return slices.Contains(had, f) })
	for _, f := range had {
		if !slices.ContainsFunc(has, func(g Field) bool { return g.Key == f.Key }) {
			p.fields = append(p.fields, Field{Key: f.Key, Text: "-" + f.Key})
		}
	}
	return p
}

// fields lists the fields of an endpoint. If both endpoints of the pair have a target, the list
// includes those fields of the target that Fields leaves out.
func (c *comparison) fields(e *discoveryv1.Endpoint, both bool) []Field {
	fields := Fields(e, c.namespace)
	if both && e.TargetRef.APIVersion != "" {
		fields = append(fields, Field{"ref-api", "ref-api=" + Quote(e.TargetRef.APIVersion)})
	}
	if both && e.TargetRef.FieldPath != "" {
		fields = append(fields, Field{"ref-path", "ref-path=" + Quote(e.TargetRef.FieldPath)})
	}
	return fields
}

func (c *comparison) item(sign string, e *discoveryv1.Endpoint, fields []Field) Item {
	addresses := Addresses(e.Addresses)
	if c.shared[addresses] {
		known := IdentityFields(e, c.namespace)
		fields = append(known, slices.DeleteFunc(fields, func(f Field) bool { return slices.Contains(known, f) })...)
	}
	return Item{Sign: sign, Addresses: addresses, Suffix: Braces(fields)}
}

// Sorted returns the endpoints in canonical order. The input is not changed.
func Sorted(list []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b discoveryv1.Endpoint) int { return endpoint.Compare(&a, &b) })
	return out
}
