package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	dedup "github.com/slicewright/slicewright/examples/internal/olddedup"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
)

// outlook is what the endpoints of one port and family would get with some hints.
type outlook struct {
	Service     string `json:"service"`
	Port        string `json:"port"`
	AddressType string `json:"addressType"`
	Hints       string `json:"hints"`         // which
	Why         string `json:"why,omitempty"` // there are none
	worst
	Across  percent `json:"acrossZones"`
	Idle    int     `json:"withoutTraffic"`    // usable endpoints
	Dropped int     `json:"dropped,omitempty"` // sources without an endpoint
	Lost    *worst  `json:"worstZoneLost,omitempty"`
}

// worst is the highest load.
type worst struct {
	Load     percent `json:"highestLoad"` // above the mean, which is that of no outage
	Endpoint string  `json:"endpoint"`
	Zone     string  `json:"zone,omitempty"` // that is lost
}

// percent is in hundredths.
type percent int64

func (p percent) String() string               { return forecast.Overload(p).String() }
func (p percent) MarshalJSON() ([]byte, error) { return json.Marshal(float64(p) / 100) }

// sources are the Nodes that send traffic, with the weights that Kubernetes takes, or with those of
// the flag divided among the Nodes of a zone. What Nodes are left out is said in words.
func (c config) sources(nodes []*corev1.Node) (from []forecast.Source, left []string, err error) {
	byZone := map[string][]forecast.Source{}
	for _, n := range nodes {
		w := hints.NodeWeights([]*corev1.Node{n}, nil)
		for _, name := range w.Missing {
			left = append(left, fmt.Sprintf("Node %s sends nothing here: it has no zone or no CPU", name))
		}
		for zone, weight := range w.Zones {
			byZone[zone] = append(byZone[zone],
				forecast.Source{Location: routing.Location{NodeName: n.Name, Zone: zone}, Weight: weight})
		}
	}
	for zone, weight := range c.weights {
		if byZone[zone] == nil {
			byZone[zone] = []forecast.Source{{Location: routing.Location{Zone: zone}}}
		}
		for i := range byZone[zone] {
			byZone[zone][i].Weight = weight * weightUnit / int64(len(byZone[zone]))
		}
	}
	for zone, list := range byZone {
		if _, ok := c.weights[zone]; ok || len(c.weights) == 0 {
			from = append(from, list...)
		}
	}
	slices.SortFunc(from, func(a, b forecast.Source) int {
		return cmp.Or(cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.NodeName, b.NodeName))
	})
	if len(from) == 0 {
		return nil, nil, fmt.Errorf("-forecast: no Node that takes traffic is in the input, which has %d: add what "+
			"kubectl get nodes prints, or say -weight zone=n", len(nodes))
	}
	return from, left, nil
}

// variant is hints to forecast.
type variant struct {
	name    string
	options *hints.Options // nil: as published
}

// variants lists the rows.
func (c config) variants(from []forecast.Source) []variant {
	weights := hints.Weights{Zones: map[string]int64{}}
	for _, s := range from {
		weights.Zones[s.Zone] += s.Weight
	}
	return []variant{
		{"none", &hints.Options{}},
		{"as published", nil},
		{"PreferSameZone", &hints.Options{Mode: hints.PreferSameZone}},
		{fmt.Sprintf("PreferSameZone up to +%d%%", c.limit),
			&hints.Options{Mode: hints.PreferSameZone, Limit: c.limit, Weights: weights}},
		{"PreferSameNode", &hints.Options{Mode: hints.PreferSameNode}},
		{"topology mode", &hints.Options{Mode: hints.Auto, Weights: weights}},
	}
}

// hinted gives endpoints the hints of a variant as a writer would that starts with none, and says
// why there are none.
func (v variant) hinted(list []dedup.Endpoint) ([]routing.Candidate, string, error) {
	candidates := make([]routing.Candidate, len(list))
	endpoints := make([]discoveryv1.Endpoint, len(list))
	for i, e := range list {
		candidates[i] = e.Candidate()
		endpoints[i] = discoveryv1.Endpoint{Addresses: []string{e.Host()}, Conditions: e.State.API()}
		if e.Zone != "" {
			endpoints[i].Zone = &e.Zone
		}
		if e.NodeName != "" {
			endpoints[i].NodeName = &e.NodeName
		}
	}
	if v.options == nil {
		return candidates, "", nil
	}
	for i := range candidates {
		candidates[i].ForZones, candidates[i].ForNodes = nil, nil
	}
	made, decision, err := hints.Assign(*v.options, endpoints)
	for i, given := range made {
		if given != nil {
			candidates[i].ForZones, candidates[i].ForNodes = given.ForZones, given.ForNodes
		}
	}
	why := ""
	if v.options.Mode != hints.None && !decision.On {
		why = decision.Reason
	}
	return candidates, why, err
}

