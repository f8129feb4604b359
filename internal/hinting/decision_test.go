package hinting_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/hinting"
)

// TestSame: two decisions are the same unless the mode, the state or the reason differs.
func TestSame(t *testing.T) {
	on := hinting.Decision{Mode: hinting.Proportional, On: true, Reason: hinting.Allocated,
		Names: []string{"10.0.0.1"}, Allocation: hinting.Allocation{Ready: 9}}
	for other, same := range map[*hinting.Decision]bool{
		{Mode: hinting.Proportional, On: true, Reason: hinting.Allocated, Opened: 2,
			Allocation: hinting.Allocation{Ready: 12, Held: true, Threshold: 30}}: true,
		{Mode: hinting.Proportional, On: true, Reason: hinting.InvalidName}: false,
		{Mode: hinting.Proportional, Reason: hinting.Allocated}:             false,
		{Mode: hinting.SameZone, On: true, Reason: hinting.Allocated}:       false,
	} {
		if on.Same(*other) != same || other.Same(on) != same {
			t.Errorf("%+v: Same is %v", other, !same)
		}
	}
}

// Every reason says in words what is wrong, and names it.
func TestDecisionSaysWhy(t *testing.T) {
	for i, reason := range []hinting.Reason{"", hinting.Allocated, hinting.TooFewEndpoints, hinting.OverThreshold,
		hinting.SingleZone, hinting.NoWeights, hinting.TooManyZones,
		hinting.NodeWithoutZone, hinting.NodeWithoutCPU, hinting.EndpointWithoutZone, hinting.InvalidName} {
		text := hinting.Decision{AddressType: "IPv6", Mode: hinting.Proportional, Reason: reason,
			Names: []string{"n 1", "n2"}, More: 3}.String()
		if !strings.HasPrefix(text, "IPv6 Proportional: off") || (reason != "" && len(text) < 30) {
			t.Errorf("%s: %q says too little", reason, text)
		}
		if named := strings.Contains(text, `"n 1" n2 and 3 more`); named != (i >= 7) {
			t.Errorf("%s: %q, names: %v", reason, text, named)
		}
	}
}

// TestTooManyZones: if an endpoint would have to serve more zones than a hint can name, there are
// no hints, and a sync may help later.
func TestTooManyZones(t *testing.T) {
	o := hinting.Options{Mode: hinting.SameZone, Limit: 1, Weights: hinting.Weights{Zones: map[string]int64{}}}
	for zones := range 10 {
		o.Weights.Zones[fmt.Sprint("z", zones)] = 1
		want := hinting.Allocated
		if zones+1 > 8 {
			want = hinting.TooManyZones
		}
		in := []hinting.Slice{{Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"},
			Zone: &[]string{"z0"}[0]}}}}
		changes, d, err := hinting.Assign(o, in)
		if err != nil || d.Reason != want || d.On != (want == hinting.Allocated) || (len(changes) > 0) != d.On ||
			hinting.NeedsSync(d, o) == d.On {
			t.Errorf("an endpoint for %d zones: error %v, %s, want %s", zones+1, err, d, want)
		}
	}
}

// A Decision names at most ten, the first in order, and counts the others, whatever the order it
// meets them in.
func TestDecisionNamesTheFirst(t *testing.T) {
	in := mustSlices("15_")
	for i := range in[0].Endpoints {
		in[0].Endpoints[i].Addresses[0] = fmt.Sprintf("10.0.0.%d", 10+(i*4)%15)
	}
	in[0].Endpoints = append(in[0].Endpoints, in[0].Endpoints...)
	slices.SortStableFunc(in[0].Endpoints, func(a, b discoveryv1.Endpoint) int {
		return strings.Compare(b.Addresses[0], a.Addresses[0])
	})
	_, d, err := hinting.Assign(proportional("1,1", ""), in)
	if err != nil || len(d.Names) != 10 || d.Names[0] != "10.0.0.10" || d.Names[9] != "10.0.0.19" || d.More != 10 ||
		d.Allocation.Zoneless != 30 {
		t.Errorf("of 15 endpoints in two port groups: %v, %d more, %d in all", d.Names, d.More, d.Allocation.Zoneless)
	}
}

// An endpoint is named by its first address, without address by its target, and without either by
// nothing (H7).
func TestDecisionNamesEndpoints(t *testing.T) {
	in := mustSlices("_ _ _")
	endpoints := in[0].Endpoints
	endpoints[1].Addresses, endpoints[1].TargetRef = nil, &corev1.ObjectReference{Kind: "Pod", Name: "web-1"}
	endpoints[2].Addresses = nil
	_, d, err := hinting.Assign(proportional("1,1", ""), in)
	if diff := cmp.Diff([]string{"", "10.0.0.1", "web-1"}, d.Names); err != nil || diff != "" {
		t.Errorf("error %v, names (-want +got):\n%s", err, diff)
	}
}

func node(name, zone, cpu string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	if zone != "" {
		n.Labels[corev1.LabelTopologyZone] = zone
	}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	if cpu != "" {
		n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
	return n
}

// TestNeedsSyncWithoutWeights: with a limit, options without weights need a sync after each
// decision except NoWeights.
func TestNeedsSyncWithoutWeights(t *testing.T) {
	limit := hinting.Allocation{Threshold: 10}
	on := hinting.Allocation{Threshold: 10, Zones: []hinting.Zone{{Name: "a", Weight: 1}}}
	for _, c := range []struct {
		why  string
		last hinting.Decision
		now  hinting.Options
		want bool
	}{
		{"the limit was removed", hinting.Decision{On: true, Allocation: on}, hinting.Options{}, true},
		{"the limit was removed after NoWeights", hinting.Decision{Reason: hinting.NoWeights, Allocation: limit}, hinting.Options{}, true},
		{"the limit is new", hinting.Decision{On: true}, hinting.Options{Limit: 10}, true},
		{"after TooManyZones", hinting.Decision{Reason: hinting.TooManyZones, Allocation: limit}, hinting.Options{Limit: 10}, true},
		{"after NoWeights", hinting.Decision{Reason: hinting.NoWeights, Allocation: limit}, hinting.Options{Limit: 10}, false},
	} {
		c.last.Mode = hinting.SameZone
		if got := hinting.NeedsSync(c.last, c.now); got != c.want {
			t.Errorf("%s: NeedsSync returns %v", c.why, got)
		}
	}
}
