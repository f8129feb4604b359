package slicertest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/notation"
)

// event is something that happens between two syncs. Every event is possible at any time, so that a
// history stays one when any event is left out: where there is nothing for it to do, it does
// nothing.
type event struct {
	name  string
	needs []string // features
	// do lets it happen and says in words what has happened. n chooses among several Pods or
	// slices. Empty: nothing.
	do func(r *replay, n int) string
}

// begins are what a history may begin with, before the writer starts.
var begins = []event{
	{"pods", nil, func(r *replay, n int) string {
		r.world.addPods(n)
		return when(n > 0, "%s", notation.Count(n, "Pod"))
	}},
	{"headless", []string{"Headless"}, starts("no cluster IP", func(s *corev1.Service) {
		s.Spec.ClusterIP = corev1.ClusterIPNone
		setFamilies(s, s.Spec.IPFamilies...)
	})},
	{"dual-stack", []string{"DualStack"}, starts("both families", func(s *corev1.Service) {
		setFamilies(s, corev1.IPv4Protocol, corev1.IPv6Protocol)
	})},
	{"ipv6", []string{"IPv6"}, starts("IPv6 only", func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })},
	{"named-port", []string{"NamedPorts"}, starts("a target port by name", func(s *corev1.Service) {
		s.Spec.Ports[0].TargetPort = intstr.FromString("http")
	})},
	{"second-port", []string{"SeveralPorts"}, toggleSecondPort},
	{"long-name", nil, starts("a name of 63 letters", func(s *corev1.Service) { s.Name = longName })},
	{"spelling", []string{"Spelling"}, func(r *replay, _ int) string {
		r.world.spelled = true
		if !dual(r.world.service) {
			r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
		}
		return "IPv6 addresses in capital letters"
	}},
}

// happenings are what the writer must answer, and faults what it meets while it does.
var happenings = slices.Concat(podEvents, serviceEvents, sliceEvents)

// eventOf is nil for a name that is none.
func eventOf(name string) *event {
	return named(slices.Concat(begins, happenings, faultEvents), name)
}

func named(list []event, name string) *event {
	if i := slices.IndexFunc(list, func(e event) bool { return e.name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// starts is an event that changes the Service, with the words for it.
func starts(text string, change func(*corev1.Service)) func(*replay, int) string {
	return func(r *replay, _ int) string {
		r.world.change(change)
		return text
	}
}

// when returns the text if the condition holds, and nothing else.
func when(happened bool, format string, args ...any) string {
	if !happened {
		return ""
	}
	return fmt.Sprintf(format, args...)
}
