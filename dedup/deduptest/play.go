package deduptest

import (
	"fmt"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// fault is the first time that a history shows a guarantee to fail.
type fault struct {
	moment int // index; the number of moments: after all of them
	text   string
	seen   []Seen
}

// play tells a history's moments to a new reader, and returns what fails.
func play(moments []moment, start func() Reader, o *Options) map[Guarantee]fault {
	p := &player{
		start: start, faults: map[Guarantee]fault{},
		kept: map[*discoveryv1.EndpointSlice]*discoveryv1.EndpointSlice{}, read: map[*discoveryv1.EndpointSlice][]claim{},
	}
	p.reader = p.restart()
	var before []Seen
	var was ledger
	for i := range moments {
		p.at = i
		m := &moments[i]
		if i == 0 || moments[i-1].quiet {
			before = p.see()
			if i > 0 {
				was = p.ledger(moments[i-1].known)
			}
		}
		came := p.tell(m)
		if m.quiet && i < len(moments)-1 {
			continue
		}
		s := sight{now: p.see(), again: p.see(), before: before, was: was}
		s.places = places(s.now)
		if !came {
			s.before = s.now
		}
		l := p.ledger(m.known)
		before, was = s.again, l
		for _, g := range o.judged() {
			if judge := judges[g]; judge != nil {
				p.fail(g, judge(m, l, s, o.Shows), s.now)
			}
		}
		p.use(l, s.places)
		p.pure(m.event.Old, m.event.New)
	}
	p.pure(p.told...)
	if len(moments) > 0 && slices.Contains(o.Also, SameList) {
		p.at = len(moments)
		p.reader = p.restart()
		p.retell(moments[len(moments)-1].known)
		fresh := p.see()
		p.fail(SameList, judgeFresh(before, fresh), before)
	}
	return p.faults
}

// player is a reader while it is told a history.
type player struct {
	start  func() Reader
	reader Reader
	at     int
	faults map[Guarantee]fault
	told   []*discoveryv1.EndpointSlice                              // the slices of events, in this order
	kept   map[*discoveryv1.EndpointSlice]*discoveryv1.EndpointSlice // a copy of each
	read   map[*discoveryv1.EndpointSlice][]claim
}

// ledger reads each version of a slice once.
func (p *player) ledger(known knowledge) ledger {
	return ledgerOf(known, func(slice *discoveryv1.EndpointSlice) []claim {
		list, found := p.read[slice]
		if !found {
			list = claimsOf(slice)
			p.read[slice] = list
		}
		return list
	})
}

func (p *player) fail(g Guarantee, text string, seen []Seen) {
	if _, failed := p.faults[g]; !failed && text != "" {
		p.faults[g] = fault{moment: p.at, text: text, seen: sorted(seen)}
	}
}

// tell calls the reader, and reports whether it came back.
func (p *player) tell(m *moment) bool {
	p.keep(m.event.Old, m.event.New)
	e := m.event
	if p.guard("Event", func() { p.reader.Event(e) }) {
		return true
	}
	p.reader = p.restart() // go on with another one, so that a panic hides nothing else
	p.retell(m.known)
	return false
}

// guard reports whether a call of the reader's came back.
func (p *player) guard(name string, call func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			p.fail(NoPanic, fmt.Sprintf("%s panics: %v", name, r), nil)
		}
	}()
	call()
	return true
}

// restart makes a new reader. One that cannot be made does nothing.
func (p *player) restart() Reader {
	r := Reader{Event: func(Event) {}, See: func() []Seen { return nil }}
	p.guard("start", func() { r = p.start() })
	return r
}

// retell tells a new reader the slices that there are.
func (p *player) retell(known knowledge) {
	for _, name := range sortedNames(known) {
		if slice := known[name][0]; slice != nil {
			p.guard("Event", func() { p.reader.Event(Event{Type: Added, New: slice.DeepCopy()}) })
		}
	}
}

func (p *player) see() (list []Seen) {
	p.guard("See", func() { list = slices.Clone(p.reader.See()) })
	return list
}

func (p *player) use(l ledger, seen map[Seen]bool) {
	if p.reader.Use == nil {
		return
	}
	for _, zone := range append(slices.Clone(zones), "zone-c") {
		var used []Seen
		if p.guard("Use", func() { used = slices.Clone(p.reader.Use(zone)) }) {
			p.fail(Hints, judgeHints(l, seen, used, zone), used)
		}
	}
}

// keep remembers what slices are before a reader is told them.
func (p *player) keep(list ...*discoveryv1.EndpointSlice) {
	for _, slice := range list {
		if slice != nil && p.kept[slice] == nil {
			p.told = append(p.told, slice)
			p.kept[slice] = slice.DeepCopy()
		}
	}
}

// pure holds slices that a reader was told to their copies. One that was changed is mended, so that the change hides nothing
// else. A nil slice is none.
func (p *player) pure(list ...*discoveryv1.EndpointSlice) {
	for _, slice := range list {
		if kept := p.kept[slice]; kept != nil && !reflect.DeepEqual(slice, kept) {
			p.fail(Pure, fmt.Sprintf("the reader changed slice %s/%s", kept.Namespace, kept.Name), nil)
			*slice = *kept.DeepCopy()
		}
	}
}
