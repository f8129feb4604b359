package network

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// Counts is the metric.
var Counts = promauto.With(metrics.Registry).NewCounterVec(prometheus.CounterOpts{
	Name: "network_slices_total", Help: "Writes of EndpointSlices, and endpoints in them."}, []string{"what"})

// reported is what the events of a Service said when it was planned last. What is still so is not reported again.
type reported struct {
	hints    map[discoveryv1.AddressType]hints.Decision
	warnings map[string]bool
}

// report counts what was done, and reports what was not reported of this Service before.
func (c *Controller) report(ctx context.Context, svc *corev1.Service, done slicer.Stats, plan slicer.Plan) {
	for what, n := range map[string]int{"creates": done.Creates, "updates": done.Updates, "deletes": done.Deletes,
		"added": done.Added, "removed": done.Removed, "changed": done.Changed} {
		Counts.WithLabelValues(what).Add(float64(n))
	}
	before, now := &reported{}, &reported{map[discoveryv1.AddressType]hints.Decision{}, map[string]bool{}}
	if old, ok := c.reported.Swap(client.ObjectKeyFromObject(svc), now); ok {
		before = old.(*reported)
	}
	for _, d := range plan.Hints {
		if now.hints[d.AddressType] = d; !d.Same(before.hints[d.AddressType]) {
			decided := fmt.Sprintf("%s %s", cmp.Or(d.Mode, "None"), d.Reason) // events that differ in their text alone become one
			c.events.Eventf(svc, nil, corev1.EventTypeNormal, "TopologyHints", decided, "%.1000s", d)
		}
	}
	for _, why := range causes(plan.Skips) {
		if now.warnings[why.text] = true; !before.warnings[why.text] {
			c.events.Eventf(svc, &why.pods[0], corev1.EventTypeWarning, string(why.reason), "Publish", "%s: %.900s", why.which(), why.text)
			log.FromContext(ctx).Info("Pods are not published", "pods", len(why.pods), "first", why.pods[0].Name, "reason", why.text)
		}
	}
}

// cause is why some Pods of a Service are not published, or not wholly.
type cause struct {
	reason slicer.SkipReason
	text   string
	pods   []corev1.ObjectReference
}

// causes gathers Skips by cause, in the order of their first Pods.
func causes(skips []slicer.Skip) (list []*cause) {
	byText := map[string]*cause{}
	for _, s := range skips {
		text := s.Err.Error()
		if f := (*field.Error)(nil); errors.As(s.Err, &f) {
			text = f.ErrorBody()
		}
		switch s.Reason {
		case service.NoAddress:
			text = "the Pod has no address on this network; see its annotation " + Status
		case service.AddressesUnread:
			text = fmt.Sprintf("the annotation %s cannot be read: %s", Status, text)
		}
		c := byText[text]
		if c == nil {
			c = &cause{reason: s.Reason, text: text}
			byText[text], list = c, append(list, c)
		}
		c.pods = append(c.pods, s.Object)
	}
	for _, c := range list {
		slices.SortFunc(c.pods, func(a, b corev1.ObjectReference) int { return cmp.Compare(a.Name, b.Name) })
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
