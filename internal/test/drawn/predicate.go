package drawn

import (
	"testing"

	"pgregory.net/rapid"
)

// Event is an object that changes, in a drawn case.
type Event[T any] struct {
	Old *T
	// Copy returns a deep copy.
	Copy func(*T) *T
	// Matters is the predicate that is tested: whether a change of Old to another object needs a
	// sync.
	Matters func(to *T) bool
	// Result is all that the library returns with an object in Old's place, as text.
	Result func(*T) string
}

// Predicate checks an event predicate against what the library reads, for every field of the
// object, also for fields that no one has thought of. A change for which the predicate says no must
// not change the result. A field for which it says yes must change the result in some case; those
// in unseen need not, with their path. The predicate's name goes into the messages.
func Predicate[T any](t *testing.T, name string, n int, draw func(*rapid.T) *Event[T], unseen ...string) {
	t.Helper()
	p := predicate[T]{leaves: Leaves[T](), matters: map[string]bool{}, shown: map[string]bool{},
		culprits: map[string]bool{}}
	for _, path := range unseen {
		p.shown[path] = true
	}
	drawn := rapid.Custom(draw)
	for i := range n {
		if e := drawn.Example(i); e != nil {
			p.check(e, i)
		}
	}
	for _, l := range p.leaves {
		if p.culprits[l.Path] {
			t.Errorf("the result changes with %s, and %s does not compare it", l.Path, name)
		}
		if p.matters[l.Path] && !p.shown[l.Path] {
			t.Errorf("%s compares %s, and no result of %d cases changes with it: remove the comparison, or draw a "+
				"case that shows it",
				name, l.Path, n)
		}
	}
}

type predicate[T any] struct {
	leaves                   []Leaf
	matters, shown, culprits map[string]bool
}

// check edits each field in one of its ways. Edits that do not matter are made all at once, and
// singly only if the result changes.
func (p *predicate[T]) check(e *Event[T], turn int) {
	before := e.Result(e.Copy(e.Old))
	edited := func(l Leaf) *T {
		to := e.Copy(e.Old)
		l.Edit(to, turn%l.Variants())
		return to
	}
	idle := p.leaves[:0:0]
	for _, l := range p.leaves {
		to, way := edited(l), e.Copy(e.Old)
		if !e.Matters(to) {
			idle = append(idle, l)
		} else if l.find(way); !e.Matters(way) { // otherwise the item that the edit makes is a leaf of its own
			p.matters[l.Path] = true
			p.shown[l.Path] = p.shown[l.Path] || e.Result(to) != before
		}
	}
	p.together(e, turn, idle, before)
}

// together makes edits that do not matter, all at once, or in two halves if they matter together or
// change the result.
func (p *predicate[T]) together(e *Event[T], turn int, idle []Leaf, before string) {
	if len(idle) == 0 {
		return
	}
	to := e.Copy(e.Old)
	for _, l := range idle {
		l.Edit(to, turn%l.Variants())
	}
	switch matters := e.Matters(to); {
	case !matters && e.Result(to) == before:
	case len(idle) == 1:
		p.culprits[idle[0].Path] = true
	default:
		p.together(e, turn, idle[:len(idle)/2], before)
		p.together(e, turn, idle[len(idle)/2:], before)
	}
}
