package packing_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/scenario"
	. "github.com/slicewright/slicewright/slicer/internal/packing"
)

// TestStories runs the stories of testdata. The notation:
//
//	place max=4                      or: place max=4 nocreates, join max=4 dissolve-up-to=2
//	A s1*[3] s2[1] +5                group A has a written slice with 3 endpoints and a clean one with 1; 5 are unassigned
//	idle s3 s4:A                     idle slices; s4 has the ports of A
//	overlap s3:A=2                   s3 holds 2 of the unassigned endpoints of A
//	----
//	A s1*[3+1] s2[1] s3*[0+4]        s1 takes one more, s2 is not written, s3 is re-used
//	deleted s4
//	3 writes, 3 slices
//
// A new slice is shown as new*[0+4].
func TestStories(t *testing.T) {
	scenario.Run(t, "testdata/*.txt", func() scenario.Handler { return answerTo }, func(string) bool { return true })
}

// story is a problem with the names of its groups and slices.
type story struct {
	problem        Problem
	join           bool
	dissolveUpTo   int
	groups, slices []string
	overlaps       []Overlap
}

func answerTo(c scenario.Command) (string, error) {
	s := &story{}
	if err := s.read(c); err != nil {
		return "", err
	}
	s.problem = afterSurplus(s.problem)
	joined := Joined{Problem: s.problem}
	if s.join {
		joined = Join(s.problem, s.dissolveUpTo)
	}
	deals := Place(joined.Problem, func() []Overlap { return s.overlaps })
	return s.show(joined, apply(s.problem, joined, deals)), nil
}

func (s *story) read(c scenario.Command) error {
	if err := s.command(c.Name, c.Args); err != nil {
		return err
	}
	for _, line := range c.Block { // groups first, since idle slices may come earlier
		if name := strings.Fields(line)[0]; name != "idle" && name != "overlap" {
			s.groups = append(s.groups, name)
			s.problem.Groups = append(s.problem.Groups, Group{})
		}
	}
	for _, line := range c.Block {
		words := strings.Fields(line)
		for _, word := range words[1:] {
			if err := s.word(words[0], word); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *story) command(command string, words []string) error {
	s.join = command == "join"
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		switch {
		case word == "nocreates":
			s.problem.NoCreates = true
		case err != nil:
			return fmt.Errorf("%s: %w", word, err)
		case name == "max":
			s.problem.Max, s.dissolveUpTo = n, n
		case name == "dissolve-up-to":
			s.dissolveUpTo = n
		default:
			return fmt.Errorf("unknown option %s", word)
		}
	}
	if command != "join" && command != "place" {
		return fmt.Errorf("unknown command %s", command)
	}
	return nil
}

var (
	sliceWord   = regexp.MustCompile(`^(\w+)(\*?)\[(\d+)\]$`)
	idleWord    = regexp.MustCompile(`^(\w+)(?::(\w+))?$`)
	overlapWord = regexp.MustCompile(`^(\w+):(\w+)=(\d+)$`)
)

func (s *story) word(line, word string) error {
	p := &s.problem
	if m := idleWord.FindStringSubmatch(word); line == "idle" && m != nil {
		s.slices = append(s.slices, m[1])
		p.Slices = append(p.Slices, Slice{Group: None, Ports: slices.Index(s.groups, m[2])})
		return nil
	}
	if m := overlapWord.FindStringSubmatch(word); line == "overlap" && m != nil {
		count, err := strconv.Atoi(m[3])
		s.overlaps = append(s.overlaps, Overlap{slices.Index(s.slices, m[1]), slices.Index(s.groups, m[2]), count})
		return err
	}
	g := slices.Index(s.groups, line)
	if m := sliceWord.FindStringSubmatch(word); g >= 0 && m != nil {
		homes, err := strconv.Atoi(m[3])
		s.slices = append(s.slices, m[1])
		p.Slices = append(p.Slices, Slice{Group: g, Ports: g, Homes: homes, Written: m[2] == "*"})
		return err
	}
	if n, err := strconv.Atoi(word); g >= 0 && err == nil && word[0] == '+' {
		p.Groups[g].Unassigned = n
		return nil
	}
	return fmt.Errorf("cannot read %s in the line of %s", word, line)
}

func (s *story) show(joined Joined, o outcome) string {
	var lines []string
	for g, name := range s.groups {
		line := name
		for i, f := range o.fates {
			if f.group == g {
				line += " " + s.showSlice(i, f)
			}
		}
		if n := o.unplaced[g]; n > 0 {
			line += fmt.Sprintf(" unplaced %d", n)
		}
		lines = append(lines, line)
	}
	list := func(what string, has func(i int) bool) {
		for i := range s.slices {
			if has(i) {
				what += " " + s.slices[i]
			}
		}
		if strings.Contains(what, " ") {
			lines = append(lines, what)
		}
	}
	list("dissolved", func(i int) bool { return slices.Contains(joined.Dissolved, i) })
	list("compacted", func(i int) bool { return slices.Contains(joined.Compacted, i) })
	list("deleted", func(i int) bool { return o.fates[i].group == None })
	c, moves := o.cost()
	total := fmt.Sprintf("%s, %s", count(c.writes, "write"), count(c.slices, "slice"))
	if s.join {
		total += ", " + count(moves, "move")
	}
	return strings.Join(append(lines, total), "\n") + "\n"
}

func (s *story) showSlice(i int, f fate) string {
	name, mark, takes := "new", "", ""
	if i < len(s.slices) {
		name = s.slices[i]
	}
	if f.writes {
		mark = "*"
	}
	if f.takes > 0 {
		takes = fmt.Sprintf("+%d", f.takes)
	}
	return fmt.Sprintf("%s%s[%d%s]", name, mark, f.before.Homes-f.gives, takes)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
