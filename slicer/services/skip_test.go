package services_test

import (
	"errors"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

var errUnread = errors.New("no status of net2")

// TestSkipsKeepTheirCause: Warnings and Retry wrap what Addresses returned.
func TestSkipsKeepTheirCause(t *testing.T) {
	unread := func(*corev1.Pod) ([]string, error) { return nil, errUnread }
	o := services.Options{ManagedBy: manager, Addresses: unread, KeyLabel: "example.com/net2"}
	plan, err := services.Plan(aService(), []*corev1.Pod{aPod(1)}, nodes, nil, o)
	warnings := plan.Warnings()
	if err != nil || !errors.Is(plan.Retry(), errUnread) || len(warnings) != 1 || !errors.Is(warnings[0], errUnread) ||
		warnings[0].Path != "pods[0]" {
		t.Errorf("error %v, Retry() = %v, Warnings() = %v", err, plan.Retry(), warnings)
	}
	o.Addresses = func(pod *corev1.Pod) ([]string, error) {
		return nil, field.Invalid(field.NewPath("metadata", "annotations").Key("net2"), "{", "is no JSON")
	}
	plan, err = services.Plan(aService(), []*corev1.Pod{aPod(1)}, nodes, nil, o)
	warnings = plan.Warnings()
	if err != nil || plan.Retry() != nil || len(warnings) != 1 || !errors.As(warnings[0], new(*field.Error)) {
		t.Errorf("no retry mends the Pod: error %v, Retry() = %v, Warnings() = %v", err, plan.Retry(), warnings)
	}
}

// TestNil: no Service is a mistake in the call. TestMistakesAreNamed has nil Pods and
// slices.
func TestNil(t *testing.T) {
	o := services.Options{ManagedBy: manager}
	_, ofInput := services.Input(nil, nil, nil, o)
	_, ofPlan := services.Plan(nil, nil, nil, nil, o)
	_, ofBackends := services.BackendsInput(nil, nil, o)
	_, ofPlanBackends := services.PlanBackends(nil, nil, nil, o)
	_, ofRemoval := services.PlanRemoval(nil, nil, o)
	for _, err := range []error{ofInput, ofPlan, ofBackends, ofPlanBackends, ofRemoval} {
		var fault *field.Error
		if !errors.As(err, &fault) || fault.Field != "service" || fault.Detail == "" {
			t.Errorf("error %v", err)
		}
	}
	if pods, backends := services.Managed(nil); pods != services.NoService || backends != services.NoService {
		t.Errorf("Managed says %s and %s", pods, backends)
	}
}

// TestBackendTarget: the target is published as it is, without its resourceVersion, and the
// caller's stays as it was.
func TestBackendTarget(t *testing.T) {
	want := corev1.ObjectReference{
		APIVersion: "vm.example.com/v1", Kind: "VirtualMachine", Namespace: "shop", Name: "vm-1", UID: "v1",
		FieldPath: "spec",
	}
	given := want
	given.ResourceVersion = "7"
	backends := []services.Backend{{Addresses: []string{"10.0.0.1"}, TargetRef: given}}
	in, err := services.BackendsInput(aService(), backends, services.Options{ManagedBy: manager})
	if err != nil || *in.Groups[0].Endpoints[0].TargetRef != want || backends[0].TargetRef != given {
		t.Errorf("error %v, published %+v, given %+v", err, in.Groups[0].Endpoints[0].TargetRef, backends[0].TargetRef)
	}
}

// TestOnlyUnknownModesAreWarnings: values of the topology mode that Kubernetes knows are no
// warning, and neither is any value if the options choose the mode.
func TestOnlyUnknownModesAreWarnings(t *testing.T) {
	for _, row := range []struct {
		value string
		mode  hints.Mode
		want  int
	}{{"", "", 0}, {"Auto", "", 0}, {"auto", "", 0}, {"Disabled", "", 0}, {"disabled", "", 0}, {"AUTO", "", 1},
		{"AUTO", hints.PreferSameZone, 0}} {
		svc := aService()
		svc.Annotations = map[string]string{corev1.AnnotationTopologyMode: row.value}
		o := services.Options{ManagedBy: manager, Hints: hints.Options{Mode: row.mode}}
		plan, err := services.Plan(svc, []*corev1.Pod{aPod(1)}, nodes, nil, o)
		if err != nil || len(plan.Warnings()) != row.want {
			t.Errorf("%q with mode %q: error %v, warnings %v", row.value, row.mode, err, plan.Warnings())
		}
		for _, s := range plan.Skips {
			if s.Reason != services.UnknownTopologyMode {
				t.Errorf("%q: reason %s", row.value, s.Reason)
			}
		}
	}
}

// TestNothingRemoved: a removal that deletes nothing says so if there are slices of the Service,
// and only then.
func TestNothingRemoved(t *testing.T) {
	o := services.Options{ManagedBy: manager}
	for _, row := range []struct {
		existing []*discoveryv1.EndpointSlice
		want     []slicer.SkipReason
	}{
		{nil, nil},
		{[]*discoveryv1.EndpointSlice{managedSlice(manager)}, nil},
		{[]*discoveryv1.EndpointSlice{managedSlice("other.example.com")}, []slicer.SkipReason{services.NothingRemoved}},
	} {
		plan, err := services.PlanRemoval(aService(), row.existing, o)
		var got []slicer.SkipReason
		for _, s := range plan.Skips {
			got = append(got, s.Reason)
		}
		if err != nil || !slices.Equal(got, row.want) {
			t.Errorf("of %d slices: error %v, %q, want %q", len(row.existing), err, got, row.want)
		}
	}
}

// TestNoZones: hints by zone that no endpoint can get are a warning. Nothing is wrong if there is
// a way to find zones, if nothing is published, or if no zones are needed.
func TestNoZones(t *testing.T) {
	pods := []*corev1.Pod{aPod(1)}
	for name, row := range map[string]struct {
		pods []*corev1.Pod
		node func(string) *corev1.Node
		o    services.Options
		want bool
	}{
		"no way to find zones": {pods: pods, o: services.Options{Hints: hints.Options{Mode: hints.PreferSameZone}}, want: true},
		"ZoneFromPod":          {pods: pods, o: services.Options{Hints: hints.Options{Mode: hints.PreferSameZone}, ZoneFromPod: true}},
		"Nodes":                {pods: pods, node: nodes, o: services.Options{Hints: hints.Options{Mode: hints.PreferSameZone}}},
		"no Pods":              {o: services.Options{Hints: hints.Options{Mode: hints.PreferSameZone}}},
		"hints for Nodes":      {pods: pods, o: services.Options{Hints: hints.Options{Mode: hints.PreferSameNode}}},
		"no hints":             {pods: pods},
	} {
		row.o.ManagedBy = manager
		plan, err := services.Plan(aService(), row.pods, row.node, nil, row.o)
		if err != nil {
			t.Fatal(err)
		}
		warned := slices.ContainsFunc(plan.Warnings(), func(s slicer.Skip) bool { return s.Reason == services.NoZones })
		if warned != row.want {
			t.Errorf("%s: warned %t, want %t", name, warned, row.want)
		}
	}
}
