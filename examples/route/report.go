package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	dedup "github.com/slicewright/slicewright/examples/internal/olddedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// report prints for people.
type report struct {
	out *commandline.Output
	in  input
	at  routing.Location
	all bool
}

// service prints a Service: a part for each port and family.
func (r report) service(s subject) {
	r.out.Line("Service %v, seen from %s", s.name, r.place())
	policies := policies(s.object)
	switch {
	case s.object == nil:
		r.out.Line("  the Service is not in the input: it is taken to have these ports, both families and policy " +
			"Cluster")
	case s.assumed:
		r.out.Line("  Note: the Service has no clusterIP, so one is assumed; write clusterIP: None for a headless " +
			"Service")
	}
	if policies[0].Local {
		r.out.Line("  internalTrafficPolicy: Local")
	}
	if outside, ok := routing.Outside(s.object); ok && outside.Local {
		r.out.Line("  externalTrafficPolicy: Local")
	}
	if !r.in.all.Has(s.name) {
		r.out.Line("  no EndpointSlice in the input belongs to it")
		return
	}
	made, ports := r.in.rulesOf(s), 0
	for port := range r.in.all.Ports(s.name) {
		ports++
		r.port(port, made, policies)
	}
	if ports == 0 {
		r.out.Line("  its slices have no ports that could be used")
	}
	r.missingPorts(s)
}

func (r report) place() string {
	switch {
	case r.at.NodeName == "":
		return "zone " + r.at.Zone
	case r.at.Zone == "":
		return "node " + r.at.NodeName + " in no known zone"
	default:
		return "node " + r.at.NodeName + " in zone " + r.at.Zone
	}
}

// missingPorts names the ports of a Service that no slice has: a port's name must be the same in
// both.
func (r report) missingPorts(s subject) {
	if s.object == nil {
		return
	}
	for _, p := range s.object.Spec.Ports {
		port := servicePort(s, &p)
		if !slices.Contains(slices.Collect(r.in.all.Ports(s.name)), port) {
			r.out.Line("")
			r.out.Line("Port %s: no slice has a port of this name and protocol", portName(port))
		}
	}
}

func servicePort(s subject, p *corev1.ServicePort) dedup.ServicePort {
	return dedup.ServicePort{Service: s.name, Port: p.Name, Protocol: cmp.Or(p.Protocol, corev1.ProtocolTCP)}
}

func portName(p dedup.ServicePort) string {
	return strings.TrimPrefix(p.Port+"/"+string(p.Protocol), "/")
}

// port prints a service port: a part for each family, because proxies of the families choose apart.
func (r report) port(port dedup.ServicePort, made rules, policies []routing.Policy) {
	lists := byFamily(r.in.all, port)
	if len(lists) == 0 {
		r.out.Line("")
		r.out.Line("Port %s: no endpoint", portName(port))
	}
	for _, list := range lists {
		r.out.Line("")
		r.endpoints(port, list, made, policies)
		r.conflicts(port, family(list[0]))
	}
}

// byFamily returns the endpoints of a port, IPv4 first, then IPv6, then FQDN.
func byFamily(view dedup.View, port dedup.ServicePort) (lists [][]dedup.Endpoint) {
	families := map[string][]dedup.Endpoint{}
	for e := range view.Endpoints(port) {
		families[family(e)] = append(families[family(e)], e)
	}
	for _, f := range []string{"IPv4", "IPv6", "FQDN"} {
		if families[f] != nil {
			lists = append(lists, families[f])
		}
	}
	return lists
}

func family(e dedup.Endpoint) string { return string(e.Candidate().AddressType) }

// colours are those of a verdict.
var colours = map[string]commandline.Colour{"yes": commandline.Green}

// endpoints prints the endpoints of one family and what becomes of them.
func (r report) endpoints(port dedup.ServicePort, list []dedup.Endpoint, made rules, policies []routing.Policy) {
	judge := newJudge(port, list, made, r.at, policies)
	r.out.Line("Port %s, %s: %s", portName(port), family(list[0]), judge.summary())
	for _, line := range judge.hintLines() {
		r.out.Line("  %s", line)
	}
	r.out.Line("")
	rows := &commandline.Table{Indent: "  "}
	rows.Row(commandline.Bold, append(judge.columns(), "ENDPOINT", "STATE", "ZONE", "NODE", "HINTS", "TARGET", "SLICE",
		"WHY")...)
	shown, more := r.choose(judge.list, judge)
	for _, e := range shown {
		used, why := judge.verdict(e)
		rows.Row(colours[used[0]], append(used, e.String(), stateText(e.State), dash(e.Zone), dash(e.NodeName),
			dash(hintText(e)), dash(targetText(e.Target)), e.Slice, why)...)
	}
	rows.Print(r.out)
	for _, line := range more {
		r.out.Line("  %s", line)
	}
}

// fewRows is how many endpoints of a kind are listed without -all.
const fewRows = 5

// choose returns the endpoints to list, and says how many of which kind are left out.
func (r report) choose(list []dedup.Endpoint, j judge) (shown []dedup.Endpoint, more []string) {
	count := map[string]int{}
	var kinds []string
	for _, e := range list {
		used, why := j.verdict(e)
		kind := strings.Join(used, ", ") + ", " + why
		if count[kind]++; count[kind] == 1 {
			kinds = append(kinds, kind)
		}
		if r.all || count[kind] <= fewRows {
			shown = append(shown, e)
		}
	}
	for _, kind := range kinds {
		if n := count[kind] - fewRows; n > 0 && !r.all {
			more = append(more, fmt.Sprintf("and %d more: %s (-all lists them)", n, kind))
		}
	}
	return shown, more
}

// conflicts prints about which endpoints of a port and family slices disagree.
func (r report) conflicts(port dedup.ServicePort, f string) {
	first := true
	for c := range r.in.all.Conflicts() {
		if c.Port != port || family(c.Winner) != f {
			continue
		}
		if first {
			r.out.Line("")
			r.out.Line("  Slices disagree about:")
			first = false
		}
		r.out.Line("    %v: %s says %s", c.Winner, c.Winner.Slice, says(c.Winner))
		for _, l := range c.Losers {
			r.out.Line("      not used: %s says %s, %s", l.Endpoint.Slice, says(l.Endpoint), lossText(l.Reason))
		}
	}
}

// problems prints what was skipped, for all Services.
func (r report) problems() {
	for i, p := range r.in.all.Problems() {
		if i == 0 {
			r.out.Line("")
			r.out.Line("Skipped:")
		}
		r.out.Line("  %s", forUsers.Replace(p.String()))
	}
}

// forUsers removes names of Go from texts of the library, which users of kubectl do not know.
var forUsers = strings.NewReplacer("; set AllAddresses if the reader can use the others", "")
