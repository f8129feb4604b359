package main

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/hints"
)

// sources are the Nodes that send traffic, as much as Kubernetes takes them to send.
func (r *report) sources() (from []routing.Source, err error) {
	var left []string
	for _, n := range r.objects.Nodes {
		zones := hints.NodeWeights([]*corev1.Node{n}, nil).Zones
		if len(zones) == 0 {
			left = append(left, "Node "+n.Name+": it has no zone or no CPU, or takes no traffic")
		}
		for zone, weight := range zones {
			at := routing.Location{NodeName: n.Name, Zone: zone}
			from = append(from, routing.Source{Location: at, Weight: weight})
		}
	}
	if len(from) == 0 {
		return nil, fmt.Errorf("-forecast: no Node that takes traffic is in the input, which has %d: add what "+
			"kubectl get nodes prints", len(r.objects.Nodes))
	}
	r.List("Note: sends nothing here: ", left)
	return from, nil
}

// loads prints how busy endpoints would be with the hints as they are, and without. Load balancers send
// nothing to a Node without a ready endpoint if the policy for traffic from outside is Local.
func (r *report) loads(list []dedup.Endpoint, policy routing.Policy, outside bool) error {
	from := r.from
	if outside && policy.Local {
		from = slices.DeleteFunc(slices.Clone(from), func(s routing.Source) bool {
			return !slices.ContainsFunc(list, func(e dedup.Endpoint) bool {
				return e.Conditions.Ready && e.NodeName == s.Location.NodeName
			})
		})
	}
	for _, policy.IgnoreHints = range []bool{false, true} {
		load, err := routing.Forecast(list, from, policy)
		if err != nil {
			return err
		}
		busiest := 0
		for i := range list {
			if load.Endpoints[i] > load.Endpoints[busiest] {
				busiest = i
			}
		}
		r.Line("  %s: the busiest is %v with %.2f times the mean; %.0f%% leaves its zone, %s without an endpoint",
			map[bool]string{false: "hints as published", true: "without hints"}[policy.IgnoreHints], list[busiest],
			load.Endpoints[busiest], 100*load.CrossZone, command.Count(len(load.Dropped), "Node"))
	}
	return nil
}
