package derived

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind is what a mutant does.
type Kind string

// The kinds.
const (
	Negated    Kind = "negated"         // a condition, or a bool that is returned or assigned
	Never      Kind = "never"           // the condition of an if, a for or a case is false
	Operand    Kind = "operand dropped" // of && or ||
	Connective Kind = "and/or"          // && for ||, and the reverse
	Boundary   Kind = "boundary"        // < for <=, > for >=, and the reverse
	Operator   Kind = "operator"        // - for +, / for *, & for |, and the reverse
	Constant   Kind = "constant"        // an integer is one more, true is false
	Case       Kind = "case dropped"    // a value of a switch never matches
	Statement  Kind = "dropped"         // a statement is left out
	Field      Kind = "field dropped"   // a field of a composite literal is zero
	Zero       Kind = "returns zero"    // a function returns zero values
)

// Mutant is one change of the code.
type Mutant struct {
	ID   int // how the test binary calls it; above 0
	Kind Kind
	File string // its base name
	Func string // name of the function, with its receiver's type; "" for a package variable
	Line int
	Text string // what is changed, on one line and shortened

	lines int // how many more the change reaches over
	edits []edit
}

// String is the mutant in one line.
func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s: %s", m.File, m.Line, m.Func, m.Kind, m.Text)
}

// edit replaces bytes of a file. Insertions at one offset are nested by their width: that of the node they surround.
type edit struct {
	offset, end int // what is replaced; equal for an insertion
	text        string
	width       int
	closes      bool // it ends a node, so it comes before what starts there, inner nodes first
	inner       bool // it turns an operator into a call, so it is inside of all that surrounds the same node
	order       int  // of mutants of the same node: the first one is the innermost
}

// around surrounds a node.
func around(from, to int, before, after string) []edit {
	return []edit{
		{offset: from, end: from, text: before, width: to - from},
		{offset: to, end: to, text: after, width: to - from, closes: true},
	}
}

// apply makes the edits of all mutants in the text of their file.
func apply(text []byte, mutants []Mutant) []byte {
	var all []edit
	for i, m := range mutants {
		for _, e := range m.edits {
			if e.order = i + 1; e.inner {
				e.order = 0
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b edit) int {
		switch {
		case a.offset != b.offset:
			return cmp.Compare(a.offset, b.offset)
		case a.closes != b.closes:
			return compareBools(b.closes, a.closes)
		case a.closes:
			return cmp.Or(cmp.Compare(a.width, b.width), cmp.Compare(a.order, b.order))
		default:
			return cmp.Or(cmp.Compare(b.width, a.width), cmp.Compare(b.order, a.order))
		}
	})
	var out []byte
	at := 0
	for _, e := range all {
		out = append(out, text[at:e.offset]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, text[at:]...)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// oneLine shortens a text and joins its lines.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 100
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
