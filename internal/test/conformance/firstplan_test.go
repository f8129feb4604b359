package conformance

import (
	"fmt"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer/service"
)

// firstPlans are the rows of the table in the package comment of service, in its order: slices that Kubernetes' controller has
// written, or that a home-made one has written in its way, and why the first plan writes, with the manager's name kept.
var firstPlans = []struct {
	slices string
	world  func(*Cluster)                   // before Kubernetes' controller writes
	stored func(*discoveryv1.EndpointSlice) // what the home-made one writes otherwise
	change func(*service.Options)
	want   string
}{
	{slices: "Kubernetes', without topology mode Auto"},
	{slices: "Kubernetes', topology mode Auto, equal zones", world: topologyAuto},
	{slices: "Kubernetes', topology mode Auto, five zones, six Pods", world: func(c *Cluster) { // whose minimum it takes for two
		topologyAuto(c)
		c.Nodes, c.Pods = map[string]*corev1.Node{}, c.Pods[:6]
		for i := range 6 {
			node := NewNode(fmt.Sprint("node-", i), string(rune('a'+i%5)), 8)
			if c.Pods[i].Spec.NodeName = node.Name; i < 5 {
				c.Nodes[node.Name] = node
			}
		}
		c.Pods[5].Spec.NodeName = "node-0"
	}, want: "HintsChanged"},
	{slices: "Kubernetes', topology mode Auto, without Weights", world: topologyAuto, change: func(o *service.Options) {
		o.Slices.Hints.Weights.Zones = nil
	}, want: "HintsChanged"},
	{slices: "any, with ExplicitConditions", stored: func(s *discoveryv1.EndpointSlice) {
		s.Endpoints[0].Conditions.Terminating = nil
	}, change: func(o *service.Options) { o.Slices.ExplicitConditions = true }, want: "EndpointsChanged"},
	{slices: "home-made, conditions nil", stored: func(s *discoveryv1.EndpointSlice) {
		s.Endpoints[0].Conditions = discoveryv1.EndpointConditions{}
	}},
	{slices: "home-made, with labels of its own", stored: func(s *discoveryv1.EndpointSlice) { s.Labels["own"] = "label" }, want: "LabelsChanged"},
	{slices: "home-made, with labels of its own, KeepForeignLabels", stored: func(s *discoveryv1.EndpointSlice) { s.Labels["own"] = "label" },
		change: func(o *service.Options) { o.Slices.KeepForeignLabels = true }},
	{slices: "home-made, without the Service's labels", stored: func(s *discoveryv1.EndpointSlice) { delete(s.Labels, "team") }, want: "LabelsChanged"},
	{slices: "home-made, headless, without that label", world: func(c *Cluster) {
		c.Service.Spec.ClusterIP, c.Service.Spec.ClusterIPs = corev1.ClusterIPNone, []string{corev1.ClusterIPNone}
	}, stored: func(s *discoveryv1.EndpointSlice) { delete(s.Labels, corev1.IsHeadlessService) }, want: "LabelsChanged"},
	{slices: "home-made, without the Service as owner", stored: func(s *discoveryv1.EndpointSlice) { s.OwnerReferences = nil }, want: "OwnersChanged"},
	{slices: "home-made, without targetRef, nodeName and zone", stored: func(s *discoveryv1.EndpointSlice) {
		e := &s.Endpoints[0]
		e.TargetRef, e.NodeName, e.Zone = nil, nil, nil
	}, want: "EndpointsAdded EndpointsRemoved"},
}

func topologyAuto(c *Cluster) {
	c.Service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
}

// TestFirstPlan: the first plan on slices that another controller left writes nothing, except where the page
// MIGRATING.md of service says so, in these words.
func TestFirstPlan(t *testing.T) {
	doc, err := os.ReadFile("../../../slicer/service/MIGRATING.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, row := range firstPlans {
		c := NewCluster(30)
		if row.world != nil {
			row.world(c)
		}
		if _, err := c.PublishAll(ByReference); err != nil {
			t.Fatal(err)
		}
		if row.stored != nil {
			for _, s := range c.Slices {
				row.stored(s)
			}
		}
		o := service.Options{ManagedBy: service.KubernetesManager}
		o.Slices.Hints.Weights = hints.NodeWeights(c.nodes(), nil)
		if row.change != nil {
			row.change(&o)
		}
		plan, err := service.Plan(c.Service, c.Pods, c.Node, c.Slices, o)
		if err != nil {
			t.Fatal(err)
		}
		have := ""
		for i, s := range plan.Steps {
			why := strings.Trim(fmt.Sprint(s.Reasons), "[]")
			if i > 0 && why != have {
				t.Errorf("%s: several reasons: %v", row.slices, plan)
			}
			have = why
		}
		if have != row.want {
			t.Errorf("%s: the first plan writes because of %q, want %q:\n%v", row.slices, have, row.want, plan)
		}
		line := fmt.Sprintf("    %-56s%s\n", row.slices, row.want)
		if row.want == "" {
			line = fmt.Sprintf("    %-56snothing\n", row.slices)
		}
		table.WriteString(line)
	}
	if !strings.Contains(string(doc), table.String()) {
		t.Errorf("MIGRATING.md has not this table:\n%s", table.String())
	}
}
