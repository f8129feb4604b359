package decide_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestStories runs the stories of testdata. Their one command is decide: the block has a line for each claim, the name of its
// slice, its target or -, its age, and its state, such as
//
//	decide
//	a p1 9 ready
//	b p2 7 serving,terminating
//
// ready means serving, too; a state that does not say terminating lasts. Several claims of one slice have their fields in the
// order of the lines. The output is the winner, and the losers with their reasons, in order.
// go test -rewrite writes the outputs into the files.
func TestStories(t *testing.T) {
	scenario.Run(t, "testdata/*.txt", func() scenario.Handler { return run }, func(string) bool { return true })
}

var reasons = []string{
	decide.OlderSlice: "older slice", decide.Terminating: "terminating", decide.NotReady: "not ready",
	decide.NotServing: "not serving", decide.LaterName: "later name", decide.LaterFields: "later fields",
}

func run(c scenario.Command) (string, error) {
	if c.Name != "decide" || len(c.Args) > 0 || len(c.Block) == 0 {
		return "", fmt.Errorf("%s %v: want decide and a block", c.Name, c.Args)
	}
	claims := make([]decide.Claim, len(c.Block))
	var targets []string
	for i, line := range c.Block {
		var slice, target, state string
		if _, err := fmt.Sscan(line, &slice, &target, &claims[i].Age, &state); err != nil {
			return "", fmt.Errorf("%q: want slice, target, age and state", line)
		}
		claims[i].Slice, claims[i].Fields, claims[i].Usability = int32(slice[0]), int32(i), usability(state)
		if target == "-" {
			continue
		}
		if !slices.Contains(targets, target) {
			targets = append(targets, target)
		}
		claims[i].Target = int32(slices.Index(targets, target)) + 1
	}
	name := func(i int32) string { return strings.Join(strings.Fields(c.Block[i])[:2], " ") }
	winner, losers := decide.Decide(claims)
	text := name(winner) + " wins\n"
	for _, l := range losers {
		text += fmt.Sprintf("%s: %s\n", name(l.Claim), reasons[l.Reason])
	}
	return text, nil
}

func usability(state string) decide.Usability {
	u := decide.Lasting
	for _, word := range strings.Split(state, ",") {
		switch word {
		case "ready":
			u |= decide.Ready | decide.Serving
		case "serving":
			u |= decide.Serving
		case "terminating":
			u &^= decide.Lasting
		}
	}
	return u
}
