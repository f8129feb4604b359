package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

var counts = promauto.With(metrics.Registry).NewCounterVec(prometheus.CounterOpts{
	Name: "network_slices_total", Help: "Writes of EndpointSlices, and endpoints in them."}, []string{"what"})

// told is what the events of a Service said when it was planned last. What is still so is not said again.
type told struct {
	hints    map[discoveryv1.AddressType]hints.Decision
	warnings map[string]bool
}

// report counts what was done, and tells what this Service has not been told yet.
func (r *reconciler) report(ctx context.Context, svc *corev1.Service, done slicer.Stats, plan slicer.Plan, skips []service.Skip) {
	for what, n := range map[string]int{"creates": done.Creates, "updates": done.Updates, "deletes": done.Deletes,
		"added": done.Added, "removed": done.Removed, "changed": done.Changed} {
		counts.WithLabelValues(what).Add(float64(n))
	}
	before, now := &told{}, &told{map[discoveryv1.AddressType]hints.Decision{}, map[string]bool{}}
	if old, ok := r.told.Swap(client.ObjectKeyFromObject(svc), now); ok {
		before = old.(*told)
	}
	for _, d := range plan.Hints {
		if now.hints[d.AddressType] = d; !d.Same(before.hints[d.AddressType]) {
			decided := fmt.Sprintf("%s %s", cmp.Or(d.Mode, "None"), d.Reason) // events that differ in their text alone become one
			r.events.Eventf(svc, nil, corev1.EventTypeNormal, "TopologyHints", decided, "%.1000s", d)
		}
	}
	for _, rejected := range plan.Rejected {
		pod, text := rejected.Endpoint.TargetRef, rejected.Err.ErrorBody()
		if now.warnings[pod.Name+text] = true; !before.warnings[pod.Name+text] {
			r.events.Eventf(svc, pod, corev1.EventTypeWarning, "EndpointRejected", "Publish", "Pod %s: %.900s", pod.Name, text)
			log.FromContext(ctx).Info("an endpoint is rejected", "pod", pod.Name, "reason", rejected.Reason.String(), "text", text)
		}
	}
	for _, c := range causes(skips) {
		if now.warnings[c.text] = true; !before.warnings[c.text] {
			r.events.Eventf(svc, c.pods[0], corev1.EventTypeWarning, "PodSkipped", fmt.Sprintf("%.128s", c.text), "%s: %.900s", c.which(), c.text)
			log.FromContext(ctx).Info("Pods are not published", "pods", len(c.pods), "first", c.pods[0].Name, "reason", c.text)
		}
	}
}

// cause is why some Pods of a Service are not published, or not wholly.
type cause struct {
	text string
	pods []*corev1.Pod
}

// causes gathers skips by cause, in the order of their first Pods. Left out is what every Pod goes through: that it has
// ended, and that it has no address before it has one on any network.
func causes(skips []service.Skip) (list []*cause) {
	byText := map[string]*cause{}
	for _, s := range skips {
		if s.Pod == nil || s.Reason == service.PodFinished || s.Reason == service.NoAddress && s.Pod.Status.PodIP == "" {
			continue
		}
		text := strings.TrimSpace(s.Reason.String() + " " + s.Detail())
		switch {
		case s.Reason == service.NoAddress:
			text += ": the Pod has no address on this network; see its annotation " + status
		case s.Err != nil:
			text = fmt.Sprintf("%v: the annotation %s cannot be read: %v", s.Reason, status, s.Err)
		}
		c := byText[text]
		if c == nil {
			c = &cause{text: text}
			byText[text], list = c, append(list, c)
		}
		c.pods = append(c.pods, s.Pod)
	}
	for _, c := range list {
		slices.SortFunc(c.pods, func(a, b *corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	}
	return list
}

// which says which Pods it is.
func (c *cause) which() string {
	if len(c.pods) == 1 {
		return "Pod " + c.pods[0].Name
	}
	return fmt.Sprintf("%d Pods, such as %s", len(c.pods), c.pods[0].Name)
}
