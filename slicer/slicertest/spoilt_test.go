package slicertest_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/slicer/slicertest"
)

// spoilt is a right writer with one mistake, and the guarantee that names it.
type spoilt struct {
	mistake string
	spoil   func(k *keeper)
	breaks  string
}

// TestSpoiltWriters has the mistakes that writers were seen to make or could make, each under the guarantee that names it.
func TestSpoiltWriters(t *testing.T) { findSpoilt(t, knownMistakes) }

func findSpoilt(t *testing.T, list []spoilt) {
	o := slicertest.Options{
		ManagedBy: manager, Max: 3, Without: []string{"Hints"}, Histories: histories,
		Also: []string{"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"},
	}
	for _, f := range check(t, o, newKeeper().start) {
		t.Errorf("the writer is not right: %v", f)
	}
	for _, row := range list {
		t.Run(row.mistake, func(t *testing.T) {
			t.Parallel()
			k := newKeeper()
			row.spoil(k)
			found := breaking(t, o, k.start, row.breaks)
			if row.breaks == "" {
				if len(found) > 0 {
					t.Errorf("it is found now: %v", found)
				}
				return
			}
			if f := finding(found, row.breaks); f.Failed == 0 {
				var names []string
				for _, f := range found {
					names = append(names, f.Cause)
				}
				t.Errorf("%s is not found broken: %q", row.breaks, names)
			} else {
				t.Log(f)
			}
		})
	}
}

func onEndpoint(change func(c call, p *corev1.Pod, e *discoveryv1.Endpoint)) func(*keeper) {
	return func(k *keeper) { k.endpoint = change }
}

func onWrite(write func(c call, w change) error) func(*keeper) {
	return func(k *keeper) { k.write = write }
}

// spoilWith changes each slice that is to be written.
func spoilWith(spoil func(c call, old, s *discoveryv1.EndpointSlice)) func(*keeper) {
	return onWrite(func(c call, w change) error {
		if w.s != nil {
			spoil(c, w.old, w.s)
		}
		return w.do(c)
	})
}