// forecasts returns a row for each variant.
func (c config) forecasts(list []dedup.Endpoint, from []forecast.Source,
	policy routing.Policy) (rows []outlook, err error) {
	for _, v := range c.variants(from) {
		candidates, why, err := v.hinted(list)
		if err != nil {
			return nil, err
		}
		row := outlook{Hints: v.name, Why: why}
		t, err := traffic(candidates, from, policy)
		if err != nil {
			return nil, err
		}
		row.Across, row.Dropped = percent(t.Across), len(t.Dropped)
		for i, e := range list {
			if e.State.Ready && t.Loads[i] == -10_000 {
				row.Idle++
			}
		}
		mean := meanOf(candidates, from, t)
		row.worst = highest(list, t, mean, mean)
		if row.Lost, err = c.outage(list, candidates, from, policy, mean); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func traffic(candidates []routing.Candidate, from []forecast.Source, policy routing.Policy) (forecast.Traffic, error) {
	return forecast.Forecast(candidates, func(c routing.Candidate) routing.Candidate { return c }, from, policy)
}

// meanOf is the mean that the loads of a forecast are compared with: what is served, for each ready
// endpoint, or for each that drains where none is ready.
func meanOf(candidates []routing.Candidate, from []forecast.Source, t forecast.Traffic) float64 {
	ready := 0
	draining := 0
	served := int64(0)
	for _, c := range candidates {
		if c.State.Ready {
			ready++
		} else if c.State.Serving && c.State.Terminating {
			draining++
		}
	}
	for i, s := range from {
		if !slices.Contains(t.Dropped, i) {
			served += s.Weight
		}
	}
	return float64(served) / float64(max(1, cmp.Or(ready, draining)))
}

// highest is the highest load of a forecast with mean now, as far as it is above another mean.
func highest(list []dedup.Endpoint, t forecast.Traffic, now, mean float64) worst {
	if t.Worst < 0 {
		return worst{Endpoint: "-"}
	}
	load := float64(10_000+t.Loads[t.Worst])*now/mean - 10_000
	return worst{Load: percent(math.Ceil(load - 1e-6)), Endpoint: list[t.Worst].String()}
}

// outage forecasts the loss of each zone, with the hints as they are, and returns the worst; nil:
// no endpoint has a zone. What a lost zone's clients sent is gone, or comes from the others in
// proportion.
func (c config) outage(list []dedup.Endpoint, candidates []routing.Candidate, from []forecast.Source,
	policy routing.Policy, mean float64) (found *worst, err error) {
	zones := map[string]bool{}
	for _, e := range list {
		zones[e.Zone] = true
	}
	delete(zones, "")
	all := int64(0)
	for _, s := range from {
		all += s.Weight
	}
	for _, zone := range slices.Sorted(maps.Keys(zones)) {
		var left []dedup.Endpoint
		var still []routing.Candidate
		for i, e := range list {
			if e.Zone != zone {
				left = append(left, e)
				still = append(still, candidates[i])
			}
		}
		others := slices.DeleteFunc(slices.Clone(from), func(s forecast.Source) bool { return s.Zone == zone })
		sent := int64(0)
		for _, s := range others {
			sent += s.Weight
		}
		if sent == 0 {
			continue // no source sends anything
		}
		t, err := traffic(still, others, policy)
		if err != nil {
			return nil, err
		}
		now := meanOf(still, others, t)
		if c.clients == "move" {
			now = now * float64(all) / float64(sent)
		}
		w := highest(left, t, now, mean)
		if w.Zone = zone; t.Worst < 0 {
			return &w, nil // nothing is left, and nothing is worse
		}
		if found == nil || w.Load > found.Load {
			found = &w
		}
	}
	return found, nil
}

// forecast prints what hints would do to each port and family of the Services.
func (c config) forecast(out *commandline.Output, in input, services []subject, nodes []*corev1.Node) error {
	from, left, err := c.sources(nodes)
	if err != nil {
		return err
	}
	var tables [][]outlook
	for _, s := range services {
		policy, made := routing.Inside(s.object), in.rulesOf(s)
		for port := range in.all.Ports(s.name) {
			for _, all := range byFamily(in.all, port) {
				list := made.of(port, family(all[0]))
				if len(list) == 0 {
					left = append(left, fmt.Sprintf("Service %s, port %s, %s: no traffic: %s", s.name, portName(port),
						family(all[0]), made.why(port, all[0])))
					continue
				}
				rows, err := c.forecasts(list, from, policy)
				if err != nil {
					return err
				}
				for i := range rows {
					rows[i].Service = s.name.String()
					rows[i].Port = portName(port)
					rows[i].AddressType = family(list[0])
				}
				tables = append(tables, rows)
			}
		}
	}
	if c.output == "json" {
		text, err := json.MarshalIndent(append([]outlook{}, slices.Concat(tables...)...), "", "  ")
		out.JSON(string(text))
		return err
	}
	for _, line := range left {
		out.Line("Note: %s", line)
	}
	for _, rows := range tables {
		out.Line("Service %s, port %s, %s: highest load above the mean", rows[0].Service, rows[0].Port,
			rows[0].AddressType)
		out.Line("")
		forecastTable(rows).Print(out)
		out.Line("")
	}
	out.Line("ACROSS is the share that leaves its zone, IDLE counts ready endpoints without traffic, DROPPED Nodes " +
		"without an endpoint.")
	out.Line("ZONE LOST is the zone whose loss costs most, THEN the highest load above the same mean; hints stay, "+
		"and clients %s.", map[string]string{"move": "of the zone come from others",
		"go": "of the zone are gone"}[c.clients])
	return nil
}

func forecastTable(rows []outlook) *commandline.Table {
	table := &commandline.Table{Indent: "  "}
	table.Row(commandline.Bold, "HINTS", "HIGHEST", "OF", "ACROSS", "IDLE", "DROPPED", "ZONE LOST", "THEN",
		"WHY NO HINTS")
	for _, r := range rows {
		zone, load := "-", "-"
		if r.Lost != nil {
			zone, load = r.Lost.Zone, r.Lost.text()
		}
		table.Row("", r.Hints, r.worst.text(), r.Endpoint, fmt.Sprintf("%d.%02d%%", r.Across/100, r.Across%100),
			fmt.Sprint(r.Idle), fmt.Sprint(r.Dropped), zone, load, dash(r.Why))
	}
	return table
}

func (w worst) text() string {
	if w.Endpoint == "-" {
		return "no endpoint"
	}
	return w.Load.String()
}
