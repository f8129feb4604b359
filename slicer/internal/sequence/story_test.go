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
//
// The output is the order, and each wait that does not hold in it. go test -rewrite writes the outputs into the files.
func TestStories(t *testing.T) {
	scenario.Run(t, "testdata/*.txt", func() scenario.Handler { return tell }, func(string) bool { return true })
}

func tell(c scenario.Command) (string, error) {
	if c.Name != "order" || !slices.IsSorted(c.Args) {
		return "", fmt.Errorf("%s %v: want order and the nodes by name", c.Name, c.Args)
	}
	waits, err := parse(c.Args, c.Block)
	if err != nil {
		return "", err
	}
	var order []string
	place := make([]int, len(c.Args))
	for i, v := range sequence.Order(len(c.Args), waits) {
		order = append(order, c.Args[v])
		place[v] = i
	}
	text := strings.Join(order, " ") + "\n"
	for _, w := range waits {
		if place[w.Later] < place[w.Earlier] {
			text += fmt.Sprintf("%s does not wait for %s (%s)\n", c.Args[w.Later], c.Args[w.Earlier], ranks[w.Rank])
		}
	}
	return text, nil
}

var ranks = map[sequence.Rank]string{sequence.Strict: "strict", sequence.Firm: "firm", sequence.Soft: "soft"}

func parse(names, block []string) ([]sequence.Wait, error) {
	var waits []sequence.Wait
	for _, line := range block {
		words := strings.Fields(line)
		later, rank := slices.Index(names, words[0]), sequence.Rank(0)
		for _, word := range words[1:] {
			earlier := slices.Index(names, word)
			for r, name := range ranks {
				if name == word {
					rank, earlier = r, later
				}
			}
			if later < 0 || earlier < 0 || rank == 0 {
				return nil, fmt.Errorf("%q: want a node, then ranks and nodes", line)
			}
			if earlier != later {
				waits = append(waits, sequence.Wait{Later: later, Earlier: earlier, Rank: rank})
			}
		}
	}
	return waits, nil
}
