package cluster

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/controller/network"
)

// TestEvents: a Service hears what is not published, and what was decided about hints.
func TestEvents(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	for _, zone := range []string{"a", "b", "c"} { // the only Nodes that are ready, and count
		node := &corev1.Node{}
		node.Name = c.node(zone)
		c.do(c.admin.Get(t.Context(), client.ObjectKeyFromObject(node), node))
		node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		c.do(c.admin.Status().Update(t.Context(), node))
	}
	c.pod("link-local", "a", func(pod *corev1.Pod) {
		pod.Annotations[network.Status] = strings.Replace(pod.Annotations[network.Status], "192.168.", "169.254.", 1)
	})
	for i := range 2 {
		c.pod(fmt.Sprint("garbled-", i), "a", func(pod *corev1.Pod) { pod.Annotations[network.Status] = "[{" })
	}
	c.pod("elsewhere", "a", func(pod *corev1.Pod) {
		pod.Annotations[network.Status] = strings.ReplaceAll(pod.Annotations[network.Status], "/"+second, "/third")
	})
	c.pods("good", 2)
	c.service("web", func(svc *corev1.Service) { svc.Annotations[corev1.AnnotationTopologyMode] = "Auto" })
	c.start(&wire{})
	c.wait("no events", func() string {
		return c.lacks("InvalidAddress Pod link-local: Invalid value", "TopologyHints IPv4 Proportional: off",
			"AddressesUnread 2 Pods, such as garbled-0: ", "NoAddress Pod elsewhere: ")
	})
	c.pods("enough", 7)
	c.wait("no hints", func() string { return c.lacks("TopologyHints IPv4 Proportional: on") })
	c.wait("no hints in the slices", func() string {
		hinted := 0
		for _, s := range c.ours() {
			for _, e := range s.Endpoints {
				if e.Hints != nil && len(e.Hints.ForZones) == 1 {
					hinted++
				}
			}
		}
		if hinted != 9 {
			return fmt.Sprintf("%d hints", hinted)
		}
		return c.leftToDo()
	})
}

// lacks returns the first of the beginnings that no event of the namespace has.
func (c *cluster) lacks(beginnings ...string) string {
	var events eventsv1.EventList
	c.do(c.admin.List(c.Context(), &events, client.InNamespace(c.namespace)))
	all := ""
	for _, e := range events.Items {
		all += "\n" + e.Reason + " " + e.Note
	}
	for _, b := range beginnings {
		if !strings.Contains(all, "\n"+b) {
			return "no " + b + " among" + all
		}
	}
	return ""
}

// TestMetrics: steps are counted when they succeeded. Other tests count too, so that only the growth is sure.
func TestMetrics(t *testing.T) {
	t.Parallel()
	value := func(what string) float64 { return testutil.ToFloat64(network.Counts.WithLabelValues(what)) }
	before := map[string]float64{"creates": 0, "updates": 0, "deletes": 0, "added": 0, "removed": 0, "changed": 0}
	for what := range before {
		before[what] = value(what)
	}
	c := newCluster(t)
	svc := c.service("web")
	pod, _ := c.pod("unready", "a")
	c.pods("web", 6)
	c.start(&wire{})
	c.converge()
	c.ready(pod, false)
	c.converge()
	c.remove("web-0")
	c.converge()
	change(c, svc, func(svc *corev1.Service) { svc.Annotations = nil })
	c.converge()
	for what, was := range before {
		if value(what) <= was {
			t.Errorf("%s are not counted", what)
		}
	}
}
