package service_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// since says when a Pod's Ready condition last changed; the Service of these tests was created at 100.
func since(seconds int64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = at(seconds) }
}

// TestInputChanged: an endpoint changed when its Pod's Ready condition did, or when its backend says so.
func TestInputChanged(t *testing.T) {
	without := aPod(3)
	without.Status.Conditions = nil
	in, err := derive(t, aService(), []*corev1.Pod{aPod(1, since(200)), aPod(2, unready, since(300)), without}, nodes, service.Options{})
	if d := cmp.Diff([]time.Time{at(200).Time, at(300).Time, {}}, in.Groups[0].Changed); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	backends := []service.Backend{{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"10.0.0.2"}, Changed: at(200).Time}}
	in, err = deriveBackends(t, aService(), backends, service.Options{})
	if d := cmp.Diff([]time.Time{{}, at(200).Time}, in.Groups[0].Changed); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if !in.Set.Created.Equal(at(100).Time) || in.Set.TriggerTime != nil {
		t.Errorf("created %v, trigger time %v", in.Set.Created, in.Set.TriggerTime)
	}
}

// TestTriggerTime follows one Service through its life: what each plan writes as trigger time, in seconds, slice by slice;
// 0 for none.
func TestTriggerTime(t *testing.T) {
	pods := func(edits ...func(*corev1.Pod)) []*corev1.Pod {
		return []*corev1.Pod{aPod(1, since(200)), aPod(2, append(edits, since(300))...)}
	}
	relabelled := func(svc *corev1.Service) { svc.Labels = map[string]string{"tier": "gold"} }
	port := func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort.IntVal = 9090 }
	compact := slicer.Options{MaxEndpointsPerSlice: 2, Packing: slicer.Compact}
	for _, row := range []struct {
		why           string
		before, after []*corev1.Pod
		edit          func(*corev1.Service)
		slices        slicer.Options
		lost          int // slices that somebody deleted in between
		want          []int64
	}{
		{why: "the first slices answer to the Service", before: pods(), after: pods(), lost: 1, want: []int64{100}},
		{why: "a Pod that came is news", before: pods()[:1], after: pods(), want: []int64{300}},
		{why: "a Pod that was deleted is none", before: pods(), after: pods()[:1], want: []int64{0}},
		{why: "a Pod that starts to terminate still serves, though it ceased to be ready", before: pods(), after: pods(deleting), want: []int64{0}},
		{why: "a Pod that ceased to serve is news", before: pods(), after: pods(unready), want: []int64{300}},
		{why: "a Pod that serves again is news", before: pods(unready), after: pods(), want: []int64{300}},
		{why: "of several the earliest counts", before: []*corev1.Pod{aPod(3)}, after: append(pods(), aPod(3)), want: []int64{200}},
		{why: "what came before the Service does not count", before: pods()[:1], after: []*corev1.Pod{pods()[0], aPod(2, since(99))}, want: []int64{0}},
		{why: "a label of the Service is no news", before: pods(), after: pods(), edit: relabelled, want: []int64{0}},
		{why: "a port of the Service is none of its Pods", before: pods(), after: pods(), edit: port, want: []int64{0}},
		{
			why:    "publishNotReadyAddresses makes them ready, not serving",
			before: pods(unready), after: pods(unready), edit: publishingNotReady, want: []int64{0},
		},
		{
			why:    "an endpoint that Compact moves was published before",
			before: append(pods(), aPod(3)), after: []*corev1.Pod{pods()[0], aPod(3)}, slices: compact, want: []int64{0},
		},
		{why: "slices that somebody deleted answer to the Service again", before: pods(), after: pods(), lost: 1, want: []int64{100}},
		{
			why:    "without placeholder there may well be none, so that the Pods count",
			before: pods(), after: pods(), slices: slicer.Options{NoPlaceholder: true}, lost: 1, want: []int64{200},
		},
		{why: "from zero, with placeholder, the Pods count", before: []*corev1.Pod{}, after: pods(), want: []int64{200}},
		{
			why:    "from zero, without placeholder, the Pods count",
			before: []*corev1.Pod{}, after: pods(), slices: slicer.Options{NoPlaceholder: true}, want: []int64{200},
		},
	} {
		svc, o := aService(), service.Options{ManagedBy: manager, Slices: row.slices}
		first, err := service.Plan(svc, row.before, nodes, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		existing := first.After()[row.lost:]
		if row.edit != nil {
			row.edit(svc)
		}
		plan, err := service.Plan(svc, row.after, nodes, existing, o)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, step := range plan.Steps {
			if step.New != nil {
				got = append(got, triggerOf(t, step.New))
			}
		}
		if d := cmp.Diff(row.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", row.why, d, plan)
		}
	}
}

func triggerOf(t *testing.T, s *discoveryv1.EndpointSlice) int64 {
	t.Helper()
	text := s.Annotations[corev1.EndpointsLastChangeTriggerTime]
	if text == "" {
		return 0
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Unix()
}

// TestTriggerTimeByOption: the caller may know better, or want none.
func TestTriggerTimeByOption(t *testing.T) {
	for want, option := range map[int64]*time.Time{7: ptr(time.Unix(7, 0)), 0: {}, 100: nil} {
		plan, err := service.Plan(aService(), []*corev1.Pod{aPod(1, since(200))}, nodes, nil,
			service.Options{ManagedBy: manager, TriggerTime: option})
		if err != nil || triggerOf(t, plan.Steps[0].New) != want {
			t.Errorf("want %d: %v\n%v", want, err, plan)
		}
	}
}
