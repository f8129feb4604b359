package conformance

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// firstPlan is a row of the table in MIGRATING.md of services: slices that Kubernetes' controller
// has written, or that a home-made controller has written in its own way, and why the first plan
// writes if the manager's name stays.
type firstPlan struct {
	slices  string
	cluster func(*Cluster)                   // before Kubernetes' controller writes
	stored  func(*discoveryv1.EndpointSlice) // what the home-made one writes otherwise
	all     func(*Cluster)                   // which slices it writes otherwise
	options func(*services.Options)
	input   func(*slicer.Input) // how the writes are avoided
	want    string
}

// first edits the first endpoint of a slice.
func first(edit func(*discoveryv1.Endpoint)) func(*discoveryv1.EndpointSlice) {
	return func(s *discoveryv1.EndpointSlice) { edit(&s.Endpoints[0]) }
}

// wanted edits the endpoints of an Input that the home-made slice has.
func wanted(edit func(*discoveryv1.Endpoint)) func(*slicer.Input) {
	return func(in *slicer.Input) {
		for i := range in.Groups {
			for j := range in.Groups[i].Endpoints {
				edit(&in.Groups[i].Endpoints[j])
			}
		}
	}
}

// sameWay are the rows of a field that a home-made controller writes in its own way into each
// endpoint, and that an edited Input has in the same way.
func sameWay(what, reasons string, edit func(*discoveryv1.Endpoint)) []firstPlan {
	stored := func(s *discoveryv1.EndpointSlice) {
		for i := range s.Endpoints {
			edit(&s.Endpoints[i])
		}
	}
	return []firstPlan{
		{slices: "home-made, " + what, stored: stored, want: reasons},
		{slices: "home-made, the same, Input edited", stored: stored, input: wanted(edit)},
	}
}

func firstPlans() []firstPlan {
	rows := []firstPlan{
		{slices: "Kubernetes', without topology mode Auto"},
		{slices: "Kubernetes', topology mode Auto, equal zones", cluster: topologyAuto},
		{slices: "Kubernetes', topology mode Auto, five zones, six Pods", cluster: sixPods, want: "HintsChanged"},
		{slices: "Kubernetes', topology mode Auto, without Weights", cluster: topologyAuto,
			options: func(o *services.Options) {
				o.Hints.Weights.Zones = nil
			}, want: "HintsChanged"},
		{slices: "any, with ExplicitConditions", stored: first(func(e *discoveryv1.Endpoint) {
			e.Conditions.Terminating = nil
		}), options: func(o *services.Options) { o.Slices.ExplicitConditions = true }, want: "EndpointsChanged"},
		{slices: "home-made, conditions nil", stored: first(func(e *discoveryv1.Endpoint) {
			e.Conditions = discoveryv1.EndpointConditions{}
		})},
	}
	return append(append(rows, ofSlices()...), ofEndpoints()...)
}

