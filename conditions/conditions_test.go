package conditions_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
)

// Conditions are written as ready, serving, terminating: + is true, - is false, . is nil.
func parse(text string) discoveryv1.EndpointConditions {
	var c discoveryv1.EndpointConditions
	for i, p := range []**bool{&c.Ready, &c.Serving, &c.Terminating} {
		if text[i] != '.' {
			value := text[i] == '+'
			*p = &value
		}
	}
	return c
}

// spell writes a state as parse reads it.
func spell(s conditions.State) string {
	sign := map[bool]string{true: "+", false: "-"}
	return sign[s.Ready] + sign[s.Serving] + sign[s.Terminating]
}

// triples are all conditions that there can be: those of an endpoint with nil or not.
func triples() (all []string) {
	for _, ready := range "+-." {
		for _, serving := range "+-." {
			for _, terminating := range "+-." {
				all = append(all, string([]rune{ready, serving, terminating}))
			}
		}
	}
	return all
}

// TestNew is the writer's truth table, all eight rows of it.
func TestNew(t *testing.T) {
	for _, row := range []struct {
		why                                string
		ready, terminating, publishUnready bool
		want                               string
	}{
		{"a Pod that starts gets no traffic", false, false, false, "---"},
		{"a ready Pod is ready and serves", true, false, false, "++-"},
		{"a Pod that died while it was deleted is of no use", false, true, false, "--+"},
		{"older readers know ready alone, so it is false from the first moment of a deletion", true, true, false, "-++"},
		{"a peer must be found before it is ready", false, false, true, "+--"},
		{"publishing takes nothing from a ready Pod", true, false, true, "++-"},
		{"serving tells the truth about the probe even where ready does not", false, true, true, "+-+"},
		{"a peer that leaves must be found until it is gone", true, true, true, "+++"},
	} {
		if got := spell(conditions.New(row.ready, row.terminating, row.publishUnready)); got != row.want {
			t.Errorf("New says %s, want %s: %s", got, row.want, row.why)
		}
	}
}

// TestOf is the reader's truth table: nil ready and nil serving are true, nil
// terminating is false, and what is explicit means itself. Hand-made slices leave all three out and
// mean a plain endpoint; coredns, traefik and others took it for unready.
func TestOf(t *testing.T) {
	for _, text := range triples() {
		want := []byte(text)
		for i, meaning := range []byte("++-") {
			if want[i] == '.' {
				want[i] = meaning
			}
		}
		if got := spell(conditions.Of(parse(text))); got != string(want) {
			t.Errorf("Of(%s) says %s, want %s", text, got, want)
		}
	}
}

// TestConditionsAreExplicit: load balancers that take nil for false need all three (cilium#46237),
// and a decoder that writes through a pointer must not change another condition.
func TestConditionsAreExplicit(t *testing.T) {
	for _, text := range triples() {
		s := conditions.Of(parse(text))
		c, other := s.API(), s.API()
		if c.Ready == nil || c.Serving == nil || c.Terminating == nil || conditions.Of(c) != s {
			t.Fatalf("%s becomes %+v", text, c)
		}
		*c.Ready, *c.Serving, *c.Terminating = !s.Ready, !s.Serving, !s.Terminating
		if conditions.Of(other) != s || conditions.Of(s.API()) != s {
			t.Errorf("conditions of %s share their pointers", text)
		}
	}
}

// TestFromPod has for each Pod its State as spell writes it, and whether it has finished.
func TestFromPod(t *testing.T) {
	const yes, no, unknown = corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown
	is := func(statuses ...corev1.ConditionStatus) []corev1.ConditionStatus { return statuses }
	for _, row := range []struct {
		why      string
		phase    corev1.PodPhase
		ready    []corev1.ConditionStatus
		deleting bool
		want     string
		finished bool
	}{
		{"ready is the Ready condition, not ContainersReady", corev1.PodRunning, nil, false, "---", false},
		{"ready is the Ready condition", corev1.PodRunning, is(yes), false, "++-", false},
		{"False is not ready", corev1.PodRunning, is(no), false, "---", false},
		{"Unknown is not: its node is silent", corev1.PodRunning, is(unknown), false, "---", false},
		{"the first of several counts", corev1.PodRunning, is(no, yes), false, "---", false},
		{"terminating is the deletion timestamp; the Pod stays until it is gone", corev1.PodRunning, is(yes), true, "-++", false},
		{"a Pod that waits for its containers may have an IP already", corev1.PodPending, nil, false, "---", false},
		{"an unknown phase is not an end", corev1.PodUnknown, nil, false, "---", false},
		{"a Failed Pod's IP may be another Pod's", corev1.PodFailed, nil, false, "---", true},
		{"a Succeeded Pod's IP may be another Pod's", corev1.PodSucceeded, nil, false, "---", true},
	} {
		pod := &corev1.Pod{Status: corev1.PodStatus{Phase: row.phase,
			Conditions: []corev1.PodCondition{{Type: corev1.ContainersReady, Status: yes}}}}
		for _, status := range row.ready {
			pod.Status.Conditions = append(pod.Status.Conditions,
				corev1.PodCondition{Type: corev1.PodReady, Status: status})
		}
		if row.deleting {
			pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(100, 0)}
		}
		before := pod.DeepCopy()
		s, published := conditions.FromPod(pod, false), conditions.FromPod(pod, true)
		if spell(s) != row.want || conditions.Finished(pod) != row.finished {
			t.Errorf("FromPod says %s, Finished %t: %s", spell(s), conditions.Finished(pod), row.why)
		}
		if s.Ready = true; published != s {
			t.Errorf("the Service asked for whatever there is, and FromPod says %s: %s", spell(published), row.why)
		}
		if d := cmp.Diff(before, pod); d != "" {
			t.Errorf("%s: the Pod was changed:\n%s", row.why, d)
		}
	}
	if s := conditions.FromPod(nil, false); spell(s) != "---" || conditions.Finished(nil) {
		t.Errorf("of no Pod FromPod says %s", spell(s))
	}
}

// A virtual machine that answers its health check and is being shut down, behind a Service without
// and with publishNotReadyAddresses. What a slice says of it means the same to a reader.
func ExampleNew() {
	for _, publishNotReady := range []bool{false, true} {
		state := conditions.New(true, true, publishNotReady)
		fmt.Printf("%+v %t\n", state, conditions.Of(state.API()) == state)
	}
	// Output:
	// {Ready:false Serving:true Terminating:true} true
	// {Ready:true Serving:true Terminating:true} true
}

// A slice that was written by hand has no conditions: its endpoints are ready.
func ExampleOf() {
	fmt.Printf("%+v\n", conditions.Of(discoveryv1.EndpointConditions{}))
	// Output: {Ready:true Serving:true Terminating:false}
}

func ExampleFromPod() {
	pod := &corev1.Pod{Status: corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: "10.0.0.1",
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}}
	fmt.Printf("%+v\n", conditions.FromPod(pod, false))
	pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(0, 0)}
	fmt.Printf("%+v %t\n", conditions.FromPod(pod, false), conditions.Finished(pod))
	pod.Status.Phase = corev1.PodSucceeded
	fmt.Println(conditions.Finished(pod))
	// Output:
	// {Ready:true Serving:true Terminating:false}
	// {Ready:false Serving:true Terminating:true} false
	// true
}
