package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/cost"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// table prints plans for people.
type table struct {
	out    *commandline.Output
	config config
	notes  []string // printed at the end
	sum    totals
}

func (t *table) end() {
	if t.sum.plans > 1 {
		t.out.Line("")
		t.out.Line("All %d Services: %s", t.sum.plans, t.sum)
	}
	for _, line := range t.notes {
		t.out.Line("")
		t.out.Line("Note: %s", line)
	}
}

func (t *table) service(p planned) error {
	if t.sum.plans > 0 {
		t.out.Line("")
	}
	t.sum.add(p)
	name := p.service.Namespace + "/" + p.service.Name
	if p.leftAlone != "" {
		t.out.Line("Service %s: left alone: %s", name, p.leftAlone)
		t.unknownPorts(p)
		return nil
	}
	remark := ""
	if p.service.DeletionTimestamp != nil {
		remark += " (being deleted)"
	}
	if p.mirrors {
		remark += " (mirrors of its Endpoints)"
	}
	if p.plan.Empty() {
		remark += ": nothing to write"
	}
	t.out.Line("Service %s%s", name, remark)
	t.out.Line("")
	t.slices(p)
	t.hints(p.plan)
	if p.noLimit {
		t.out.Line("")
		t.out.Line("Hints: -limit makes no difference, because this Service does not ask for PreferSameZone hints")
	}
	t.skipped(p.plan.Skips)
	t.unknownPorts(p)
	sum := totals{watchers: t.sum.watchers}
	sum.add(p)
	t.out.Line("")
	t.out.Line("Total: %s", sum)
	return nil
}

func (t *table) unknownPorts(p planned) {
	for i, line := range p.unknownPorts {
		if i == 0 {
			t.out.Line("")
		}
		t.out.Line("Warning: %s", line)
	}
}

// slices prints a line per slice: first the writes in their order, then what stays.
func (t *table) slices(p planned) {
	if p.plan.Empty() && len(p.plan.Unchanged) == 0 && !slices.ContainsFunc(p.plan.Ignored, of(p)) {
		t.out.Line("  no slices")
		return
	}
	rows := &commandline.Table{Indent: "  "}
	rows.Row(commandline.Bold, "ACTION", "SLICE", "FAMILY", "PORTS", "ENDPOINTS", "CHANGES", "WHY")
	for _, s := range p.plan.Steps {
		row(rows, string(s.Verb), s.Old, s.New, changes(s), reasons(s))
	}
	for _, s := range p.plan.Unchanged {
		row(rows, "keep", s, s, "", "")
	}
	for _, i := range p.plan.Ignored {
		if of(p)(i) {
			row(rows, "ignore", i.Slice, i.Slice, "", string(i.Reason)+managedBy(i))
		}
	}
	rows.Print(t.out)
}

// colours are those of a plan's verbs.
var colours = map[string]commandline.Colour{
	string(slicer.Create): commandline.Green, string(slicer.Update): commandline.Yellow,
	string(slicer.Delete): commandline.Red,
}

// hints says what was decided where hints are asked for.
func (t *table) hints(plan slicer.Plan) {
	for _, d := range plan.Hints {
		if d.Mode != hints.None {
			t.out.Line("")
			for _, line := range strings.Split(fmt.Sprintf("Hints %s %s: %s", d.AddressType, d.Mode, d), "\n") {
				t.out.Line("%s", line)
			}
		}
	}
}

// of tells which of the slices that the plan ignores speak of the same Service; the namespace has
// many others.
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

func row(rows *commandline.Table, action string, before, after *discoveryv1.EndpointSlice, changes, why string) {
	shown := cmp.Or(after, before)
	rows.Row(colours[action], action, shown.Name, string(shown.AddressType),
		notation.Ports(shown.Ports), counts(before, after), changes, why)
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
		words[i] = string(r)
	}
	return strings.Join(words, ", ")
}

// totals adds up what plans cost.
type totals struct {
	watchers int

	plans                     int
	creates, updates, deletes int
	stored, sent              int64
}

func (t *totals) add(p planned) {
	stats, priced := p.plan.Stats(), cost.Of(p.plan, t.watchers)
	t.plans++
	t.creates += stats.Creates
	t.updates += stats.Updates
	t.deletes += stats.Deletes
	t.stored += priced.StoredBytes
	t.sent += priced.SentBytes
}

// String gives writes and bytes on one line.
func (t totals) String() string {
	writes := t.creates + t.updates + t.deletes
	if writes == 0 {
		return "0 writes"
	}
	return fmt.Sprintf("%s (%s, %s, %s), %s stored, %s sent to %s", count(writes, "write"),
		count(t.creates, "create"), count(t.updates, "update"), count(t.deletes, "delete"),
		commandline.Bytes(t.stored), commandline.Bytes(t.sent), count(t.watchers, "watcher"))
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// notes says what is not in the input, so that a plan is not taken for more than it is.
func (c config) notes(w world, chosen []*corev1.Service) []string {
	var lines []string
	if len(w.EndpointSlices) == 0 && slices.ContainsFunc(chosen, w.publishes) {
		lines = append(lines, "no EndpointSlices in the input, so all are planned as new; add endpointslices to "+
			"kubectl get, unless there are none.")
	}
	managed := slices.DeleteFunc(slices.Clone(chosen), func(s *corev1.Service) bool {
		reason, _ := services.Managed(s)
		return reason != services.Publishable
	})
	if i := slices.IndexFunc(managed, func(s *corev1.Service) bool {
		return w.podsMissing(s, c) && !w.hasEndpoints(s)
	}); i >= 0 {
		lines = append(lines, fmt.Sprintf("no Pods of namespace %s in the input; add pods to kubectl get, unless "+
			"there are none.", managed[i].Namespace))
	}
	if len(w.Pods) > 0 && len(w.Nodes) == 0 {
		lines = append(lines, "no Nodes in the input, so no endpoint gets a zone; add nodes to kubectl get.")
	}
	for _, file := range w.Repeated {
		lines = append(lines, fmt.Sprintf("every object of %s was read before and counts once; give each file once.",
			file))
	}
	if other := readPast(w.Objects); other != "" {
		lines = append(lines, other+".")
	}
	return lines
}

// publishes reports whether a Service has slices, of its Pods or its Endpoints.
func (w world) publishes(svc *corev1.Service) bool {
	if svc.DeletionTimestamp != nil {
		return false
	}
	if endpoints := w.endpoints[svc.Namespace+"/"+svc.Name]; endpoints != nil && len(svc.Spec.Selector) == 0 {
		ok, _ := mirror.Eligible(endpoints, svc)
		return ok
	}
	reason, _ := services.Managed(svc)
	return reason == services.Publishable
}

// few is how many lines of one reason are shown without -all.
const few = 5

// skipped lists what is not published, by reason, in the order in which the reasons came.
func (t *table) skipped(skips []slicer.Skip) {
	var order []slicer.SkipReason
	texts := map[slicer.SkipReason][]string{}
	for _, s := range skips {
		if texts[s.Reason] == nil {
			order = append(order, s.Reason)
		}
		texts[s.Reason] = append(texts[s.Reason],
			forUsers.Replace(strings.Replace(s.Error(), ": "+string(s.Reason), "", 1)))
	}
	for _, reason := range order {
		list := texts[reason]
		t.out.Line("")
		t.out.Line("Skipped %d: %s", len(list), reason)
		for i, text := range list {
			if i == few && len(list) > few+1 && !t.config.all {
				t.out.Line("  and %d more (-all lists them)", len(list)-i)
				break
			}
			t.out.Line("  %s", text)
		}
	}
}
