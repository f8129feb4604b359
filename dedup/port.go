package dedup

// item is one endpoint of a service port: the record that won, and all claims to its place.
type item struct {
	host    host
	number  uint16
	record  *record
	contest *contest[candidate] // nil where one slice has the place, as for most
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
	slices    int  // how many have it
	known     bool // the last view has it
	items     sorted[item]
	contested int     // items with a contest
	ops       *opList // nil if nothing was noted
}

func (p *port) note(t *scratch, v verb, number uint16, records []*record) {
	if len(records) == 0 {
		return
	}
	if p.ops == nil {
		p.ops = t.opList()
	}
	p.ops.add(v, number, records)
}

// flush does what was noted, and adds to d, unless it is nil, what it changes. It reports whether readers can see a change.
func (p *port) flush(t *scratch, d *Delta, significant Fields) bool {
	if p.ops == nil {
		return false
	}
	t.editor.begin(p.items, len(p.ops.list))
	changed, fills := false, p.items.size == 0
	names := p.ops.compareNames
	for ops := p.ops.sort(names); len(ops) > 0; {
		n := same(ops, names)
		t.place = item{host: ops[0].host, number: ops[0].number, record: p.ops.records[ops[0].index]}
		before, after, seen := (*item)(nil), &t.place, true
		if !fills || n > 1 {
			before = p.items.find(&t.place, compareItems)
			after, seen = t.elect(before, p.ops, ops[:n])
		}
		changed = changed || seen
		if after != before {
			p.edit(&t.editor, before, after, &t.place)
			if d != nil {
				d.note(before, after, significant)
			}
		}
		ops = ops[n:]
	}
	t.recycle(p.ops)
	p.ops = nil
	p.items = t.editor.end()
	return changed
}

// edit puts after in the place of before, either of them nil where there is none.
func (p *port) edit(ed *editor[item], before, after, place *item) {
	if before != nil && before.contest != nil {
		p.contested--
	}
	if after != nil && after.contest != nil {
		p.contested++
	}
	if after != nil {
		ed.put(after)
	} else {
		ed.remove(place)
	}
}
