package dedup

import (
	"strings"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// candidate is a claim in an index: a record, and how new its slice was when the claim was made.
type candidate struct {
	record *record
	age    *age
}

func (c candidate) target() Target             { return c.record.target() }
func (c candidate) use() decide.Usability      { return c.record.usability() }
func (c candidate) compareAge(d candidate) int { return c.age.compare(*d.age) }

func (c candidate) compareFields(d candidate) int { return compareFields(c.record, d.record) }

func (c candidate) compareSlice(d candidate) int {
	return strings.Compare(c.record.source().slice, d.record.source().slice)
}

// outcome is what becomes of an item.
type outcome struct {
	item    item // without a record: nobody has the place
	contest contest[candidate]
	changed bool // it is to be written down
	seen    bool // readers can see the difference
}

func (o *outcome) shown() *item {
	if o.item.record == nil {
		return nil
	}
	return &o.item
}

// elect returns what the ops at one place make of the item before, nil for none.
func (p *port) elect(before *item, of *opList, ops []spot) outcome {
	if before == nil || !before.disputed {
		return electFirst(before, of, ops)
	}
	c, seen := p.disputes.Find(&dispute{item: *before}, compareDisputes).contest, false
	for _, o := range ops {
		switch r := of.records[o.index]; o.verb {
		case remove:
			c, seen = c.remove(candidate{r, r.source().ageBefore}), true
		case renew:
			var same bool
			c, same = c.renew(candidate{r, r.source().ageBefore}, candidate{r, r.source().age})
			seen = seen || !same
		}
	}
	for _, o := range ops {
		if r := of.records[o.index]; o.verb == add {
			c, seen = c.add(candidate{r, r.source().age}), true
		}
	}
	return outcomeOf(c, ops[0].number, seen)
}

// electFirst is elect where at most one slice had the place. That its slice became newer or older changes nothing.
func electFirst(before *item, of *opList, ops []spot) outcome {
	var stays *record
	if before != nil {
		stays = before.record
	}
	adds := 0
	for _, o := range ops {
		switch o.verb {
		case remove:
			stays = nil
		case add:
			adds++
		}
	}
	if stays != nil && adds == 0 {
		return outcome{item: *before}
	}
	var c contest[candidate]
	if stays != nil {
		c = c.add(candidate{stays, stays.source().age})
	}
	for _, o := range ops {
		switch r := of.records[o.index]; {
		case o.verb != add:
		case adds == 1 && stays == nil:
			return outcome{item: item{record: r, number: o.number}, changed: true, seen: true}
		default:
			c = c.add(candidate{r, r.source().age})
		}
	}
	return outcomeOf(c, ops[0].number, true)
}

func outcomeOf(c contest[candidate], number uint16, seen bool) outcome {
	o := outcome{changed: true, seen: seen}
	if !c.claims.Empty() {
		o.item, o.contest = item{record: c.winner().record, number: number, disputed: !c.claims.Single()}, c
	}
	return o
}
