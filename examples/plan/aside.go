package main

import (
	"strings"

	"github.com/slicewright/slicewright/slicer"
)

// few is how many lines of one reason are shown without -all.
const few = 5

// skipped lists what is not published, by reason.
func (t table) skipped(skips []slicer.Skip) {
	groups := grouped{}
	for _, s := range skips {
		groups.add(string(s.Reason), strings.Replace(s.Error(), ": "+string(s.Reason), "", 1))
	}
	t.list("Skipped", groups)
}

// grouped is texts by reason, in the order in which the reasons came.
type grouped struct {
	reasons []string
	texts   map[string][]string
}

func (g *grouped) add(reason, text string) {
	if g.texts == nil {
		g.texts = map[string][]string{}
	}
	if _, ok := g.texts[reason]; !ok {
		g.reasons = append(g.reasons, reason)
	}
	g.texts[reason] = append(g.texts[reason], text)
}

func (t table) list(title string, g grouped) {
	for _, reason := range g.reasons {
		texts := g.texts[reason]
		t.out.Line("")
		t.out.Line("%s %d: %s", title, len(texts), reason)
		for i, text := range texts {
			if i == few && len(texts) > few+1 && !t.config.all {
				t.out.Line("  and %d more (-all lists them)", len(texts)-i)
				break
			}
			t.out.Line("  %s", text)
		}
	}
}
