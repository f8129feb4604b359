package notation

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Write is what Changes prints of: a slice as it is and as it will be, and how many endpoints that removes and changes.
type Write struct {
	Old, New         *discoveryv1.EndpointSlice // nil where there is none
	Removed, Changed int
}

// comparison tells the endpoints of a write apart for printing: those only in Old, those only in New, and pairs in both. It
// is for readers, knows no options, and infers from the counts of the write what they must have been.
type comparison struct {
	namespace string
	gone, new []*discoveryv1.Endpoint
	both      [][2]*discoveryv1.Endpoint
	ported    bool            // Old and New have different ports
	shared    map[string]bool // addresses that endpoints of several identities have
}

// Changes prints the endpoints that differ, or all of them when the ports do, in canonical order: first those that leave,
// then those that come, stay on new ports, or change. It is empty when there are none.
func Changes(s Write) string {
	c := compare(s)
	var items []Item
	for _, e := range c.gone {
		items = append(items, c.item("-", e, nil))
	}
	for _, e := range c.new {
		items = append(items, c.item("+", e, nil))
	}
	for _, strict := range []bool{false, true} {
		var changed []Item
		for _, pair := range c.both {
			fields, differ := c.difference(pair, strict)
			switch {
			case differ && !c.ported:
				changed = append(changed, c.changed(pair, fields))
			case c.ported:
				changed = append(changed, c.item("=", pair[1], fields))
			}
		}
		// Fewer differences than the step counts: nil conditions must have counted as different.
		if strict || c.ported || len(changed) >= s.Changed {
			items = append(items, changed...)
			break
		}
	}
	if len(items) == 0 {
		return ""
	}
	return Join(items)
}

func compare(s Write) *comparison {
	c := &comparison{shared: map[string]bool{}}
	var old, now []discoveryv1.Endpoint
	if s.Old != nil {
		old, c.namespace = Sorted(s.Old.Endpoints), s.Old.Namespace
	}
	if s.New != nil {
		now, c.namespace = Sorted(s.New.Endpoints), s.New.Namespace
	}
	c.pair(old, now)
	c.ported = s.Old != nil && s.New != nil && !SamePorts(s.Old.Ports, s.New.Ports)
	if !c.ported && len(c.gone) > s.Removed {
		c.pairByUID()
	}
	return c
}

// pair finds the endpoints of old and now that have one identity.
func (c *comparison) pair(old, now []discoveryv1.Endpoint) {
	at, identity := map[string][]*discoveryv1.Endpoint{}, map[string]string{}
	note := func(e *discoveryv1.Endpoint) string {
		addresses, id := Addresses(e.Addresses), c.identity(e)
		if other, ok := identity[addresses]; ok && other != id {
			c.shared[addresses] = true
		}
		identity[addresses] = id
		return id
	}
	for i := range old {
		id := note(&old[i])
		at[id] = append(at[id], &old[i])
	}
	paired := map[string]int{}
	for i := range now {
		id := note(&now[i])
		if n := paired[id]; n < len(at[id]) {
			c.both = append(c.both, [2]*discoveryv1.Endpoint{at[id][n], &now[i]})
			paired[id]++
		} else {
			c.new = append(c.new, &now[i])
		}
	}
	for i := range old {
		if id := c.identity(&old[i]); paired[id] > 0 {
			paired[id]--
		} else {
			c.gone = append(c.gone, &old[i])
		}
	}
}

// pairByUID joins what is left by the UID of the targetRef, for plans whose identity it is.
func (c *comparison) pairByUID() {
	at := map[string][]*discoveryv1.Endpoint{} // what comes
	for _, e := range c.new {
		at[endpoint.UID(e)] = append(at[endpoint.UID(e)], e)
	}
	delete(at, "")
	joined := map[*discoveryv1.Endpoint]bool{}
	for _, e := range c.gone {
		if uid := endpoint.UID(e); len(at[uid]) > 0 {
			now := at[uid][0]
			at[uid] = at[uid][1:]
			c.both = append(c.both, [2]*discoveryv1.Endpoint{e, now})
			joined[e], joined[now] = true, true
		}
	}
	isJoined := func(e *discoveryv1.Endpoint) bool { return joined[e] }
	c.gone, c.new = slices.DeleteFunc(c.gone, isJoined), slices.DeleteFunc(c.new, isJoined)
}

func (c *comparison) identity(e *discoveryv1.Endpoint) string {
	addresses := make([]string, len(e.Addresses))
	for i, a := range e.Addresses {
		addresses[i] = endpoint.Canonical(a)
	}
	slices.Sort(addresses)
	return strings.Join(addresses, " ") + Braces(IdentityFields(e, c.namespace))
}

// difference lists the fields in which the pair differs, as they are in the new one; -key for those that went. strict
// takes a nil condition for different from its default.
func (c *comparison) difference(pair [2]*discoveryv1.Endpoint, strict bool) ([]Field, bool) {
	old, now := *pair[0], *pair[1]
	if !strict {
		old.Conditions = conditions.Of(old.Conditions).Conditions()
		now.Conditions = conditions.Of(now.Conditions).Conditions()
	}
	had, has := map[string]string{}, map[string]bool{}
	for _, f := range Fields(&old, c.namespace) {
		had[f.Key] = f.Text
	}
	var diff []Field
	for _, f := range Fields(&now, c.namespace) {
		if has[f.Key] = true; had[f.Key] != f.Text {
			diff = append(diff, f)
		}
	}
	for _, f := range Fields(&old, c.namespace) {
		if !has[f.Key] {
			diff = append(diff, Field{Key: f.Key, Text: "-" + f.Key})
		}
	}
	silent := func(f Field) bool { return f.Key == "ref-rv" || strings.HasPrefix(f.Key, "topology.") }
	diff = append(slices.DeleteFunc(diff, silent), differentReference(old.TargetRef, now.TargetRef)...)
	moved := endpoint.Canonical(first(old)) != endpoint.Canonical(first(now))
	return diff, moved || len(diff) > 0
}

// differentReference lists what differs in two references and is printed nowhere else.
func differentReference(old, now *corev1.ObjectReference) (diff []Field) {
	if old == nil || now == nil {
		return nil
	}
	for _, f := range []struct{ key, old, now string }{
		{"ref-api", old.APIVersion, now.APIVersion}, {"ref-path", old.FieldPath, now.FieldPath},
	} {
		switch {
		case f.old == f.now:
		case f.now == "":
			diff = append(diff, Field{f.key, "-" + f.key})
		default:
			diff = append(diff, Field{f.key, f.key + "=" + Quote(f.now)})
		}
	}
	return diff
}

// changed prints a pair, with both addresses where the endpoint has changed its own.
func (c *comparison) changed(pair [2]*discoveryv1.Endpoint, fields []Field) Item {
	item := c.item("~", pair[1], fields)
	if endpoint.Canonical(first(*pair[0])) != endpoint.Canonical(first(*pair[1])) {
		item.Addresses = Addresses(pair[0].Addresses) + "->" + item.Addresses
	}
	return item
}

func first(e discoveryv1.Endpoint) string {
	if len(e.Addresses) == 0 {
		return ""
	}
	return e.Addresses[0]
}

func (c *comparison) item(sign string, e *discoveryv1.Endpoint, fields []Field) Item {
	addresses := Addresses(e.Addresses)
	if c.shared[addresses] {
		known := IdentityFields(e, c.namespace)
		fields = append(known, slices.DeleteFunc(fields, func(f Field) bool { return slices.Contains(known, f) })...)
	}
	return Item{Sign: sign, Addresses: addresses, Suffix: Braces(fields)}
}
