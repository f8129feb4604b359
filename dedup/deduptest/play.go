package deduptest

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/kit"
)

// play sends the events of a history to a new reader, and writes failures to the log.
func (k *suite) play(h kit.History, l *kit.Log) {
	p := &player{
		kit: k, log: l,
		kept: map[*discoveryv1.EndpointSlice]*discoveryv1.EndpointSlice{},
		read: map[*discoveryv1.EndpointSlice][]claim{},
	}
	p.reader = p.restart()
	texts, moments := live(h)
	p.texts = texts
	for _, m := range moments {
		p.kept[m.event.Old], p.kept[m.event.New] = m.event.Old.DeepCopy(), m.event.New.DeepCopy()
	}
	// During the setup, See is not called, so that the reader gets several events at once.
	first := slices.IndexFunc(moments, func(m moment) bool { return m.step >= len(h.Setup) })
	var s sight
	for i := range moments {
		m := &moments[i]
		if i == first {
			s.again = p.see()
			if i > 0 {
				s.is = p.ledger(moments[i-1].known)
			}
		}
		p.line(m)
		if came := p.tell(m); i >= first {
			s = p.look(m, s, came)
		}
	}
	for _, m := range moments {
		p.pure(m.event)
	}
	if len(moments) > 0 && k.Judges("same-list") {
		p.reader = p.restart()
		p.retell(moments[len(moments)-1].known)
		if text := difference(p.see(), s.again); text != "" {
			p.blames("same-list", "seen", s.again)("a new reader of the same slices gives another list: %s", text)
		}
	}
}

// look asks the reader what it shows after an event, and judges it. came says that the reader has
// handled the event.
func (p *player) look(m *moment, last sight, came bool) sight {
	s := sight{now: p.see(), again: p.see(), before: last.again, was: last.is, is: p.ledger(m.known)}
	s.places = places(s.now)
	if !came {
		s.before = s.now
	}
	for _, j := range judges {
		if p.kit.Judges(j.guarantee) {
			j.judge(p.kit, m, s.is, s, p.blames(j.guarantee, "seen", s.now))
		}
	}
	p.use(s.is, s.places)
	p.pure(m.event)
	return s
}

// player sends the events of one history to a reader.
type player struct {
	kit    *suite
	log    *kit.Log
	texts  []string // the texts of the steps
	next   int      // the first step whose text is not printed yet
	reader Reader
	kept   map[*discoveryv1.EndpointSlice]*discoveryv1.EndpointSlice // copies of the slices of events
	read   map[*discoveryv1.EndpointSlice][]claim
}

// line prints what happens in a moment.
func (p *player) line(m *moment) {
	for ; p.next <= m.step; p.next++ {
		p.log.Line("  %d. %s", p.next+1, p.texts[p.next])
	}
	p.log.Line("      %s", kit.Text(func() string { return eventText(&m.event) }))
}

// ledger returns the ledger of what is known. It reads each version of a slice only once.
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

// blames returns a function that writes a failure of a guarantee to the log, with a list of what
// was seen.
func (p *player) blames(guarantee, intro string, seen []Seen) blame {
	return func(format, text string) {
		p.log.FailWith(func() (lines []string) {
			intro := "  " + intro + ":"
			if len(seen) == 0 {
				return []string{intro + " nothing"}
			}
			for _, s := range sorted(seen) {
				lines = append(lines, intro+" "+s.text())
				intro = strings.Repeat(" ", len(intro))
			}
			return lines
		}, guarantee, format, text)
	}
}

// tell sends an event to the reader. It returns false if the reader panicked.
func (p *player) tell(m *moment) bool {
	e := m.event
	if p.guard("Event", func() { p.reader.Event(e) }) {
		return true
	}
	p.reader = p.restart() // go on with a new reader, so that a panic hides no other failure
	p.retell(m.known)
	return false
}

// guard calls a function of the reader. It returns false if the function panicked.
func (p *player) guard(name kit.Word, call func()) (ok bool) {
	p.log.Beat()
	defer func() {
		if r := recover(); r != nil {
			p.log.Fail(kit.NoPanic, "%s panics: %v, in %s", name, r, kit.Panicked())
		}
	}()
	call()
	return true
}

// restart starts a new reader. If start panics, it returns a reader that does nothing.
func (p *player) restart() Reader {
	r := Reader{Event: func(Event) {}, See: func() []Seen { return nil }}
	p.guard("start", func() { r = p.kit.start() })
	return r
}

// retell sends the existing slices to a new reader.
func (p *player) retell(known knowledge) {
	for _, name := range sortedNames(known) {
		if slice := known[name][0]; slice != nil {
			p.guard("Event", func() { p.reader.Event(Event{New: slice.DeepCopy()}) })
		}
	}
}

func (p *player) see() (list []Seen) {
	p.guard("See", func() { list = slices.Clone(p.reader.See()) })
	p.kit.shown = p.kit.shown || len(list) > 0
	return list
}

func (p *player) use(l ledger, seen map[Seen]bool) {
	if p.reader.Use == nil {
		return
	}
	for _, at := range clients {
		var used []Seen
		if p.guard("Use", func() { used = slices.Clone(p.reader.Use(at)) }) {
			judgeHints(l, seen, used, at, p.blames("hints", "used on "+at.NodeName+" in "+at.Zone, used))
		}
	}
}

// pure compares the slices of an event with their copies. A slice that the reader changed is
// restored, so that the change hides no other failure.
func (p *player) pure(e Event) {
	for _, slice := range []*discoveryv1.EndpointSlice{e.Old, e.New} {
		if kept := p.kept[slice]; !reflect.DeepEqual(slice, kept) {
			p.log.Fail("pure", "the reader changed slice %s/%s", kept.Namespace, kept.Name)
			*slice = *kept.DeepCopy()
		}
	}
}

func eventText(e *Event) string {
	switch {
	case e.New == nil && e.Tombstone:
		return "deleted, tombstone " + sliceText(e.Old)
	case e.New == nil:
		return "deleted " + e.Old.Namespace + "/" + e.Old.Name
	case e.Old == nil:
		return "added " + sliceText(e.New)
	default:
		return "updated " + sliceText(e.New)
	}
}

// sliceText returns "namespace/name of Service type rv=version | ports | endpoints", in the
// notation of plans.
func sliceText(slice *discoveryv1.EndpointSlice) string {
	shown := slice.DeepCopy()
	for i := range shown.Endpoints {
		leaveOut(&shown.Endpoints[i].Conditions)
	}
	service := cmp.Or(shown.Labels[discoveryv1.LabelServiceName], "no Service")
	return fmt.Sprintf("%s/%s of %s %s rv=%s | %s | %s", shown.Namespace, shown.Name, service,
		notation.AddressType(shown.AddressType), shown.ResourceVersion, notation.Ports(shown.Ports),
		notation.Endpoints(shown.Endpoints, shown.Namespace))
}
