package slicertest

import "fmt"

// event is something that happens between two syncs. Every event is possible at any time, so that a history stays one when
// any event is left out: where there is nothing for it to do, it does nothing.
type event struct {
	needs []Feature
	// do lets it happen and says in words what has happened. n chooses among several Pods or slices. Empty: nothing.
	do func(r *replay, n int) string
}

// events of Pods, Nodes and the Service. Those of other people, and what the writer may have left, are in others.go; faults are
// in fault.go, and what a history begins with is in setup.go.
var events = []event{
	{nil, addPod},
	{nil, addPods},
	{nil, removePod},
	{nil, removeAllButOne},
	{nil, removeAll},
	{nil, replaceAll},
	{nil, recreatePod},
	{nil, toggleReady},
	{nil, terminatePod},
	{nil, finishPod},
	{nil, addPending},
	{nil, changeNumber},
	{nil, renamePort},
	{[]Feature{SeveralPorts}, toggleSecondPort},
	{[]Feature{NamedPorts}, splitNumbers},
	{[]Feature{DualStack}, toggleFamilies},
	{[]Feature{ServiceLabels}, toggleLabel},
	{[]Feature{PublishNotReady}, togglePublishNotReady},
	{[]Feature{LostNodes}, toggleNode},
	{[]Feature{Hints}, toggleDistribution},
	{[]Feature{Recreated}, recreateService},
	{[]Feature{Recreated, IPv6}, recreateWithOtherFamily},
}

// when returns the text if the condition holds, and nothing else.
func when(happened bool, format string, args ...any) string {
	if !happened {
		return ""
	}
	return fmt.Sprintf(format, args...)
}
