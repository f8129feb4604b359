package slicertest_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNovelMistakes has mistakes that the kit was not made for. They were found when they were first tried. One more was not: a
// create that is made twice heals itself, because the next sync deletes the second slice, and readers bear an endpoint in two.
func TestNovelMistakes(t *testing.T) { findSpoilt(t, novelMistakes) }

var novelMistakes = []spoilt{
	{"a Pod that waits for an address fails the sync", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		for _, other := range c.Pods {
			_ = other.Status.PodIPs[0]
		}
	}), "no-panic"},
	{"the zone of the first Node counts for all", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		if len(c.Nodes) > 0 {
			zone := c.Nodes[0].Labels[corev1.LabelTopologyZone]
			e.Zone = &zone
		}
	}), "nothing-false"},
	{"nodeName is the Pod's name", onEndpoint(func(_ call, p *corev1.Pod, e *discoveryv1.Endpoint) { e.NodeName = &p.Name }), "nothing-false"},
	{"the last endpoint of a full slice is lost", spoilWith(func(_ call, _, s *discoveryv1.EndpointSlice) {
		if len(s.Endpoints) == 3 {
			s.Endpoints = s.Endpoints[:2]
		}
	}), "complete"},
	{"an endpoint has both families", onEndpoint(func(_ call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		e.Addresses = nil
		for _, ip := range p.Status.PodIPs {
			e.Addresses = append(e.Addresses, ip.IP)
		}
	}), "accepted"},
	{"labels of the Service overwrite managed-by", func(k *keeper) {
		k.labels = func(c call, s *discoveryv1.EndpointSlice, _ int) {
			if c.Service.Labels["example.com/team"] != "" {
				s.Labels[discoveryv1.LabelManagedBy] = c.Service.Labels["example.com/team"]
			}
		}
	}, "complete"},
	{"deletes without looking who changed it, and takes any failure for done", onWrite(func(c call, w change) error {
		if w.s == nil {
			_ = w.do(c)
			return nil
		}
		return w.do(c)
	}), "reports"},
	{"tries a conflict again with the old content", onWrite(func(c call, w change) error {
		err := w.do(c)
		if apierrors.IsConflict(err) {
			w.s.ResourceVersion = ""
			err = w.do(c)
		}
		return err
	}), "metadata-kept"},
	{"a finished Pod with the address of a new one wins", func(k *keeper) {
		k.publish = func(c call, p *corev1.Pod) bool {
			return p.Status.Phase == corev1.PodRunning && !slices.ContainsFunc(c.Pods, func(o *corev1.Pod) bool {
				return o.UID != p.UID && o.Status.PodIP == p.Status.PodIP && o.Status.PodIP != ""
			})
		}
	}, "complete"},
	{"ports are sorted in the Service that was given", onPort(func(c call, _ *discoveryv1.EndpointPort) {
		slices.SortFunc(c.Service.Spec.Ports, func(a, b corev1.ServicePort) int { return strings.Compare(b.Name, a.Name) })
	}), "pure"},
	{"appProtocol is not compared", onPort(func(_ call, p *discoveryv1.EndpointPort) { p.AppProtocol = nil }), "complete"},
	{"creates what it saw being deleted", func(k *keeper) {
		seen := map[string]*discoveryv1.EndpointSlice{}
		k.apply = func(c call, todo []change) error {
			for _, s := range c.Own {
				seen[s.Name] = s
			}
			for _, d := range c.Deleted {
				again := d.DeepCopy()
				again.UID, again.ResourceVersion = "", ""
				if _, known := seen[d.Name]; known {
					todo = append([]change{{nil, again}}, todo...)
				}
			}
			return writeAll(c, todo)
		}
	}, "fixed-point"},
	{"names slices by counting those that there are", func(k *keeper) {
		k.name = func(c call, s *discoveryv1.EndpointSlice) { s.Name = "web-" + string(rune('a'+len(c.Own))) }
	}, "no-collision"},
	{"removes all owners but its own", onMerge(func(_, s *discoveryv1.EndpointSlice, wanted metav1.ObjectMeta) {
		s.OwnerReferences = wanted.OwnerReferences
	}), "metadata-kept"},
}
