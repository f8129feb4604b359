package derived

import (
	"fmt"
	"os"
	"strings"
)

// Equivalent is a mutant that changes nothing that a caller can observe, and why.
type Equivalent struct {
	At   string // file and line of the list
	File string
	Func string // anyFunc: all mutants of the file, with neither Kind nor Text
	Kind Kind
	Text string
	Why  string
}

// anyFunc stands for all functions of a file that computes nothing which anybody reads.
const anyFunc = "*"

// Is says that the mutant is this one. Lines do not count, so that code around it may change.
func (e Equivalent) Is(m Mutant) bool {
	if e.Func == anyFunc {
		return e.File == m.File
	}
	return e.File == m.File && e.Func == m.Func && e.Kind == m.Kind && e.Text == m.Text
}

// ReadEquivalent reads a list. Each entry is two lines, the mutant as the tool prints it, without its line, and the
// reason; empty lines and those that start with # are for the reader:
//
//	transport.go bound: constant: 1
//	    The bound only has to be above every sum.
//
// A * instead of the function, kind and text stands for all mutants of the file.
func ReadEquivalent(path string) ([]Equivalent, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Equivalent
	for i, line := range strings.Split(string(text), "\n") {
		at := fmt.Sprintf("%s:%d", path, i+1)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "    "):
			if len(list) == 0 {
				return nil, fmt.Errorf("%s: a reason without a mutant", at)
			}
			last := &list[len(list)-1]
			last.Why = strings.TrimSpace(last.Why + " " + strings.TrimSpace(line))
		default:
			e := Equivalent{At: at}
			place, rest, ok1 := strings.Cut(line, ": ")
			kind, text, ok2 := strings.Cut(rest, ": ")
			var ok3 bool
			e.File, e.Func, ok3 = strings.Cut(place, " ")
			wholeFile := ok3 && e.Func == anyFunc && !ok1
			if e.Kind, e.Text = Kind(kind), text; !wholeFile && (!ok1 || !ok2 || !ok3) {
				return nil, fmt.Errorf("%s: want file function: kind: text", at)
			}
			list = append(list, e)
		}
	}
	for _, e := range list {
		if e.Why == "" {
			return nil, fmt.Errorf("%s: no reason", e.At)
		}
	}
	return list, nil
}
