package main

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// few is how many lines of one reason are shown without -all.
const few = 5

// skipped lists what is not published, by reason.
func (t table) skipped(skips []service.Skip) {
	groups := grouped{}
	for _, s := range skips {
		groups.add(s.Reason.String(), describe(s))
	}
	t.list("Skipped", groups)
}

// describe names a skipped Pod and what it lacks, without the reason.
func describe(s service.Skip) string {
	if s.Pod == nil {
		return s.Detail()
	}
	return strings.TrimSpace(fmt.Sprintf("%s/%s %s", s.Pod.Namespace, s.Pod.Name, s.Detail()))
}

// rejected lists what Compute set aside, and what found no place.
func (t table) rejected(plan slicer.Plan) {
	groups := grouped{}
	for _, r := range plan.Rejected {
		text := fmt.Sprintf("%s %s", endpoint(&r.Endpoint), notation.Ports(r.Ports))
		if r.Err != nil {
			text += ": " + r.Err.Error()
		}
		groups.add(r.Reason.String(), text)
	}
	t.list("Rejected", groups)
	groups = grouped{}
	for i := range plan.Unplaced {
		groups.add("no slice has room, and none is created for a Service that is being deleted", endpoint(&plan.Unplaced[i]))
	}
	t.list("Unplaced", groups)
}

// endpoint names an endpoint by its addresses and what it stands for.
func endpoint(e *discoveryv1.Endpoint) string {
	text := notation.Addresses(e.Addresses)
	if ref := e.TargetRef; ref != nil {
		text += fmt.Sprintf(" (%s %s)", ref.Kind, ref.Name)
	}
	return text
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
