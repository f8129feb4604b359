package slicer_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

func ptr[T any](v T) *T { return &v }

func slice(name string, port int32, endpoints ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Namespace: "ns", Name: name},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: ptr("http"), Protocol: ptr(corev1.ProtocolTCP), Port: &port}},
		Endpoints:   endpoints,
	}
}

func endpoint(address string) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{Addresses: []string{address}}
}

func ready(e discoveryv1.Endpoint, is bool) discoveryv1.Endpoint {
	e.Conditions.Ready = &is
	return e
}

// TestStepString has what package notation does not print: how a step begins and ends, and what differs besides endpoints.
func TestStepString(t *testing.T) {
	generated := slice("", 80, endpoint("10.0.0.2"), endpoint("10.0.0.1"), endpoint("10.0.0.3"))
	generated.GenerateName = "web-"
	labelled := slice("web-a", 80)
	labelled.Labels = map[string]string{"app": "web", "tier": "b"}
	labelled.OwnerReferences = []metav1.OwnerReference{{Kind: "Service", Name: "web", UID: "u", Controller: ptr(true)}}
	tiered := slice("web-a", 80)
	tiered.Labels = map[string]string{"old": "1", "tier": "a"}

	for _, row := range []struct {
		why  string
		step slicer.Step
		want string
	}{
		{"a create names type and ports, in canonical order",
			slicer.Step{Verb: slicer.Create, New: generated, Added: 3, Reasons: []slicer.Reason{slicer.EndpointsAdded}},
			"create web-* ipv4 http:80: +10.0.0.1..3 (EndpointsAdded)"},
		{"an update lists what differs, a delete what leaves",
			slicer.Step{Verb: slicer.Update, Old: slice("web-a", 80, endpoint("10.0.0.1"), endpoint("10.0.0.2")),
				New:     slice("web-a", 80, ready(endpoint("10.0.0.2"), false), endpoint("10.0.0.3")),
				Changed: 1, Added: 1, Removed: 1, Reasons: []slicer.Reason{slicer.EndpointsAdded, slicer.EndpointsRemoved}},
			"update web-a: -10.0.0.1 +10.0.0.3 ~10.0.0.2{!ready} (EndpointsAdded, EndpointsRemoved)"},
		{"nil ready is ready", slicer.Step{Verb: slicer.Update, Old: slice("web-a", 80, endpoint("10.0.0.1")),
			New: slice("web-a", 80, ready(endpoint("10.0.0.1"), true)), Reasons: []slicer.Reason{slicer.LabelsChanged}},
			"update web-a (LabelsChanged)"},
		{"labels and owners say what differs",
			slicer.Step{Verb: slicer.Update, Old: tiered, New: labelled, Reasons: []slicer.Reason{slicer.LabelsChanged, slicer.OwnersChanged}},
			"update web-a: labels +app=web -old ~tier=b owners +Service/web/u* (LabelsChanged, OwnersChanged)"},
		{"a step of nothing does not panic", slicer.Step{}, ""},
	} {
		if got := row.step.String(); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.why, got, row.want)
		}
	}
	if got := (slicer.Ignored{Slice: tiered, Reason: slicer.Foreign}).String(); got != "web-a: Foreign" {
		t.Errorf("ignored: %s", got)
	}
}

// TestCausesArePrinted: an update that keeps its ports prints the endpoints that it counts and no others, and of each that
// changes a field or an address in which it does. An update without such endpoints prints what else differs.
func TestCausesArePrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, _ := gen.World(t).Compute()
		for _, s := range plan.Steps {
			if s.Verb != slicer.Update || !notation.SamePorts(s.Old.Ports, s.New.Ports) {
				continue
			}
			count := map[string]int{}
			for _, item := range notation.Changes(notation.Write{Old: s.Old, New: s.New, Added: s.Added, Removed: s.Removed, Changed: s.Changed}) {
				count[item.Sign]++
				if item.Sign == "~" && item.Suffix == "" && !strings.Contains(item.Addresses, "->") {
					t.Fatalf("no cause: %v", s)
				}
			}
			if count["~"] != s.Changed || count["-"] != s.Removed || count["+"] != s.Added {
				t.Fatalf("%d added, %d removed, %d changed: %v\nold %s\nnew %s", s.Added, s.Removed, s.Changed, s,
					notation.Endpoints(s.Old.Endpoints, s.Old.Namespace), notation.Endpoints(s.New.Endpoints, s.New.Namespace))
			}
			for why, words := range map[slicer.Reason]string{
				slicer.LabelsChanged: " labels ", slicer.AnnotationsChanged: " annotations ", slicer.OwnersChanged: " owners ",
			} {
				if slices.Contains(s.Reasons, why) && !strings.Contains(s.String(), words) {
					t.Fatalf("no cause for %s: %v", why, s)
				}
			}
		}
	})
}
