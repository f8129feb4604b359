package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// judge says in words what becomes of the endpoints of one family: what kube-proxy has no rule for, and
// what routing.Route decided for the others.
type judge struct {
	list   []dedup.Endpoint
	ruled  []dedup.Endpoint  // for which there is a rule
	why    map[string]string // there is no rule, by host:port
	routes routing.Routes[dedup.Endpoint]
	family routing.Family // zero if there is no rule at all
	at     routing.Location
	policy routing.Policy

	cluster, local map[string]bool // chosen, by host:port
}

func newJudge(port dedup.ServicePort, list []dedup.Endpoint, made rules, at routing.Location, policy routing.Policy) judge {
	j := judge{ruled: made.of(port, family(list[0])), why: map[string]string{}, at: at, policy: policy}
	ruled := set(j.ruled)
	j.list = slices.Clone(j.ruled)
	for _, e := range list {
		if !ruled[e.String()] {
			j.why[e.String()] = made.why(port, e)
			j.list = append(j.list, e)
		}
	}
	slices.SortFunc(j.list, func(a, b dedup.Endpoint) int {
		return cmp.Or(a.Address.Compare(b.Address), strings.Compare(a.String(), b.String()))
	})
	j.routes = routing.Route(j.ruled, dedup.Endpoint.Candidate, at, policy)
	if len(j.routes.Families) > 0 {
		j.family = j.routes.Families[0]
	}
	j.cluster, j.local = set(j.routes.Cluster), set(j.routes.Local)
	return j
}

func set(list []dedup.Endpoint) map[string]bool {
	all := make(map[string]bool, len(list))
	for _, e := range list {
		all[e.String()] = true
	}
	return all
}

// splits reports whether traffic from inside and from outside must be distinguished.
func (j judge) splits() bool {
	return j.policy.External && j.policy.InternalLocal != j.policy.ExternalLocal
}

// columns are the headings of what verdict says.
func (j judge) columns() []string {
	if j.splits() {
		return []string{"INSIDE", "OUTSIDE"}
	}
	return []string{"USED"}
}

// verdict says for each column whether an endpoint is used, and why.
func (j judge) verdict(e dedup.Endpoint) (used []string, why string) {
	inside, reason := j.kind(e, j.policy.InternalLocal)
	if !j.splits() {
		return []string{inside}, reason
	}
	outside, other := j.kind(e, j.policy.ExternalLocal)
	if other == reason {
		return []string{inside, outside}, reason
	}
	return []string{inside, outside}, "inside: " + reason + "; outside: " + other
}

// kind judges for traffic of one policy.
func (j judge) kind(e dedup.Endpoint, local bool) (used, why string) {
	if why, ok := j.why[e.String()]; ok {
		if why == j.noRule() {
			why = "" // the heading says it
		}
		return "no", why
	}
	if local {
		return j.localKind(e)
	}
	if j.cluster[e.String()] {
		switch j.family.Scope {
		case routing.ScopeNode:
			return "yes", "ready, with a hint for node " + j.at.NodeName
		case routing.ScopeZone:
			return "yes", "ready, with a hint for zone " + j.at.Zone
		case routing.ScopeDraining:
			return "yes", "draining, and no endpoint is ready"
		default:
			return "yes", "ready"
		}
	}
	if why := j.unusable(e); why != "" {
		return "no", why
	}
	if j.family.Scope == routing.ScopeNode {
		return "no", "no hint for node " + j.at.NodeName
	}
	return "no", "no hint for zone " + j.at.Zone
}

func (j judge) localKind(e dedup.Endpoint) (used, why string) {
	switch {
	case j.local[e.String()] && j.family.LocalDraining:
		return "yes", "draining, and no endpoint of the node is ready"
	case j.local[e.String()]:
		return "yes", "ready, on the node"
	case j.at.NodeName == "":
		return "no", "policy Local, and -node is not given"
	case e.NodeName != j.at.NodeName:
		return "no", "policy Local, and it is not on the node"
	default:
		return "no", j.unusable(e)
	}
}

// unusable says why an endpoint is of no use to anybody; empty for a ready one.
func (j judge) unusable(e dedup.Endpoint) string {
	switch {
	case e.State.Ready:
		return ""
	case e.State.ServesWhileTerminating():
		return "draining, and others are ready"
	case e.State.Terminating:
		return "terminating, and no longer serving"
	default:
		return "not ready"
	}
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
	if !j.splits() {
		return j.count(j.policy.InternalLocal)
	}
	return "inside " + j.count(j.policy.InternalLocal) + "; outside " + j.count(j.policy.ExternalLocal)
}

func (j judge) count(local bool) string {
	total := len(j.list)
	if local {
		return fmt.Sprintf("%d of %d used, those on the node", len(j.routes.Local), total)
	}
	which := map[routing.Scope]string{
		routing.ScopeNone:     "none is ready or draining",
		routing.ScopeAll:      "all that are ready",
		routing.ScopeZone:     "those with a hint for zone " + j.at.Zone,
		routing.ScopeNode:     "those with a hint for node " + j.at.NodeName,
		routing.ScopeDraining: "those that are draining, for none is ready",
	}[j.family.Scope]
	return fmt.Sprintf("%d of %d used, %s", len(j.routes.Cluster), total, which)
}

// hintLines say whether hints were obeyed, and why not.
func (j judge) hintLines() []string {
	if len(j.ruled) == 0 {
		return nil
	}
	var lines []string
	for _, kind := range []struct {
		name, place string
		reason      routing.HintUse
		missing     int
	}{
		{"node", j.at.NodeName, j.family.NodeHints, j.family.NodeMissing},
		{"zone", j.at.Zone, j.family.ZoneHints, j.family.ZoneMissing},
	} {
		why := ""
		switch kind.reason {
		case routing.HintsObeyed:
			why = "obeyed"
		case routing.NoVoter:
			why = "not obeyed, no endpoint is ready"
		case routing.NoHints:
			why = "no ready endpoint has one"
		case routing.PlaceUnknown:
			why = "not obeyed, the " + kind.name + " is not known"
		case routing.HintMissing:
			why = fmt.Sprintf("not obeyed, %v has none", j.ruled[kind.missing])
		case routing.NotNamed:
			why = "not obeyed, none is for " + kind.name + " " + kind.place
		default:
			continue
		}
		lines = append(lines, kind.name+" hints: "+why)
	}
	return lines
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
