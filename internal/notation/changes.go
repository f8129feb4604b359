package notation

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Write is what Changes prints of: a slice as it is and as it will be, and how many endpoints that adds, removes and changes.
type Write struct {
	Old, New                *discoveryv1.EndpointSlice // nil where there is none
	Added, Removed, Changed int
}

// rules are the options of a plan on which it depends what a write changes. A reader of a step does not know them.
type rules struct {
	explicit bool // a nil condition differs from its default
	byUID    bool // endpoints whose targets have one UID are one, else those with the same addresses, hostname and target
}

// comparison tells the endpoints of a write apart for printing: those only in Old, those only in New, and pairs in both.
type comparison struct {
	rules     rules
	namespace string
	gone, new []*discoveryv1.Endpoint
	both      [][2]*discoveryv1.Endpoint
	ported    bool            // Old and New have different ports
	shared    map[string]bool // addresses that endpoints of several identities have
}

// Changes lists the endpoints that differ, or all of them when the ports do, in canonical order: first those that leave,
// then those that come, stay on new ports, or change. The options by which the plan compares are taken to be the first that give
// the counts of the write.
func Changes(s Write) []Item {
	usual := compare(s, rules{}).items()
	if s.Old == nil || s.New == nil || !SamePorts(s.Old.Ports, s.New.Ports) || s.counts(usual) {
		return usual
	}
	for _, r := range []rules{{explicit: true}, {byUID: true}, {explicit: true, byUID: true}} {
		if items := compare(s, r).items(); s.counts(items) {
			return items
		}
	}
	return usual
}

// counts reports whether a write adds, removes and changes as many endpoints as are listed.
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
	for _, pair := range c.both {
		switch fields, differ := c.difference(pair); {
		case c.ported:
			items = append(items, c.item("=", pair[1], fields))
		case differ:
			items = append(items, c.changed(pair, fields))
		}
	}
	return items
}

func compare(s Write, r rules) *comparison {
	c := &comparison{rules: r, shared: map[string]bool{}}
	c.ported = s.Old != nil && s.New != nil && !SamePorts(s.Old.Ports, s.New.Ports)
	var old, now []discoveryv1.Endpoint
	if s.Old != nil {
		old, c.namespace = asRead(s.Old.Endpoints), s.Old.Namespace
	}
	if s.New != nil {
		now, c.namespace = asRead(s.New.Endpoints), s.New.Namespace
	}
	c.pair(old, now)
	return c
}

// asRead returns endpoints in the order of Compare, without what every plan takes for nothing: empty texts, empty hints and
// the order of hints.
func asRead(list []discoveryv1.Endpoint) []discoveryv1.Endpoint {
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
		if e.Hints = nil; len(zones)+len(nodes) > 0 {
			e.Hints = &discoveryv1.EndpointHints{ForZones: zones, ForNodes: nodes}
		}
	}
	return sorted
}

// pair finds the endpoints of old and now that have one identity; of several copies the one that is most like the new one.
func (c *comparison) pair(old, now []discoveryv1.Endpoint) {
	at, texts := map[string][]*discoveryv1.Endpoint{}, map[string]string{}
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
		at[id] = append(at[id], &old[i])
	}
	for i := range now {
		id := note(&now[i])
		if copies := at[id]; len(copies) > 0 {
			n := c.mostAlike(copies, &now[i])
			c.both = append(c.both, [2]*discoveryv1.Endpoint{copies[n], &now[i]})
			at[id] = slices.Delete(copies, n, n+1)
		} else {
			c.new = append(c.new, &now[i])
		}
	}
	for i := range old {
		if slices.Contains(at[c.identity(&old[i])], &old[i]) {
			c.gone = append(c.gone, &old[i])
		}
	}
}

// mostAlike returns the place of the first copy that differs from now in the fewest fields.
func (c *comparison) mostAlike(copies []*discoveryv1.Endpoint, now *discoveryv1.Endpoint) int {
	best, least := 0, -1
	for n, e := range copies {
		fields, moved := c.difference([2]*discoveryv1.Endpoint{e, now})
		differ := 2 * len(fields)
		if moved {
			differ++
		}
		if least < 0 || differ < least {
			best, least = n, differ
		}
	}
	return best
}

func (c *comparison) identity(e *discoveryv1.Endpoint) string {
	if uid := endpoint.UID(e); c.rules.byUID && uid != "" {
		return "uid " + uid
	}
	return c.addressed(e)
}

// addressed is the identity of an endpoint by its addresses.
func (c *comparison) addressed(e *discoveryv1.Endpoint) string {
	return strings.Join(endpoint.AddressSet(e.Addresses), " ") + Braces(IdentityFields(e, c.namespace))
}

// difference lists the fields in which the pair differs, as they are in the new one; -key for those that went. It also
// reports whether these or the addresses differ.
func (c *comparison) difference(pair [2]*discoveryv1.Endpoint) ([]Field, bool) {
	old, now := *pair[0], *pair[1]
	if !c.rules.explicit {
		old.Conditions = conditions.Of(old.Conditions).Conditions()
		now.Conditions = conditions.Of(now.Conditions).Conditions()
	}
	both := old.TargetRef != nil && now.TargetRef != nil
	had, has := c.fields(&old, both), c.fields(&now, both)
	var diff []Field
	for _, f := range has {
		if !slices.Contains(had, f) {
			diff = append(diff, f)
		}
	}
	for _, f := range had {
		if !slices.ContainsFunc(has, func(g Field) bool { return g.Key == f.Key }) {
			diff = append(diff, Field{Key: f.Key, Text: "-" + f.Key})
		}
	}
	return diff, !endpoint.SameAddressList(old.Addresses, now.Addresses) || len(diff) > 0
}

// fields lists the fields that a plan compares: for endpoints that both have a target also what Fields leaves out of it.
func (c *comparison) fields(e *discoveryv1.Endpoint, both bool) []Field {
	fields := slices.DeleteFunc(Fields(e, c.namespace), func(f Field) bool {
		return f.Key == "ref-rv" || strings.HasPrefix(f.Key, "topology.")
	})
	if both && e.TargetRef.APIVersion != "" {
		fields = append(fields, Field{"ref-api", "ref-api=" + Quote(e.TargetRef.APIVersion)})
	}
	if both && e.TargetRef.FieldPath != "" {
		fields = append(fields, Field{"ref-path", "ref-path=" + Quote(e.TargetRef.FieldPath)})
	}
	return fields
}

// changed prints a pair, with both addresses where the endpoint has changed its own.
func (c *comparison) changed(pair [2]*discoveryv1.Endpoint, fields []Field) Item {
	item := c.item("~", pair[1], fields)
	if !endpoint.SameAddressList(pair[0].Addresses, pair[1].Addresses) {
		item.Addresses = Addresses(pair[0].Addresses) + "->" + item.Addresses
	}
	return item
}

func (c *comparison) item(sign string, e *discoveryv1.Endpoint, fields []Field) Item {
	addresses := Addresses(e.Addresses)
	if c.shared[addresses] {
		known := IdentityFields(e, c.namespace)
		fields = append(known, slices.DeleteFunc(fields, func(f Field) bool { return slices.Contains(known, f) })...)
	}
	return Item{Sign: sign, Addresses: addresses, Suffix: Braces(fields)}
}

// Sorted returns the endpoints in canonical order. The input keeps its own.
func Sorted(list []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b discoveryv1.Endpoint) int { return endpoint.Compare(&a, &b) })
	return out
}
