package slicertest

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/kit"
)

// event is something that happens between two syncs. Every event is possible at any time, even if
// it can change nothing, so that a history stays valid if any of its events is left out.
type event struct {
	name  string
	needs []string // features
	// do makes the event happen and returns a description. If nothing has happened, the description
	// is empty. n chooses among several Pods or slices.
	do func(r *replay, n int) string
}

// Event implements kit.Event.
func (e event) Event() (name string, needs []string) { return e.name, e.needs }

// begins are the events that a history may have before the writer starts.
var begins = []event{
	{"pods", nil, func(r *replay, n int) string {
		r.cluster.addPods(n)
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
	{"reserved-labels", []string{"ServiceLabels"}, starts("labels of the Service that mean something on slices",
		func(s *corev1.Service) {
			s.Labels[discoveryv1.LabelServiceName] = "other"
			s.Labels[discoveryv1.LabelManagedBy] = otherManager
			s.Labels[corev1.IsHeadlessService] = ""
		})},
	{"long-name", nil, starts("a name of 63 letters", func(s *corev1.Service) { s.Name = longName })},
	*kit.Named("publish-not-ready", podEvents), *kit.Named("same-node", placeEvents),
	{"spelling", []string{"Spelling"}, func(r *replay, _ int) string {
		r.cluster.spelled = true
		if !dual(r.cluster.service) {
			r.cluster.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
		}
		return "IPv6 addresses in capital letters"
	}},
}

// groups are the events after which the writer is called. faultEvents prepare the faults of its
// requests.
var groups = [][]event{podEvents, portEvents, placeEvents, serviceEvents, sliceEvents}

// eventOf returns the event with a name, or nil if there is none.
func eventOf(name string) *event { return kit.Named(name, allEvents()...) }

func allEvents() [][]event { return append([][]event{begins, faultEvents}, groups...) }

// starts returns the function of an event that changes the Service before the writer starts. text
// describes the event.
func starts(text string, change func(*corev1.Service)) func(*replay, int) string {
	return func(r *replay, _ int) string {
		r.cluster.change(change)
		return text
	}
}

// when returns the text if the event has happened, and otherwise "".
func when(happened bool, format string, args ...any) string {
	if !happened {
		return ""
	}
	return fmt.Sprintf(format, args...)
}