var knownMistakes = []spoilt{
	{"off by one at the maximum", func(k *keeper) { k.max = 4 }, "within-max"},
	{"slices of ports that are gone stay", onWrite(func(c call, w change) error {
		if w.s == nil && len(c.Pods) > 0 {
			return nil
		}
		return w.do(c)
	}), "complete"},
	{"no resourceVersion", func(k *keeper) {
		k.merge = func(old, s *discoveryv1.EndpointSlice) {
			labels := s.Labels
			s.ObjectMeta = *old.ObjectMeta.DeepCopy()
			s.Labels, s.ResourceVersion = labels, ""
		}
	}, "metadata-kept"},
	{"drops annotations of others", func(k *keeper) {
		merge := k.merge
		k.merge = func(old, s *discoveryv1.EndpointSlice) {
			merge(old, s)
			s.Annotations = nil
		}
	}, "metadata-kept"},
	{"deletes and creates in place of an update", onWrite(func(c call, w change) error {
		if w.old == nil || w.s == nil {
			return w.do(c)
		}
		if err := c.delete(w.old); err != nil {
			return err
		}
		w.s.UID, w.s.ResourceVersion = "", ""
		return c.create(w.s)
	}), "no-gap"},
	{"what terminates is ready", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		e.Conditions.Ready = e.Conditions.Serving
	}), "complete"},
	{"the second family is lost", func(k *keeper) {
		k.families = func(c call) []corev1.IPFamily { return c.Service.Spec.IPFamilies[:1] }
	}, "complete"},
	{"ignores managed-by", everything(func(c call, s *discoveryv1.EndpointSlice) bool {
		return s.Namespace == c.Service.Namespace && s.Labels[discoveryv1.LabelServiceName] == c.Service.Name
	}), "foreign-kept"},
	{"ignores service-name", everything(func(c call, s *discoveryv1.EndpointSlice) bool {
		return s.Namespace == c.Service.Namespace && s.Labels[discoveryv1.LabelManagedBy] == manager
	}), "foreign-kept"},
	{"forgets the namespace", everything(func(c call, s *discoveryv1.EndpointSlice) bool {
		return s.Labels[discoveryv1.LabelManagedBy] == manager && s.Labels[discoveryv1.LabelServiceName] == c.Service.Name
	}), "foreign-kept"},
	{"finished Pods stay", func(k *keeper) { k.publish = func(call, *corev1.Pod) bool { return true } }, "complete"},
	{"a label stays", func(k *keeper) {
		merge := k.merge
		k.merge = func(old, s *discoveryv1.EndpointSlice) {
			merge(old, s)
			s.Labels = joined(old.Labels, s.Labels)
		}
	}, "labels"},
	{"compares addresses and readiness only", func(k *keeper) {
		k.same = func(old, s *discoveryv1.EndpointSlice) bool {
			return slices.EqualFunc(old.Endpoints, s.Endpoints, func(a, b discoveryv1.Endpoint) bool {
				return a.Addresses[0] == b.Addresses[0] && *a.Conditions.Ready == *b.Conditions.Ready
			})
		}
	}, "labels"},
	{"terminating is not updated", func(k *keeper) {
		k.same = func(old, s *discoveryv1.EndpointSlice) bool {
			s = s.DeepCopy()
			for i := range s.Endpoints {
				if i < len(old.Endpoints) {
					s.Endpoints[i].Conditions.Terminating = old.Endpoints[i].Conditions.Terminating
				}
			}
			return same(old, s)
		}
	}, "nothing-false"},
	{"changes the cache", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			for _, s := range c.Own {
				s.Endpoints = nil
			}
			return writeAll(c, todo)
		}
	}, "pure"},
	{"always updates", func(k *keeper) { k.fresh = true }, "fixed-point"},
	{"drops errors of creates", onWrite(func(c call, w change) error {
		if err := w.do(c); w.old != nil {
			return err
		}
		return nil
	}), "reports"},
	{"drops conflicts", onWrite(func(c call, w change) error {
		if err := w.do(c); !apierrors.IsConflict(err) {
			return err
		}
		return nil
	}), "reports"},
	{"ignores names of ports", func(k *keeper) {
		k.ports = func(_ call, ports []discoveryv1.EndpointPort) {
			for i := range ports {
				name := ""
				ports[i].Name = &name
			}
		}
	}, "complete"},
	{"no publishNotReadyAddresses", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		ready := *e.Conditions.Serving && !*e.Conditions.Terminating
		e.Conditions.Ready = &ready
	}), "complete"},
	{"deletes before it creates", func(k *keeper) { k.order = slices.Reverse[[]change] }, "no-port-gap"},
	{"says neither serving nor terminating", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) {
		e.Conditions.Serving, e.Conditions.Terminating = nil, nil
	}), "nothing-false"},
	{"no zone", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) { e.Zone = nil }), "detailed"},
	{"no nodeName", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) { e.NodeName = nil }), "detailed"},
	{"no targetRef", onEndpoint(func(c call, p *corev1.Pod, e *discoveryv1.Endpoint) { e.TargetRef = nil }), "detailed"},
	{"the targetRef of an address stays", func(k *keeper) {
		k.same = func(old, s *discoveryv1.EndpointSlice) bool {
			for i := range s.Endpoints {
				for _, e := range old.Endpoints {
					if e.Addresses[0] == s.Endpoints[i].Addresses[0] {
						s.Endpoints[i].TargetRef = e.TargetRef
					}
				}
			}
			return same(old, s)
		}
	}, "nothing-false"},
	{"no label for headless", func(k *keeper) {
		k.labels = func(c call, s *discoveryv1.EndpointSlice, _ int) { delete(s.Labels, corev1.IsHeadlessService) }
	}, "detailed"},
	{"no owner", spoilWith(func(_ call, old, s *discoveryv1.EndpointSlice) {
		if old == nil {
			s.OwnerReferences = nil
		}
	}), "detailed"},
	{"does not look at the owner's UID", func(k *keeper) { k.anyOwner = true }, "nothing-false"},
	{"everything is TCP", func(k *keeper) {
		k.ports = func(_ call, ports []discoveryv1.EndpointPort) {
			for i := range ports {
				tcp := corev1.ProtocolTCP
				ports[i].Protocol = &tcp
			}
		}
	}, "complete"},
}

// everything has a writer choose its slices among all that there are.
func everything(own func(c call, s *discoveryv1.EndpointSlice) bool) func(*keeper) {
	return func(k *keeper) { k.choose = own }
}

// joined are old labels, with the new values of those that are wanted.
func joined(old, wanted map[string]string) map[string]string {
	labels := map[string]string{}
	for _, m := range []map[string]string{old, wanted} {
		for key, value := range m {
			labels[key] = value
		}
	}
	return labels
}
