package dedup

import "github.com/slicewright/slicewright/dedup/internal/persist"

// port is a service port while events change it.
type port struct {
	name     ServicePort
	slices   int  // how many have it
	known    bool // the last view has it
	items    persist.Sorted[item]
	disputes persist.Sorted[dispute]
	ops      *opList // nil if nothing was noted
	isDirty  bool
}

// show puts the port as it is now into a view, or takes it out.
func (p *port) show(ports *persist.Editor[portView]) {
	view := portView{name: p.name, items: p.items, disputes: p.disputes}
	if p.slices > 0 {
		ports.Put(&view)
	} else {
		ports.Remove(&view)
	}
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

// flush does what was noted, and adds to d what it changes. It reports whether readers can see a change.
func (p *port) flush(t *scratch, d *Delta) bool {
	if p.ops == nil {
		return false
	}
	e := t.portEditor(p, len(p.ops.list))
	changed, fills := false, p.items.Len() == 0 // if it fills, all that is there in the end was added
	names := p.ops.compareNames
	ops := p.ops.sort(names)
	for len(ops) > 0 {
		n := same(ops, names)
		e.place = item{record: p.ops.records[ops[0].index], number: ops[0].number}
		if fills && n == 1 {
			e.items.Put(&e.place)
			changed = true
		} else {
			before := p.items.Find(&e.place, compareItems)
			after := p.elect(before, p.ops, ops[:n])
			changed = changed || after.seen
			if after.changed {
				e.edit(before, &after)
				if !fills {
					d.note(before, after.shown())
				}
			}
		}
		ops = ops[n:]
	}
	t.recycle(p.ops)
	p.ops = nil
	p.items, p.disputes = e.end(p.disputes)
	if fills {
		d.added = p.items.Chunks()
	}
	return changed
}

// portEditor makes new versions of a port's items and disputes. Places come in order.
type portEditor struct {
	items    persist.Editor[item]
	disputes persist.Editor[dispute]
	begun    bool // disputes is
	old      persist.Sorted[dispute]
	puts     int // at most
	place    item
}

func (t *scratch) portEditor(p *port, puts int) *portEditor {
	e := &t.editor
	e.items.Begin(p.items, puts)
	e.old, e.puts = p.disputes, puts
	return e
}

// edit puts what an election found in the place of before, nil for nothing.
func (e *portEditor) edit(before *item, after *outcome) {
	if after.item.disputed || before != nil && before.disputed {
		if !e.begun {
			e.disputes.Begin(e.old, e.puts)
			e.begun = true
		}
		if d := (dispute{after.item, after.contest}); after.item.disputed {
			e.disputes.Put(&d)
		} else {
			e.disputes.Remove(&dispute{item: *before})
		}
	}
	switch {
	case after.item.record == nil:
		e.items.Remove(&e.place)
	case before == nil || *before != after.item:
		e.items.Put(&after.item)
	}
}

// end returns the new versions.
func (e *portEditor) end(disputes persist.Sorted[dispute]) (persist.Sorted[item], persist.Sorted[dispute]) {
	if e.begun {
		disputes = e.disputes.End()
	}
	e.begun, e.old, e.place = false, persist.Sorted[dispute]{}, item{}
	return e.items.End(), disputes
}