// ofSlices are the rows about labels, owners, ports and whole slices.
func ofSlices() []firstPlan {
	label := func(s *discoveryv1.EndpointSlice) { s.Labels["own"] = "label" }
	noController := func(s *discoveryv1.EndpointSlice) { s.OwnerReferences[0].Controller = nil }
	noBlock := func(s *discoveryv1.EndpointSlice) { s.OwnerReferences[0].BlockOwnerDeletion = nil }
	http := func(s *discoveryv1.EndpointSlice) { s.Ports[0].AppProtocol = ptr("http") }
	noIPv6 := func(c *Cluster) {
		c.Slices = slices.DeleteFunc(c.Slices, func(s *discoveryv1.EndpointSlice) bool {
			return s.AddressType == discoveryv1.AddressTypeIPv6
		})
	}
	noSlices := func(c *Cluster) { c.Slices = nil }
	noPods := func(c *Cluster) { c.Pods = nil }
	noPlaceholder := func(o *services.Options) { o.Slices.NoPlaceholder = true }
	return []firstPlan{
		{slices: "home-made, with labels of its own", stored: label, want: "LabelsChanged"},
		{slices: "home-made, with labels of its own, KeepForeignLabels", stored: label,
			options: func(o *services.Options) {
				o.Slices.KeepForeignLabels = true
			}},
		{slices: "home-made, without the Service's labels", stored: func(s *discoveryv1.EndpointSlice) {
			delete(s.Labels, "team")
		}, want: "LabelsChanged"},
		{slices: "home-made, headless, without that label", cluster: func(c *Cluster) {
			c.Service.Spec.ClusterIP, c.Service.Spec.ClusterIPs = corev1.ClusterIPNone, []string{corev1.ClusterIPNone}
		}, stored: func(s *discoveryv1.EndpointSlice) {
			delete(s.Labels, corev1.IsHeadlessService)
		}, want: "LabelsChanged"},
		{slices: "home-made, without the Service as owner", stored: func(s *discoveryv1.EndpointSlice) {
			s.OwnerReferences = nil
		}, want: "OwnersChanged"},
		{slices: "home-made, an owner without controller", stored: noController, want: "OwnersChanged"},
		{slices: "home-made, the same, Input edited", stored: noController, input: func(in *slicer.Input) {
			in.Set.Owners[0].Controller = nil
		}},
		{slices: "home-made, an owner without blockOwnerDeletion", stored: noBlock, want: "OwnersChanged"},
		{slices: "home-made, the same, Input edited", stored: noBlock, input: func(in *slicer.Input) {
			in.Set.Owners[0].BlockOwnerDeletion = nil
		}},
		{slices: "home-made, an appProtocol of its own", stored: http, want: "PortsChanged"},
		{slices: "home-made, the same, Input edited", stored: http, input: func(in *slicer.Input) {
			in.Groups[0].Ports[0].AppProtocol = ptr("http")
		}},
		{slices: "home-made, two families, no IPv6 slice", cluster: twoFamilies, all: noIPv6, want: "PlaceholderWanted"},
		{slices: "home-made, the same, NoPlaceholder", cluster: twoFamilies, all: noIPv6, options: noPlaceholder},
		{slices: "home-made, no Pods, no slice", cluster: noPods, all: noSlices, want: "PlaceholderWanted"},
		{slices: "home-made, the same, NoPlaceholder", cluster: noPods, all: noSlices, options: noPlaceholder},
		{slices: "home-made, a second slice with the same endpoints", all: func(c *Cluster) {
			c.Slices = append(c.Slices, another(c.Slices[0]))
		}, want: "NothingLeft"},
		{slices: "home-made, an empty slice beside another", all: func(c *Cluster) {
			s := another(c.Slices[0])
			s.Endpoints = nil
			c.Slices = append(c.Slices, s)
		}, want: "NothingLeft"},
	}
}

// ofEndpoints are the rows about endpoints.
func ofEndpoints() []firstPlan {
	notReady := func(e discoveryv1.Endpoint) bool { return !*e.Conditions.Ready }
	onlyReady := func(c *Cluster) { c.Slices[0].Endpoints = slices.DeleteFunc(c.Slices[0].Endpoints, notReady) }
	rows := []firstPlan{
		{slices: "home-made, without targetRef, nodeName and zone", stored: first(func(e *discoveryv1.Endpoint) {
			e.TargetRef, e.NodeName, e.Zone = nil, nil, nil
		}), want: "EndpointsAdded EndpointsRemoved"},
		{slices: "home-made, only ready Pods", cluster: unready, all: onlyReady, want: "EndpointsAdded"},
		{slices: "home-made, the same, Input edited", cluster: unready, all: onlyReady, input: func(in *slicer.Input) {
			in.Groups[0].Endpoints, in.Groups[0].Changed = slices.DeleteFunc(in.Groups[0].Endpoints, notReady), nil
		}},
	}
	for _, way := range [][]firstPlan{
		sameWay("a targetRef with apiVersion", "EndpointsChanged", func(e *discoveryv1.Endpoint) { e.TargetRef.APIVersion = "v1" }),
		sameWay("a targetRef without uid", "EndpointsChanged", func(e *discoveryv1.Endpoint) { e.TargetRef.UID = "" }),
		sameWay("a targetRef without namespace", "EndpointsAdded EndpointsRemoved", func(e *discoveryv1.Endpoint) { e.TargetRef.Namespace = "" }),
		sameWay("without nodeName", "EndpointsChanged", func(e *discoveryv1.Endpoint) { e.NodeName = nil }),
		sameWay("without zone", "EndpointsChanged", func(e *discoveryv1.Endpoint) { e.Zone = nil }),
		sameWay("a hostname that the Pod does not have", "EndpointsAdded EndpointsRemoved", func(e *discoveryv1.Endpoint) { e.Hostname = ptr("web-0") }),
	} {
		rows = append(rows, way...)
	}
	byHand := sameWay("hints set by hand", "HintsChanged", func(e *discoveryv1.Endpoint) {
		e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}}}
	})
	byHand[1].slices, byHand[1].options = "home-made, the same, Input edited, hints.Given", func(o *services.Options) {
		o.Hints = hints.Options{Mode: hints.Given}
	}
	rows = append(rows, byHand...)
	return append(rows, ofAddresses()...)
}

