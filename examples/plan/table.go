package main

import (
	"cmp"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
)

// title names the Service and says what becomes of it.
func (p *planned) title() string {
	text := "Service " + full(p.service)
	if p.service.DeletionTimestamp != nil {
		text += " (being deleted)"
	}
	if p.mirrors {
		text += " (mirrors of its Endpoints)"
	}
	if p.leftAlone != "" {
		return text + ": left alone: " + p.leftAlone
	}
	return text + ": " + summary(p.plan)
}

// summary counts the writes and the endpoints of a plan.
func summary(plan slicer.Plan) string {
	lines := strings.Split(strings.TrimSpace(plan.String()), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "total ")
}

// table prints a Service for people.
func (p *planned) table(out *command.Output) {
	out.Line("%s", p.title())
	if rows := p.rows(); len(rows) > 1 {
		out.Table(rows)
	}
	for _, d := range p.plan.Hints {
		if d.Mode != hints.None {
			out.Lines("", strings.Split(fmt.Sprintf("Hints %s: %v", d.AddressType, d), "\n"))
		}
	}
	out.Lines("Warning: ", p.remarks)
	var causes []string
	texts := map[string][]string{}
	skipped := map[string]bool{}
	for _, s := range p.skips() {
		if texts[s.reason] == nil {
			causes = append(causes, s.reason)
		}
		texts[s.reason] = append(texts[s.reason], s.text)
		skipped[s.pod] = true
	}
	for _, cause := range causes {
		out.Line("Skipped %d: %s", len(texts[cause]), cause)
		out.List("  ", texts[cause])
	}
	if len(p.pods) > 0 && p.leftAlone == "" {
		p.published(out, skipped)
	}
}

// published counts the Pods that are published, and lists those that are not and have no Skip.
func (p *planned) published(out *command.Output, skipped map[string]bool) {
	has := map[string]bool{}
	for _, s := range p.plan.After() {
		for _, e := range s.Endpoints {
			if e.TargetRef != nil && e.TargetRef.Kind == "Pod" {
				has[e.TargetRef.Name] = true
			}
		}
	}
	var neither []string
	published := 0
	for _, pod := range p.pods {
		if has[pod.Name] {
			published++
		} else if !skipped[pod.Name] {
			neither = append(neither, full(pod))
		}
	}
	out.Line("Pods: %d selected, %d of them published", len(p.pods), published)
	out.Lines("Not published, and no reason is known: Pod ", neither)
}

// rows has a row for each slice: first the writes in their order, then what stays.
func (p *planned) rows() [][]string {
	rows := [][]string{{"ACTION", "SLICE", "FAMILY", "PORTS", "ENDPOINTS", "CHANGES", "WHY"}}
	add := func(action string, s *discoveryv1.EndpointSlice, endpoints, changes, why string) {
		ports := notation.Ports(s.Ports)
		rows = append(rows, []string{action, s.Name, string(s.AddressType), ports, endpoints, changes, why})
	}
	number := func(s *discoveryv1.EndpointSlice) string {
		if s == nil {
			return "-"
		}
		return fmt.Sprint(len(s.Endpoints))
	}
	for _, s := range p.plan.Steps {
		add(s.Verb, cmp.Or(s.New, s.Old), number(s.Old)+" -> "+number(s.New),
			fmt.Sprintf("+%d -%d ~%d", s.Added, s.Removed, s.Changed), reasons(s))
	}
	for _, s := range p.plan.Unchanged {
		add("keep", s, number(s), "", "")
	}
	for _, o := range p.others {
		add("ignore", o.EndpointSlice, number(o.EndpointSlice), "", o.why)
	}
	return rows
}

func reasons(s slicer.Step) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Reasons), " ", ", "), "[]")
}
