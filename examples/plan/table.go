package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
)

// table prints plans for people.
type table struct {
	w      io.Writer
	config config
}

func (t table) print(objects *manifest.Objects, plans []planned, notes []string) {
	watchers := t.config.watchers
	if watchers == 0 {
		watchers = len(objects.Nodes)
	}
	sum := totals{watchers: watchers}
	for i, p := range plans {
		if i > 0 {
			fmt.Fprintln(t.w)
		}
		t.service(p, watchers)
		sum.add(p)
	}
	if len(plans) > 1 {
		fmt.Fprintf(t.w, "\nAll %d Services: %s\n", len(plans), sum)
	}
	for _, line := range notes {
		fmt.Fprintf(t.w, "\nNote: %s\n", line)
	}
}

func (t table) service(p planned, watchers int) {
	name := p.service.Namespace + "/" + p.service.Name
	if p.leftAlone != "" {
		fmt.Fprintf(t.w, "Service %s: left alone: %s\n", name, p.leftAlone)
		return
	}
	fmt.Fprintf(t.w, "Service %s", name)
	if p.service.DeletionTimestamp != nil {
		fmt.Fprint(t.w, " (being deleted)")
	}
	if p.mirrors {
		fmt.Fprint(t.w, " (mirrors of its Endpoints)")
	}
	if p.plan.Empty() {
		fmt.Fprint(t.w, ": nothing to write")
	}
	fmt.Fprint(t.w, "\n\n")
	t.slices(p)
	t.hints(p.plan)
	t.skipped(p.skips)
	t.unmirrored(p.report)
	t.rejected(p.plan)
	sum := totals{watchers: watchers}
	sum.add(p)
	fmt.Fprintf(t.w, "\nTotal: %s\n", sum)
}

// slices prints a line per slice: first the writes in their order, then what stays.
func (t table) slices(p planned) {
	if p.plan.Empty() && len(p.plan.Unchanged) == 0 && !slices.ContainsFunc(p.plan.Ignored, of(p)) {
		fmt.Fprintln(t.w, "  no slices")
		return
	}
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  ACTION\tSLICE\tFAMILY\tPORTS\tENDPOINTS\tCHANGES\tWHY")
	for _, s := range p.plan.Steps {
		row(w, s.Verb.String(), s.Old, s.New, changes(s), reasons(s))
	}
	for _, s := range p.plan.Unchanged {
		row(w, "keep", s, s, "", "")
	}
	for _, i := range p.plan.Ignored {
		if of(p)(i) {
			row(w, "ignore", i.Slice, i.Slice, "", i.Reason.String()+managedBy(i))
		}
	}
	w.Flush()
	for line := range strings.Lines(out.String()) { // the last column pads to its width
		fmt.Fprintln(t.w, strings.TrimRight(line, " \n"))
	}
}

// hints says what was decided where hints are asked for.
func (t table) hints(plan slicer.Plan) {
	for _, d := range plan.Hints {
		if d.Mode != hints.None {
			fmt.Fprintf(t.w, "\nHints %s\n", strings.ReplaceAll(d.String(), "\n", "\n  "))
		}
	}
}

// of tells which of the slices that the plan ignores speak of the same Service; the namespace has many others.
func of(p planned) func(slicer.Ignored) bool {
	return func(i slicer.Ignored) bool {
		return i.Slice.Labels[discoveryv1.LabelServiceName] == p.service.Name
	}
}

func managedBy(i slicer.Ignored) string {
	if i.Reason != slicer.Foreign {
		return ""
	}
	if manager := i.Slice.Labels[discoveryv1.LabelManagedBy]; manager != "" {
		return ": managed by " + manager
	}
	return ": no manager"
}

func row(w io.Writer, action string, before, after *discoveryv1.EndpointSlice, changes, why string) {
	shown := after
	if shown == nil {
		shown = before
	}
	fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", action, sliceName(shown), shown.AddressType,
		notation.Ports(shown.Ports), counts(before, after), changes, why)
}

func sliceName(s *discoveryv1.EndpointSlice) string {
	if s.Name == "" {
		return s.GenerateName + "*"
	}
	return s.Name
}

// counts are the endpoints before and after.
func counts(before, after *discoveryv1.EndpointSlice) string {
	number := func(s *discoveryv1.EndpointSlice) string {
		if s == nil {
			return "-"
		}
		return fmt.Sprint(len(s.Endpoints))
	}
	if before == after {
		return number(after)
	}
	return number(before) + " -> " + number(after)
}

func changes(s slicer.Step) string {
	var words []string
	for _, c := range []struct {
		sign   string
		number int
	}{{"+", s.Added}, {"-", s.Removed}, {"~", s.Changed}} {
		if c.number > 0 {
			words = append(words, fmt.Sprintf("%s%d", c.sign, c.number))
		}
	}
	return strings.Join(words, " ")
}

func reasons(s slicer.Step) string {
	words := make([]string, len(s.Reasons))
	for i, r := range s.Reasons {
		words[i] = r.String()
	}
	return strings.Join(words, ", ")
}
