package slicertest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/notation"
)

// event is something that happens between two syncs. Every event is possible at any time, so that a history stays one when
// any event is left out: where there is nothing for it to do, it does nothing.
type event struct {
	name  string
	kind  kind
	needs []string // features
	// do lets it happen and says in words what has happened. n chooses among several Pods or slices. Empty: nothing.
	do func(r *replay, n int) string
}

type kind int

const (
	happens kind = iota
	begin        // before the writer starts
	arm          // a fault, which the next events meet
)

// events are all. What other people do, and what the writer may have left, is in others.go.
var events = []event{
	{"pods", begin, nil, startWithPods},
	{"headless", begin, []string{"Headless"}, startHeadless},
	{"dual-stack", begin, []string{"DualStack"}, startDual},
	{"ipv6", begin, []string{"IPv6"}, startIPv6},
	{"named-port", begin, []string{"NamedPorts"}, startWithNamedPort},
	{"second-port", begin, []string{"SeveralPorts"}, toggleSecondPort},
	{"long-name", begin, nil, startWithLongName},
	{"spelling", begin, []string{"Spelling"}, startWithSpelling},

	{"add-pod", happens, nil, addPod},
	{"add-pods", happens, nil, addPods},
	{"remove-pod", happens, nil, removePod},
	{"remove-all-but-one", happens, nil, removeAllButOne},
	{"remove-all", happens, nil, removeAll},
	{"replace-all", happens, nil, replaceAll},
	{"recreate-pod", happens, nil, recreatePod},
	{"away", happens, []string{"LateCaches"}, toggleAway},
	{"reuse-address", happens, []string{"ReusedAddresses"}, reuseAddress},
	{"ready", happens, nil, toggleReady},
	{"terminate", happens, nil, terminatePod},
	{"finish", happens, nil, finishPod},
	{"pending", happens, nil, addPending},
	{"number", happens, nil, changeNumber},
	{"rename-port", happens, nil, renamePort},
	{"toggle-second-port", happens, []string{"SeveralPorts"}, toggleSecondPort},
	{"dns", happens, []string{"SeveralPorts", "Protocols"}, toggleDNS},
	{"app-protocol", happens, []string{"AppProtocol"}, toggleAppProtocol},
	{"split-numbers", happens, []string{"NamedPorts"}, splitNumbers},
	{"families", happens, []string{"DualStack"}, toggleFamilies},
	{"label", happens, []string{"ServiceLabels"}, toggleLabel},
	{"publish-not-ready", happens, []string{"PublishNotReady"}, togglePublishNotReady},
	{"node", happens, []string{"LostNodes"}, toggleNode},
	{"distribution", happens, []string{"Hints"}, toggleDistribution},
	{"recreate", happens, []string{"Recreated"}, recreateService},
	{"recreate-other-family", happens, []string{"Recreated", "IPv6"}, recreateWithOtherFamily},
	{"delete-service", happens, []string{"Recreated"}, deleteService},

	{"foreign", happens, []string{"Others"}, publishForeign},
	{"elsewhere", happens, []string{"Namespaces"}, publishElsewhere},
	{"delete", happens, []string{"Others"}, deleteOne},
	{"mark", happens, []string{"Others"}, markAll},
	{"copy", happens, []string{"Leftovers"}, copyOne},
	{"older-version", happens, []string{"Leftovers"}, writeAsOlderVersion},
	{"join", happens, []string{"Oversized"}, joinSlices},

	{"refuse", arm, []string{"Faults"}, arms(func(f *faults) *bool { return &f.refused }, "the next write will fail")},
	{"lose", arm, []string{"Faults"}, arms(func(f *faults) *bool { return &f.lost }, "the answer to the next write will be lost")},
	{"conflict", arm, []string{"Others"}, arms(func(f *faults) *bool { return &f.conflict }, "somebody will annotate a slice just before it is written")},
	{"twin", arm, []string{"Replicas"}, arms(func(f *faults) *bool { return &f.twin }, "a second instance will make the next create just before")},
	{"swift-delete", arm, []string{"Others"}, arms(func(f *faults) *bool { return &f.swift }, "somebody will delete the next slice that is written, before its answer is there")},
	{"rival", arm, []string{"Replicas"}, arms(func(f *faults) *bool { return &f.rival }, "a second instance will sync just before the next write")},
	{"late", arm, []string{"LateViews"}, arms(func(f *faults) *bool { return &f.late }, "the next writes will be seen late")},
	{"crash", arm, []string{"Crashes"}, crashSoon},
}

// eventOf is nil for a name that is none.
func eventOf(name string) *event {
	if i := slices.IndexFunc(events, func(e event) bool { return e.name == name }); i >= 0 {
		return &events[i]
	}
	return nil
}

// when returns the text if the condition holds, and nothing else.
func when(happened bool, format string, args ...any) string {
	if !happened {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// What a history may begin with, before the writer starts.

func startWithPods(r *replay, n int) string {
	for range n {
		r.world.addPod(portNumber)
	}
	return when(n > 0, "%s", notation.Count(n, "Pod"))
}

// starts is an event that changes the Service, with the words for it.
func starts(text string, change func(*corev1.Service)) func(*replay, int) string {
	return func(r *replay, _ int) string {
		r.world.change(change)
		return text
	}
}

var (
	startDual          = starts("both families", func(s *corev1.Service) { setFamilies(s, corev1.IPv4Protocol, corev1.IPv6Protocol) })
	startIPv6          = starts("IPv6 only", func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
	startWithNamedPort = starts("a target port by name", func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
	startWithLongName  = starts("a name of 63 letters", func(s *corev1.Service) { s.Name = longName })
	startHeadless      = starts("no cluster IP", func(s *corev1.Service) {
		s.Spec.ClusterIP = corev1.ClusterIPNone
		setFamilies(s, s.Spec.IPFamilies...)
	})
)

func startWithSpelling(r *replay, _ int) string {
	r.world.spelled = true
	if !dual(r.world.service) {
		r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
	}
	return "IPv6 addresses in capital letters"
}
