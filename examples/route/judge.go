package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	dedup "github.com/slicewright/slicewright/examples/internal/olddedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// judge says in words what becomes of the endpoints of one family: what kube-proxy has no rule for,
// and what hints/routing decides for the others.
type judge struct {
	list  []dedup.Endpoint
	ruled []dedup.Endpoint  // for which there is a rule
	why   map[string]string // there is no rule, by host:port
	at    routing.Location
	kinds []kind // traffic from inside; and that from outside, if it is another
}

// kind is what becomes of one kind of traffic.
type kind struct {
	policy   routing.Policy
	family   routing.Family
	used     int
	verdicts map[string]routing.Verdict // by host:port
}

// policies are those of a Service for traffic from inside the cluster and, if it is another, from
// outside.
func policies(service *corev1.Service) []routing.Policy {
	inside := routing.Inside(service)
	if outside, ok := routing.Outside(service); ok && outside != inside {
		return []routing.Policy{inside, outside}
	}
	return []routing.Policy{inside}
}

func newJudge(port dedup.ServicePort, list []dedup.Endpoint, made rules, at routing.Location,
	policies []routing.Policy) judge {
	j := judge{ruled: made.of(port, family(list[0])), why: map[string]string{}, at: at}
	for _, policy := range policies {
		j.kinds = append(j.kinds, newKind(j.ruled, at, policy))
	}
	j.list = slices.Clone(j.ruled)
	for _, e := range list {
		if _, ok := j.kinds[0].verdicts[e.String()]; !ok {
			j.why[e.String()] = made.why(port, e)
			j.list = append(j.list, e)
		}
	}
	slices.SortFunc(j.list, func(a, b dedup.Endpoint) int {
		return cmp.Or(a.Address.Compare(b.Address), strings.Compare(a.String(), b.String()))
	})
	return j
}

func newKind(list []dedup.Endpoint, at routing.Location, policy routing.Policy) kind {
	routes := routing.Route(list, dedup.Endpoint.Candidate, at, policy)
	k := kind{policy: policy, family: routes.Families[0], used: len(routes.Endpoints),
		verdicts: map[string]routing.Verdict{}}
	for i, verdict := range routing.Explain(list, dedup.Endpoint.Candidate, at, policy) {
		k.verdicts[list[i].String()] = verdict
	}
	return k
}

// columns are the headings of what verdict says.
func (j judge) columns() []string {
	if len(j.kinds) > 1 {
		return []string{"INSIDE", "OUTSIDE"}
	}
	return []string{"USED"}
}

// verdict says for each column whether an endpoint is used, and why.
func (j judge) verdict(e dedup.Endpoint) (used []string, why string) {
	var reasons []string
	for _, k := range j.kinds {
		word, reason := j.ofKind(e, k)
		used = append(used, word)
		reasons = append(reasons, reason)
	}
	if len(slices.Compact(slices.Clone(reasons))) == 1 {
		return used, reasons[0]
	}
	return used, "inside: " + reasons[0] + "; outside: " + reasons[1]
}

// ofKind judges for traffic of one kind.
func (j judge) ofKind(e dedup.Endpoint, k kind) (used, why string) {
	if why, ok := j.why[e.String()]; ok {
		if why == j.noRule() {
			why = "" // the heading says it
		}
		return "no", why
	}
	verdict := k.verdicts[e.String()]
	if verdict.Used {
		return "yes", j.words(verdict.Why, k)
	}
	return "no", j.words(verdict.Why, k)
}

// words say why an endpoint is used or not.
func (j judge) words(why routing.Why, k kind) string {
	place := map[routing.Scope]string{
		routing.ScopeNode: "hint for node " + j.at.NodeName, routing.ScopeZone: "hint for zone " + j.at.Zone,
	}[k.family.Scope]
	switch {
	case why == routing.NoneReady && k.policy.Local:
		return "draining, and no endpoint of the node is ready"
	case why == routing.OtherNode && j.at.NodeName == "":
		return "policy Local, and -node is not given"
	}
	return map[routing.Why]string{
		routing.IsReady:      "ready",
		routing.Hinted:       "ready, with a " + place,
		routing.IsNear:       "ready, on the node",
		routing.NoneReady:    "draining, and no endpoint is ready",
		routing.OthersHinted: "no " + place,
		routing.OthersReady:  "draining, and others are ready",
		routing.OtherNode:    "policy Local, and it is not on the node",
		routing.NotReady:     "not ready",
		routing.Stopped:      "terminating, and no longer serving",
	}[why]
}

// noRule says why there is no rule for any of the endpoints, if that is one reason.
func (j judge) noRule() string {
	if len(j.ruled) > 0 {
		return ""
	}
	reasons := slices.Compact(slices.Sorted(maps.Values(j.why)))
	if len(reasons) > 1 {
		return "kube-proxy has no rule for them"
	}
	return reasons[0]
}

// summary says how many are used, and by which rule.
func (j judge) summary() string {
	if text := j.noRule(); text != "" {
		return fmt.Sprintf("0 of %d used: %s", len(j.list), text)
	}
	if len(j.kinds) == 1 {
		return j.count(j.kinds[0])
	}
	return "inside " + j.count(j.kinds[0]) + "; outside " + j.count(j.kinds[1])
}

func (j judge) count(k kind) string {
	which := map[routing.Scope]string{
		routing.ScopeNone:     "none is ready or draining",
		routing.ScopeAll:      "all that are ready",
		routing.ScopeZone:     "those with a hint for zone " + j.at.Zone,
		routing.ScopeNode:     "those with a hint for node " + j.at.NodeName,
		routing.ScopeDraining: "draining endpoints, because none is ready",
	}[k.family.Scope]
	if k.policy.Local {
		which = "those on the node"
	}
	return fmt.Sprintf("%d of %d used, %s", k.used, len(j.list), which)
}

// hintLines say whether hints were obeyed, and why not. Policy Local reads none.
func (j judge) hintLines() (lines []string) {
	byHints := slices.IndexFunc(j.kinds, func(k kind) bool { return !k.policy.Local })
	if len(j.ruled) == 0 || byHints < 0 {
		return nil
	}
	f := j.kinds[byHints].family
	lines = append(lines, j.hintLine("node", j.at.NodeName, f.Node, f.NodeMissing))
	if f.Node != routing.HintsObeyed {
		lines = append(lines, j.hintLine("zone", j.at.Zone, f.Zone, f.ZoneMissing))
	}
	return lines
}

func (j judge) hintLine(name, place string, reason routing.Reason, missing int) string {
	why := map[routing.Reason]string{
		routing.HintsObeyed:  "obeyed",
		routing.NoVoter:      "not obeyed, no endpoint is ready",
		routing.NoHints:      "no ready endpoint has one",
		routing.PlaceUnknown: "not obeyed, the " + name + " is not known",
		routing.NotNamed:     "not obeyed, none is for " + name + " " + place,
	}[reason]
	if reason == routing.HintMissing {
		why = fmt.Sprintf("not obeyed, %v has none", j.ruled[missing])
	}
	return name + " hints: " + why
}

// hintText lists zones, then nodes.
func hintText(e dedup.Endpoint) string {
	var names []string
	for _, z := range e.ForZones {
		names = append(names, z.Name)
	}
	for _, n := range e.ForNodes {
		names = append(names, "node:"+n.Name)
	}
	return strings.Join(names, ",")
}
