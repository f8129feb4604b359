package dedup

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// item is one endpoint of a service port: the record that won, and those that lost.
type item struct {
	host   host
	number uint16
	record *record
	lost   *contest // nil for most
}

func (it *item) endpoint() Endpoint { return it.record.endpoint(it.number) }

// compareItems orders by address, then by port number.
func compareItems(a, b *item) int {
	if a.host != b.host {
		return a.host.compare(b.host)
	}
	if a.host == (host{}) {
		if c := compareHosts(a.record, b.record); c != 0 {
			return c
		}
	}
	return int(a.number) - int(b.number)
}

// port is a service port while events change it.
type port struct {
	name      ServicePort
	slices    int  // how many hold it
	known     bool // the last view has it
	items     sorted[item]
	contested int     // items with losers
	ops       *opList // nil if nothing was noted
}

func (p *port) note(t *tools, verb opVerb, number uint16, records []*record) {
	if len(records) == 0 {
		return
	}
	if p.ops == nil {
		p.ops = t.opList()
	}
	p.ops.add(verb, number, records)
}

// flush applies what was noted, and adds to d, unless it is nil, what it changes. It reports whether the items are
// others now.
func (p *port) flush(ix *Index, t *tools, d *Delta) bool {
	if p.ops == nil {
		return false
	}
	t.editor.begin(p.items, len(p.ops.ops))
	changed, fills := false, p.items.size == 0
	for ops := p.ops.sort(); len(ops) > 0; {
		n := p.ops.next(ops)
		t.place = item{host: ops[0].host, number: ops[0].number, record: p.ops.records[ops[0].index]}
		var before, after *item
		if fills && n == 1 {
			after = &t.place
		} else {
			before = p.items.find(&t.place, compareItems)
			t.gather(before, p.ops, ops[:n])
			after = t.elect(before, p.name.Service.Namespace, ix.held)
		}
		if p.edit(&t.editor, before, after, &t.place) {
			changed = true
		}
		if d != nil {
			d.note(before, after, ix.significant)
		}
		ops = ops[n:]
	}
	t.recycle(p.ops)
	p.ops = nil
	if items := t.editor.end(); changed {
		p.items = items
	}
	return changed
}

// edit puts after in the place of before, either of them nil where there is none, and reports whether they differ.
func (p *port) edit(ed *editor[item], before, after, place *item) bool {
	if before != nil && before.lost != nil {
		p.contested--
	}
	if after != nil && after.lost != nil {
		p.contested++
	}
	switch {
	case after != nil && (before == nil || *before != *after):
		ed.put(after)
	case after == nil && before != nil:
		ed.remove(place)
	default:
		return false
	}
	return true
}

// gather collects the records that slices now hold at the place of before, nil where there was none.
func (t *tools) gather(before *item, list *opList, ops []op) {
	t.candidates = t.candidates[:0]
	if before != nil {
		t.candidates = append(t.candidates, candidate{record: before.record})
		if before.lost != nil {
			for _, l := range before.lost.losers {
				t.candidates = append(t.candidates, candidate{record: l.record})
			}
		}
	}
	for i := range ops {
		switch r := list.records[ops[i].index]; ops[i].verb {
		case opAdd:
			t.candidates = append(t.candidates, candidate{record: r})
		case opRemove:
			t.removed[r] = true
		}
	}
	t.candidates = slices.DeleteFunc(t.candidates, func(c candidate) bool { return t.removed[c.record] })
	clear(t.removed)
}

// elect returns the item that the candidates make in the place of before, nil if there are none. It is scratch.
func (t *tools) elect(before *item, namespace string, held map[types.NamespacedName]*holding) *item {
	if len(t.candidates) == 0 {
		return nil
	}
	t.elected = item{host: t.place.host, number: t.place.number}
	if len(t.candidates) > 1 {
		for i := range t.candidates {
			c := &t.candidates[i]
			c.age = held[types.NamespacedName{Namespace: namespace, Name: c.record.source.slice}].age
		}
		decide(t.candidates)
		losers := make([]loser, 0, len(t.candidates)-1)
		for _, c := range t.candidates[1:] {
			losers = append(losers, loser{record: c.record, why: c.why})
		}
		t.elected.lost = &contest{losers: losers}
		if before != nil && before.lost != nil && slices.Equal(before.lost.losers, losers) {
			t.elected.lost = before.lost
		}
	}
	t.elected.record = t.candidates[0].record
	return &t.elected
}
