package main

import (
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// notes says what the input lacked, so that nobody takes a plan for more than it is.
func notes(objects *manifest.Objects, plans []planned) []string {
	var lines []string
	if len(objects.EndpointSlices) == 0 && creates(plans) {
		lines = append(lines, "no EndpointSlices in the input, so all are planned as new; add endpointslices to kubectl get, unless there are none.")
	}
	if len(objects.Pods) > 0 && len(objects.Nodes) == 0 {
		lines = append(lines, "no Nodes in the input, so no endpoint gets a zone; add nodes to kubectl get.")
	}
	if other := readPast(objects); other != "" {
		lines = append(lines, other+".")
	}
	return lines
}

func creates(plans []planned) bool {
	for _, p := range plans {
		if p.plan.Stats().Creates > 0 {
			return true
		}
	}
	return false
}
