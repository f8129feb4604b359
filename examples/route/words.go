package main

import (
	"cmp"

	"github.com/slicewright/slicewright/conditions"
	dedup "github.com/slicewright/slicewright/examples/internal/olddedup"
)

// dash stands for what is not known.
func dash(s string) string { return cmp.Or(s, "-") }

// stateText is one word for three conditions, and a second one where they do not fit it.
func stateText(s conditions.State) string {
	switch {
	case s.Ready && s.Terminating:
		return "ready,terminating"
	case s.Ready:
		return "ready"
	case s.Serving && s.Terminating:
		return "draining"
	case s.Terminating:
		return "terminating"
	default:
		return "unready"
	}
}

// targetText leaves out the namespace, and the kind of Pods.
func targetText(t dedup.Target) string {
	if t.Kind == "Pod" || t.Kind == "" {
		return t.Name
	}
	return t.Kind + "/" + t.Name
}

// says is what a slice has to say about an endpoint.
func says(e dedup.Endpoint) string {
	text := stateText(e.State)
	if t := targetText(e.Target); t != "" {
		text += " " + t
	}
	if e.Zone != "" {
		text += " in " + e.Zone
	}
	return text
}

func lossText(r dedup.LossReason) string {
	switch r {
	case dedup.OlderSlice:
		return "and is the older slice"
	case dedup.Terminating:
		return "which terminates"
	case dedup.NotReady:
		return "which is not ready"
	case dedup.NotServing:
		return "which does not serve"
	default:
		return "and comes later by name"
	}
}
