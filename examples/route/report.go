package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// report prints for people.
type report struct {
	*config
	*command.Output
	objects *manifest.Objects
	at      routing.Location
	from    []routing.Source
	skipped map[string]int // endpoints that no row has, by slice
}

// run prints each Service: a part for each port, family and kind of traffic.
func (c *config) run(objects *manifest.Objects, out *command.Output) (err error) {
	r := &report{config: c, Output: out, objects: objects, skipped: map[string]int{}}
	place := "all Nodes"
	if !c.forecasting {
		place = r.place()
	} else if r.from, err = r.sources(); err != nil {
		return err
	}
	if len(objects.EndpointSlices) == 0 {
		return fmt.Errorf("no EndpointSlice in the input; give what kubectl get services,endpointslices -o json prints")
	}
	known := everything(objects.EndpointSlices)
	var others []string
	all := subjectsOf(objects)
	for _, s := range all {
		if c.Service != "" && !manifest.Named(c.Service, s) {
			others = append(others, s.name().String())
			continue
		}
		r.Line("Service %v, seen from %s", s.name(), place)
		r.Lines("  ", s.remarks())
		sections := s.sections(known, r.skipped)
		made := rulesOf(s)
		for _, sec := range sections {
			if err == nil {
				err = r.section(s, sec, made)
			}
		}
		r.Lines("", s.missing(sections))
	}
	if c.Service != "" && len(others) == len(all) {
		return fmt.Errorf("-service %s: no such Service in the input; check the name", c.Service)
	}
	r.left(others)
	return err
}

// place says where traffic comes from, and notes a name that nothing in the input has, because it may
// be misspelt.
func (r *report) place() string {
	r.at = routing.Location{NodeName: r.node, Zone: r.zone}
	for _, n := range r.objects.Nodes {
		if n.Name == r.node && r.zone == "" {
			r.at.Zone = n.Labels[corev1.LabelTopologyZone]
		}
	}
	text, err := json.Marshal([]any{r.objects.Nodes, r.objects.EndpointSlices})
	for _, name := range []string{r.node, r.zone} {
		if err == nil && name != "" && !bytes.Contains(text, []byte(strconv.Quote(name))) {
			r.Line("Note: no Node, endpoint or hint in the input is of the node or zone %s; check the name", name)
		}
	}
	if r.node == "" {
		return "zone " + r.zone
	}
	return "node " + r.node + " in zone " + cmp.Or(r.at.Zone, "unknown")
}

// section prints a port and family for traffic from inside the cluster and, if its policy is another,
// from outside.
func (r *report) section(s *subject, sec *section, made rules) error {
	slices.SortFunc(sec.rows, func(a, b *row) int {
		return cmp.Or(a.Address.Compare(b.Address), strings.Compare(a.String(), b.String()))
	})
	outside, ok := routing.External(s.Service)
	j := newJudge(s, sec, made, r.at, routing.Internal(s.Service))
	title := fmt.Sprintf("Port %s, %s", sec.port, sec.family)
	if sec.port == noPort+"/TCP" {
		title = fmt.Sprintf("Slices without ports, %s", sec.family)
	}
	for {
		if r.forecasting && len(j.ruled) > 0 {
			r.Line("%s: the load of %d endpoints of %d", title, len(j.ruled), len(sec.rows))
			if err := r.loads(j.ruled, j.policy, j.policy == outside); err != nil {
				return err
			}
		} else {
			r.Line("%s: %s", title, j.summary())
		}
		if !r.forecasting || len(j.ruled) < len(sec.rows) {
			r.rows(j)
		}
		if !ok || outside == j.policy || len(j.ruled) == 0 {
			return nil
		}
		j = newJudge(s, sec, made, r.at, outside)
		title += ", traffic from outside"
	}
}

// rows prints each endpoint and what becomes of it; in a forecast only those without traffic.
func (r *report) rows(j *judge) {
	rows := [][]string{{"USED", "ENDPOINT", "STATE", "ZONE", "NODE", "HINTS", "TARGET", "SLICE", "WHY"}}
	count := map[string]int{}
	for _, e := range j.rows {
		if _, ruled := j.verdicts[e.String()]; ruled && r.forecasting {
			continue
		}
		used, why := j.verdict(e)
		if count[used+", "+why]++; r.All || count[used+", "+why] <= command.Few {
			rows = append(rows, append([]string{used}, append(e.cells(), strings.Join(e.slices, ","), why)...))
		}
	}
	r.Table(rows)
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		if n := count[kind] - command.Few; n > 0 && !r.All {
			r.Line("  and %d more: %s (-all lists them)", n, kind)
		}
	}
}

