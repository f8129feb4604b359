package dedup

import (
	"strings"
)

// candidate is a claim in an index: a record, and how new its slice was when the claim was made.
type candidate struct {
	record *record
	age    *age
}

func (c candidate) target() Target             { return c.record.target() }
func (c candidate) use() merit                 { return c.record.merit }
func (c candidate) compareAge(d candidate) int { return c.age.compare(*d.age) }

func (c candidate) compareFields(d candidate) int { return compareFields(c.record, d.record) }

func (c candidate) compareSlice(d candidate) int {
	return strings.Compare(c.record.source.slice, d.record.source.slice)
}

// elect returns what the ops at one place make of the item before, nil for none, and whether readers can see the difference.
// The result is before itself where nothing changed, and scratch memory else.
func (t *scratch) elect(before *item, of *opList, ops []spot) (after *item, seen bool) {
	if before == nil || before.contest == nil {
		return t.electFirst(before, of, ops)
	}
	c := *before.contest
	for _, o := range ops {
		switch r := of.records[o.index]; o.verb {
		case remove:
			c, seen = c.remove(candidate{r, r.source.ageBefore}), true
		case renew:
			var same bool
			c, same = c.renew(candidate{r, r.source.ageBefore}, candidate{r, r.source.age})
			seen = seen || !same
		}
	}
	for _, o := range ops {
		if r := of.records[o.index]; o.verb == add {
			c, seen = c.add(candidate{r, r.source.age}), true
		}
	}
	return t.shown(c), seen
}

// electFirst is elect where at most one slice had the place. That its slice became newer or older changes nothing.
func (t *scratch) electFirst(before *item, of *opList, ops []spot) (after *item, seen bool) {
	var stays *record
	if before != nil {
		stays = before.record
	}
	adds := 0
	for _, o := range ops {
		switch o.verb {
		case remove:
			stays, seen = nil, true
		case add:
			adds, seen = adds+1, true
		}
	}
	if stays != nil && adds == 0 {
		return before, false
	}
	var c contest[candidate]
	if stays != nil {
		c = c.add(candidate{stays, stays.source.age})
	}
	for _, o := range ops {
		switch r := of.records[o.index]; {
		case o.verb != add:
		case adds == 1 && stays == nil:
			return t.alone(r), true
		default:
			c = c.add(candidate{r, r.source.age})
		}
	}
	return t.shown(c), seen
}

// shown returns the item of a contest, nil if nobody has the place.
func (t *scratch) shown(c contest[candidate]) *item {
	if c.claims.root == nil {
		return nil
	}
	it := t.alone(c.winner().record)
	if !c.claims.single() {
		it.contest = &c
	}
	return it
}

func (t *scratch) alone(r *record) *item {
	t.elected = item{host: t.place.host, number: t.place.number, record: r}
	return &t.elected
}
