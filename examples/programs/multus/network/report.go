package network

import (
	"cmp"
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// Counts is the metric.
var Counts = promauto.With(metrics.Registry).NewCounterVec(prometheus.CounterOpts{
	Name: "network_slices_total", Help: "Planned writes of EndpointSlices, and endpoints in them."}, []string{"what"})

// reported is what the events of a Service said when it was planned last. What is still so is not
// reported again.
type reported struct {
	hints   map[discoveryv1.AddressType]hints.Decision
	warning string
}

// report counts what was planned, and reports what was not reported of this Service before.
func (c *Controller) report(ctx context.Context, svc *corev1.Service, plan slicer.Plan) {
	for i := range plan.Steps {
		s := &plan.Steps[i]
		for what, n := range map[string]int{
			s.Verb + "s": 1, "added": s.Added, "removed": s.Removed, "changed": s.Changed,
		} {
			Counts.WithLabelValues(what).Add(float64(n))
		}
	}
	before, now := &reported{}, &reported{hints: map[discoveryv1.AddressType]hints.Decision{}}
	if old, ok := c.reported.Swap(client.ObjectKeyFromObject(svc), now); ok {
		before = old.(*reported)
	}
	for _, d := range plan.Hints {
		if now.hints[d.AddressType] = d; d.Reason != before.hints[d.AddressType].Reason {
			// events that differ in their text alone become one
			decided := fmt.Sprintf("%s %s", cmp.Or(d.Mode, "None"), d.Reason)
			c.events.Eventf(svc, nil, corev1.EventTypeNormal, "TopologyHints", decided, "%.1000s", d)
		}
	}
	if warnings := plan.Warnings; len(warnings) > 0 {
		if now.warning = warnings.String(); now.warning != before.warning {
			first := &warnings[0]
			c.events.Eventf(svc, &first.Object, corev1.EventTypeWarning, first.Reason, "Publish", "%.1000s",
				now.warning)
			log.FromContext(ctx).Info("not all Pods are published", "why", now.warning)
		}
	}
}
