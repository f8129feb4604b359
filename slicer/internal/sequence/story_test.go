package sequence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// TestStories runs the stories of testdata. Their one command is order: the block has a line for each node that waits, the
// ranks and the nodes that it waits for, such as
//
//	order a b c
//	a strict b firm c
//	b,c one-of a d
//
// A choice has a line of its own. The output is the order, and each wait and choice that does not hold in it.
// go test -rewrite writes the outputs into the files.
func TestStories(t *testing.T) {
	scenario.Run(t, "testdata/*.txt", func() scenario.Handler { return run }, func(string) bool { return true })
}

func run(c scenario.Command) (string, error) {
	if c.Name != "order" || !slices.IsSorted(c.Args) {
		return "", fmt.Errorf("%s %v: want order and the nodes by name", c.Name, c.Args)
	}
	waits, choices, err := parse(c.Args, c.Block)
	if err != nil {
		return "", err
	}
	var order []string
	place := make([]int, len(c.Args))
	for i, v := range sequence.Order(len(c.Args), waits, choices) {
		order = append(order, c.Args[v])
		place[v] = i
	}
	text := strings.Join(order, " ") + "\n"
	for _, w := range waits {
		if place[w.Later] < place[w.Earlier] {
			text += fmt.Sprintf("%s does not wait for %s (%s)\n", c.Args[w.Later], c.Args[w.Earlier], ranks[w.Rank])
		}
	}
	for _, choice := range choices {
		if kept := func(w sequence.Wait) bool { return place[w.Earlier] < place[w.Later] }; !slices.ContainsFunc(allowed(choice), kept) {
			text += fmt.Sprintf("%s waits for none of its choice\n", c.Args[choice.Later[0]])
		}
	}
	return text, nil
}

// ranks are the words of ranks, and one-of for a choice.
var ranks = []string{0: "one-of", sequence.Strict: "strict", sequence.Firm: "firm", sequence.Soft: "soft"}

func parse(names, block []string) (waits []sequence.Wait, choices []sequence.Choice, err error) {
	for _, line := range block {
		words := strings.Fields(line)
		var choice sequence.Choice
		for _, name := range strings.Split(words[0], ",") {
			choice.Later = append(choice.Later, slices.Index(names, name))
		}
		later, rank := choice.Later[0], sequence.Rank(0)
		for _, word := range words[1:] {
			earlier := slices.Index(names, word)
			switch i := slices.Index(ranks, word); {
			case i >= 0:
				rank = sequence.Rank(i)
			case later < 0 || earlier < 0:
				return nil, nil, fmt.Errorf("%q: want a node, then ranks and nodes", line)
			case rank == 0:
				choice.Earlier = append(choice.Earlier, earlier)
			default:
				waits = append(waits, sequence.Wait{Later: later, Earlier: earlier, Rank: rank})
			}
		}
		if choice.Earlier != nil {
			choices = append(choices, choice)
		}
	}
	return waits, choices, nil
}