// remarks are what the Service says that is not about one port.
func (s *subject) remarks() (lines []string) {
	say := func(holds bool, text string) {
		if holds {
			lines = append(lines, text)
		}
	}
	outside, _ := routing.External(s.Service)
	say(!s.given, "the Service is not in the input: it is taken to have these ports, both families and policy Cluster")
	say(s.assumed, "the Service has no clusterIP, so one is assumed; write clusterIP: None for a headless Service")
	say(routing.Internal(s.Service).Local, "internalTrafficPolicy: Local")
	say(outside.Local, "externalTrafficPolicy: Local")
	say(s.Spec.SessionAffinity == corev1.ServiceAffinityClientIP, "sessionAffinity: ClientIP: each client stays at "+
		"one of the endpoints that are used")
	say(len(s.slices) == 0, "no EndpointSlice of its namespace is in the input and has its name in the label "+
		discoveryv1.LabelServiceName)
	return lines
}

// missing says of each port of the Service which slices do not have it, and why it has no part.
func (s *subject) missing(all []*section) (lines []string) {
	for _, p := range s.Spec.Ports {
		name := manifest.PortName(p)
		lack := 0
		var without []string
		for _, slice := range s.slices {
			if !slices.ContainsFunc(slice.Ports, func(p discoveryv1.EndpointPort) bool {
				return manifest.PortName(manifest.PortOf(p)) == name
			}) {
				lack += len(slice.Endpoints)
				without = append(without, slice.Name)
			}
		}
		part := slices.ContainsFunc(all, func(sec *section) bool { return sec.port == name })
		switch {
		case len(without) == len(s.slices):
			lines = append(lines, fmt.Sprintf("Port %s: no slice has a port of this name and protocol", name))
		case !part:
			lines = append(lines, fmt.Sprintf("Port %s: its slices have no endpoint that could be read", name))
		case lack > 0:
			lines = append(lines, fmt.Sprintf("Port %s: %s of slices that do not have it get no traffic for it: %s",
				name, command.Count(lack, "endpoint"), strings.Join(without, ", ")))
		}
	}
	return lines
}

// left prints what is in no part, and why.
func (r *report) left(others []string) {
	var nameless, unread, problems, conflicts []string
	for _, s := range r.objects.EndpointSlices {
		name := s.Namespace + "/" + s.Name
		if s.Labels[discoveryv1.LabelServiceName] == "" {
			nameless = append(nameless, fmt.Sprintf("%s: %s", name, command.Count(len(s.Endpoints), "endpoint")))
		} else if n := r.skipped[name]; n > 0 {
			unread = append(unread, fmt.Sprintf("%s: %s", name, command.Count(n, "endpoint")))
		}
	}
	view := dedup.Merge(r.objects.EndpointSlices, allTypes)
	for _, p := range view.Warnings() {
		problems = append(problems, forUsers.Replace(p.String()))
	}
	for c := range view.Conflicts() {
		conflicts = append(conflicts, c)
	}
	list := func(heading string, lines []string) {
		if len(lines) > 0 {
			r.Line("%s: %d", heading, len(lines))
			r.List("  ", lines)
		}
	}
	list("Slices without the label "+discoveryv1.LabelServiceName+", which no client of a Service reads; add it with "+
		"the name of the Service", nameless)
	list("Slices with endpoints that no table has, counted for each port and address; the next lines say why", unread)
	list("Skipped in slices", problems)
	list("Endpoints about which slices disagree", conflicts)
	list("Services that -service does not name, with their slices", others)
	o := r.objects
	r.Lines("Note: ", append(o.Left(), fmt.Sprintf("read %s, %s and %s; %s and %d Endpoints are not needed",
		command.Count(len(o.Services), "Service"), command.Count(len(o.Nodes), "Node"),
		command.Count(len(o.EndpointSlices), "EndpointSlice"), command.Count(len(o.Pods), "Pod"), len(o.Endpoints))))
}

// forUsers removes names of Go from texts of the library, which users of kubectl do not know.
var forUsers = strings.NewReplacer("; set Options.AllAddresses if the reader can use the others", "")

// cells are the endpoint, its state, place, hints and target.
func (e *row) cells() []string {
	state := map[bool]string{true: "ready", false: "unready"}[e.Conditions.Ready]
	if e.Conditions.Terminating {
		state += ",terminating"
	}
	if e.Conditions.Serving != e.Conditions.Ready || e.Conditions.Terminating {
		state += map[bool]string{true: ",serving", false: ",not serving"}[e.Conditions.Serving]
	}
	var names []string
	for i := 0; e.Hints != nil && i < len(e.Hints.ForZones); i++ {
		names = append(names, e.Hints.ForZones[i].Name)
	}
	for i := 0; e.Hints != nil && i < len(e.Hints.ForNodes); i++ {
		names = append(names, "node:"+e.Hints.ForNodes[i].Name)
	}
	target := "-"
	if e.TargetRef != nil {
		target = strings.TrimPrefix(e.TargetRef.Kind+"/"+e.TargetRef.Name, "Pod/")
	}
	return []string{e.String(), state, cmp.Or(e.Zone, "-"), cmp.Or(e.NodeName, "-"),
		cmp.Or(strings.Join(names, ","), "-"), target}
}