// ofAddresses are the rows about Pods with two addresses of one family.
func ofAddresses() []firstPlan {
	onlyFirst := func(s *discoveryv1.EndpointSlice) {
		for i := range s.Endpoints {
			s.Endpoints[i].Addresses = s.Endpoints[i].Addresses[:1]
		}
	}
	perFamily := func(v services.PerFamily) func(*services.Options) {
		return func(o *services.Options) { o.PerFamily = v }
	}
	return []firstPlan{
		{slices: "any, an endpoint of all addresses of a family", cluster: twoAddresses,
			want: "EndpointsAdded EndpointsRemoved"},
		{slices: "any, the same, PerFamily: JoinedAddresses", cluster: twoAddresses,
			options: perFamily(services.JoinedAddresses)},
		{slices: "home-made, the first address of each family alone", cluster: twoAddresses, stored: onlyFirst,
			want: "EndpointsAdded"},
		{slices: "home-made, the same, PerFamily: FirstAddress", cluster: twoAddresses, stored: onlyFirst,
			options: perFamily(services.FirstAddress)},
	}
}

func topologyAuto(c *Cluster) {
	c.Service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
}

// sixPods are two in one of five zones, and one in each other, which Kubernetes refuses.
func sixPods(c *Cluster) {
	topologyAuto(c)
	c.Nodes, c.Pods = map[string]*corev1.Node{}, c.Pods[:6]
	for i, pod := range c.Pods {
		name := fmt.Sprint("node-", i%5)
		pod.Spec.NodeName = name
		node := c.Nodes[name]
		if node == nil {
			node = NewCluster(3).Node("node-0")
			node.Name = name
			node.Labels[corev1.LabelTopologyZone] = string(rune('a' + i))
		}
		c.Nodes[name] = node
	}
}

func twoFamilies(c *Cluster) {
	c.Service.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
}

// unready makes the first Pod not ready.
func unready(c *Cluster) {
	for i := range c.Pods[0].Status.Conditions {
		if cond := &c.Pods[0].Status.Conditions[i]; cond.Type == corev1.PodReady {
			cond.Status = corev1.ConditionFalse
		}
	}
}

// twoAddresses gives the first Pod a second IPv4 address, which Kubernetes' controller publishes in
// the same endpoint.
func twoAddresses(c *Cluster) {
	status := &c.Pods[0].Status
	status.PodIPs = append(status.PodIPs, corev1.PodIP{IP: "10.200.0.1"})
}

// another is a slice of the same content with another name.
func another(s *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	copied := s.DeepCopy()
	copied.Name, copied.UID = "web-zzzzz", "another"
	return copied
}

// TestFirstPlan: the first plan on slices that another controller left writes nothing, except where
// MIGRATING.md of services says so, in these words.
func TestFirstPlan(t *testing.T) {
	doc, err := os.ReadFile("../../../slicer/services/MIGRATING.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, row := range firstPlans() {
		have := firstReasons(t, row)
		if have != row.want {
			t.Errorf("%s: the first plan writes because of %q, want %q", row.slices, have, row.want)
		}
		if row.want == "" {
			row.want = "nothing"
		}
		fmt.Fprintf(&table, "    %-56s%s\n", row.slices, row.want)
	}
	if !strings.Contains(string(doc), "\n\n"+table.String()+"\n") {
		t.Errorf("MIGRATING.md does not have this table:\n%s", table.String())
	}
}

// firstReasons plays a row, and returns the reasons of the plan's steps, each once.
func firstReasons(t *testing.T, row firstPlan) string {
	t.Helper()
	c := NewCluster(30)
	if row.cluster != nil {
		row.cluster(c)
	}
	if _, err := c.PublishAll(ByReference); err != nil {
		t.Fatal(err)
	}
	if row.stored != nil {
		for _, s := range c.Slices {
			row.stored(s)
		}
	}
	if row.all != nil {
		row.all(c)
	}
	o := services.Options{ManagedBy: services.KubernetesManager}
	o.Hints.Weights = hints.NodeWeights(c.nodes(), nil)
	if row.options != nil {
		row.options(&o)
	}
	in, err := services.Input(c.Service, c.Pods, c.Node, o)
	if err != nil {
		t.Fatal(err)
	}
	if row.input != nil {
		row.input(&in)
	}
	plan, err := slicer.Compute(in, c.Slices)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, s := range plan.Steps {
		if why := strings.Trim(fmt.Sprint(s.Reasons), "[]"); !strings.Contains(strings.Join(have, " "), why) {
			have = append(have, why)
		}
	}
	return strings.Join(have, " ")
}
