package services_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestLimitWithoutEffect: a limit of hints that has no effect is a warning. It does not concern
// Services that ask for no hints. Without weights the hints are those of PreferSameZone.
func TestLimitWithoutEffect(t *testing.T) {
	near, zone := corev1.ServiceTrafficDistributionPreferSameZone, "a"
	node := func(name string) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name,
			Labels: map[string]string{corev1.LabelTopologyZone: zone}}}
	}
	weights := hints.Weights{Zones: map[string]int64{"a": 1, "b": 1}}
	for name, c := range map[string]struct {
		asks *string
		o    hints.Options
		want string // the reason of the warning and its path
		hint string
	}{
		"no weights":            {&near, hints.Options{Limit: 50}, "NoWeights options.hints.weights.zones", "a"},
		"Nodes without CPU":     {&near, hints.Options{Limit: 50, Weights: hints.NodeWeights([]*corev1.Node{node("n")}, nil)}, "NoWeights options.hints.weights.zones", "a"},
		"weights":               {&near, hints.Options{Limit: 50, Weights: weights}, "", "a b"},
		"no limit":              {&near, hints.Options{}, "", "a"},
		"no hints are asked":    {nil, hints.Options{Limit: 50}, "", ""},
		"another mode":          {nil, hints.Options{Mode: hints.PreferSameNode, Limit: 50}, "LimitUnused options.hints.limit", "a"},
		"the mode of the limit": {nil, hints.Options{Mode: hints.PreferSameZone, Limit: 50}, "NoWeights options.hints.weights.zones", "a"},
	} {
		svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u"}}
		svc.Spec.Selector, svc.Spec.ClusterIP = map[string]string{"app": "web"}, "10.96.0.1"
		svc.Spec.IPFamilies, svc.Spec.TrafficDistribution = []corev1.IPFamily{corev1.IPv4Protocol}, c.asks
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", UID: "p",
			Labels: svc.Spec.Selector}}
		pod.Spec.NodeName, pod.Status.PodIP = "n", "10.0.0.1"
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		plan, err := services.Plan(svc, []*corev1.Pod{pod}, node, nil, services.Options{ManagedBy: "test", Hints: c.o})
		if err != nil {
			t.Fatal(name, err)
		}
		got := ""
		for _, s := range plan.Warnings() {
			got += string(s.Reason) + " " + s.Path
		}
		if got != c.want {
			t.Errorf("%s: the warning is %q, want %q", name, got, c.want)
		}
		if got := zonesOf(plan.After()[0].Endpoints[0].Hints); got != c.hint {
			t.Errorf("%s: the hints are for %q, want %q", name, got, c.hint)
		}
	}
}

func zonesOf(h *discoveryv1.EndpointHints) (text string) {
	if h == nil {
		return ""
	}
	for i, z := range h.ForZones {
		if i > 0 {
			text += " "
		}
		text += z.Name
	}
	return text
}
