package layout_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/scenario"
	. "github.com/slicewright/slicewright/slicer/internal/layout"
)

// TestScenarios runs the scenarios of testdata. The notation is that of the package comment, with a name for each group and slice:
//
//	fill max=4                       or with: nocreates, compact, dissolve-up-to=2, no-placeholder
//	A s1*[a b c] s2[d] +[e f]        group A has a written slice and a clean one; e and f have no place
//	idle s3:A[e x] s4*               idle slices and what they hold; s3 has the ports of A, s4 has another label
//	gone s5[y]                       nobody wants the address type
//	----
//	A s1*[a b c f] s2[d] s3*[e]      s3 is re-used
//	deleted s4 s5
//
// A slice to be created is shown as new.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/*.txt", func() scenario.Handler { return answerTo }, func(string) bool { return true })
}

// named is a world with the names of its groups and slices. An identity is its letter.
type named struct {
	world
	groups, names []string
	none          Demand // what is wanted where there are no items
}

var sliceWords = regexp.MustCompile(`(\w*)(\*|\+)?(?::(\w+))?(?:\[([^]]*)\])?`)

func answerTo(c scenario.Command) (string, error) {
	s := &named{none: Placeholder}
	for _, word := range c.Args {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "max":
			s.rules.Max, s.rules.DissolveUpTo = n, n
		case "dissolve-up-to":
			s.rules.DissolveUpTo = n
		case "nocreates":
			s.rules.NoCreates = true
		case "compact":
			s.rules.Compact = true
		case "no-placeholder":
			s.none = Nothing
		default:
			return "", fmt.Errorf("unknown option %s", word)
		}
	}
	for _, line := range c.Block {
		if name := strings.Fields(line)[0]; name != "idle" && name != "gone" {
			s.groups, s.classes = append(s.groups, name), append(s.classes, 0)
		}
	}
	for _, line := range c.Block {
		name, rest, _ := strings.Cut(line, " ")
		for _, m := range sliceWords.FindAllStringSubmatch(rest, -1) {
			if m[0] != "" {
				s.word(name, m)
			}
		}
	}
	s.demand([]Demand{s.none})
	var l Layout
	s.begin(&l)
	l.Fill(s.rules, s.demands, s)
	return s.show(&l), nil
}

func (s *named) word(line string, m []string) {
	var ids []int32
	for _, letter := range strings.Fields(m[4]) {
		ids = append(ids, int32(letter[0]))
	}
	g := int32(slices.Index(s.groups, line))
	if m[2] == "+" {
		for _, id := range ids {
			s.items = append(s.items, item{g, id, Nowhere})
		}
		return
	}
	s.names = append(s.names, m[1])
	of := Slice{Group: g, Ports: g, Written: m[2] == "*"}
	if g == None {
		of.Ports = int32(slices.Index(s.groups, m[3]))
		for distance, differs := range map[int32]bool{1: of.Written, 2: m[3] != "", 4: len(ids) > 0} {
			if differs {
				of.Unlike += distance
			}
		}
		if line == "gone" {
			of.Class = None
		}
		s.add(of, ids, nil)
		return
	}
	s.add(of, ids, ids)
}

func (s *named) show(l *Layout) string {
	lines := make([]string, len(s.groups))
	notes := map[string]string{}
	show := func(name string, at Place, group int32, mark string, outcome Outcome) {
		var letters []string
		for id := range int32(128) {
			if i := s.At(id, group); i != None && l.Places[i] == at {
				letters = append(letters, string(rune(id)))
			}
		}
		switch {
		case outcome == Deleted:
			notes["deleted"] += " " + name
		case group == None:
			notes["placeholder"] += " " + name + mark
		default:
			lines[group] += fmt.Sprintf(" %s%s[%s]", name, mark, strings.Join(letters, " "))
		}
	}
	for i, of := range l.Slices {
		mark := map[bool]string{true: "*"}[of.Written]
		show(s.names[i], Place(i), of.Group, mark, of.Outcome)
		if of.Dissolved {
			notes["dissolved"] += " " + s.names[i]
		}
	}
	for i, c := range l.Creates {
		show("new", Created(i), c.Group, "", Kept)
	}
	for g := range s.groups {
		show("nowhere", Nowhere, int32(g), "", Kept)
		lines[g] = s.groups[g] + strings.TrimSuffix(lines[g], " nowhere[]")
	}
	for _, note := range []string{"placeholder", "dissolved", "deleted"} {
		if notes[note] != "" {
			lines = append(lines, note+notes[note])
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
