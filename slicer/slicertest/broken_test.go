package slicertest

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// spoilt is a right writer with one mistake, and the guarantee that names it.
type spoilt struct {
	mistake, breaks string
	spoil           func(k *keeper)
}

// TestBroken checks that each mistake is found within the first 1 000 histories of a run.
func TestBroken(t *testing.T) {
	for _, row := range slices.Concat(missed, commonMistakes, knownMistakes) {
		t.Run(row.mistake, func(t *testing.T) {
			t.Parallel()
			o := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: details, Histories: 1000}
			if slices.Contains(strict, row.breaks) {
				o.Also = strict
			}
			k := suiteOf(t, o, kit.Flags{}, keeping(row.spoil))
			if n, err := k.Until(row.breaks, k.menu(), k.play); n == 0 {
				t.Errorf("%s is not found broken, %v", row.breaks, err)
			}
		})
	}
}

// onWanted changes what is published of a Pod.
func onWanted(change func(s State, w *Want)) func(*keeper) {
	return func(k *keeper) {
		k.want = func(s State) []Want {
			list := claimsAll.want(s)
			for i := range list {
				change(s, &list[i])
			}
			return list
		}
	}
}

// onMerge changes what an update writes, once the metadata of the old slice are kept.
func onMerge(change func(old, s, wanted *discoveryv1.EndpointSlice)) func(*keeper) {
	return func(k *keeper) {
		merge := k.merge
		k.merge = func(old, s *discoveryv1.EndpointSlice) {
			wanted := *s
			merge(old, s)
			change(old, s, &wanted)
		}
	}
}

// onWrite changes each slice that is to be written.
func onWrite(spoil func(old, s *discoveryv1.EndpointSlice)) func(*keeper) {
	return func(k *keeper) {
		k.write = func(c call, w change) error {
			if w.s != nil {
				spoil(w.old, w.s)
			}
			return w.do(c)
		}
	}
}

var commonMistakes = []spoilt{
	{"publishes Pods of phase Failed", "complete", onPods(func(s State, pod *corev1.Pod) {
		if pod.Status.Phase == corev1.PodFailed {
			pod.Status.Phase = corev1.PodRunning
		}
	})},
	{"publishes Pods of phase Succeeded", "complete", onPods(func(_ State, pod *corev1.Pod) {
		if pod.Status.Phase == corev1.PodSucceeded {
			pod.Status.Phase = corev1.PodRunning
		}
	})},
	{"forgets hostnames", "complete", onWanted(func(_ State, w *Want) { w.Endpoint.Hostname = nil })},
	{"gives the hostname in any subdomain", "nothing-false", onPods(func(s State, pod *corev1.Pod) {
		pod.Spec.Subdomain = s.Service.Name
	})},
	{"hints for the zone of another endpoint", "nothing-false", hinting(func(w *Want) string { return zoneName(0) }, nil)},
	{"hints for a zone that does not exist", "nothing-false", hinting(func(w *Want) string { return "zone-" + *w.Endpoint.Zone }, nil)},
	{"hints for the Node of another endpoint", "nothing-false",
		hinting(func(w *Want) string { return *w.Endpoint.Zone }, func(w *Want) string { return nodeName(0) })},
	{"reads a Service again only if its generation changes", "complete", func(k *keeper) {
		want, known := k.want, map[types.UID]*corev1.Service{}
		k.want = func(s State) []Want {
			if old := known[s.Service.UID]; old != nil && old.Generation == s.Service.Generation {
				s.Service = old
			}
			known[s.Service.UID] = s.Service
			return want(s)
		}
	}},
	{"updates slices that are being deleted", "complete", func(k *keeper) { k.dying = true }},
}

// onPods has the Pods of a State changed before it is known what is wanted of them.
func onPods(change func(State, *corev1.Pod)) func(*keeper) {
	return func(k *keeper) {
		want := k.want
		k.want = func(s State) []Want {
			for i, pod := range s.Pods {
				s.Pods[i] = pod.DeepCopy()
				change(s, s.Pods[i])
			}
			return want(s)
		}
	}
}

// hinting gives each endpoint that has a zone a hint, if the Service asks for hints: for a zone,
// and with PreferSameNode for a Node, unless node is nil.
func hinting(zone, node func(*Want) string) func(*keeper) {
	return onWanted(func(s State, w *Want) {
		distribution := s.Service.Spec.TrafficDistribution
		if w.Endpoint.Zone == nil || *w.Endpoint.Zone == "" || distribution == nil && !isTopologyAware(s.Service) {
			return
		}
		h := &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone(w)}}}
		if node != nil && distribution != nil && *distribution == corev1.ServiceTrafficDistributionPreferSameNode {
			h.ForNodes = []discoveryv1.ForNode{{Name: node(w)}}
		}
		w.Endpoint.Hints = h
	})
}

var knownMistakes = []spoilt{
	{"off by one at the maximum", "within-max", func(k *keeper) { k.max = 4 }},
	{"no resourceVersion", "metadata-kept",
		onMerge(func(_, s, _ *discoveryv1.EndpointSlice) {
			s.ResourceVersion = ""
		})},
	{"finalizers of others go", "metadata-kept",
		onMerge(func(_, s, _ *discoveryv1.EndpointSlice) {
			s.Finalizers = nil
		})},
	{"owners of others go", "metadata-kept",
		onMerge(func(_, s, wanted *discoveryv1.EndpointSlice) {
			s.OwnerReferences = wanted.OwnerReferences
		})},
	{"deletes and creates in place of an update", "no-gap", func(k *keeper) { k.write = recreates }},
	{"what terminates is ready", "complete", onWanted(func(_ State, w *Want) {
		w.Endpoint.Conditions.Ready = w.Endpoint.Conditions.Serving
	})},
	{"ignores managed-by", "foreign-kept", func(k *keeper) {
		k.choose = func(c call, s *discoveryv1.EndpointSlice) bool {
			return s.Namespace == c.Service.Namespace && s.Labels[discoveryv1.LabelServiceName] == c.Service.Name
		}
	}},
	{"forgets the namespace", "foreign-kept", func(k *keeper) {
		k.choose = func(c call, s *discoveryv1.EndpointSlice) bool {
			return s.Labels[discoveryv1.LabelManagedBy] == manager &&
				s.Labels[discoveryv1.LabelServiceName] == c.Service.Name
		}
	}},
	{"a label stays", "labels", onMerge(func(old, s, wanted *discoveryv1.EndpointSlice) {
		s.Labels = maps.Clone(old.Labels)
		maps.Copy(s.Labels, wanted.Labels)
	})},
	{"what it says of all Pods is not updated", "same-as-fresh", func(k *keeper) {
		onWanted(func(s State, w *Want) {
			format := map[discoveryv1.AddressType]string{discoveryv1.AddressTypeIPv4: "10.9.0.%d",
				discoveryv1.AddressTypeIPv6: "fd09::%d"}[w.AddressType]
			w.Endpoint.Addresses = append(w.Endpoint.Addresses, fmt.Sprintf(format, len(s.Pods)))
		})(k)
		k.same = func(old, s *discoveryv1.EndpointSlice) bool {
			s = s.DeepCopy()
			for i := range min(len(s.Endpoints), len(old.Endpoints)) {
				s.Endpoints[i].Addresses[1] = old.Endpoints[i].Addresses[1]
			}
			return same(old, s)
		}
	}},
	{"changes the cache", "pure", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			for _, s := range c.Own {
				s.Endpoints = nil
			}
			return writeAll(c, todo)
		}
	}},
	{"drops errors", "reports", func(k *keeper) {
		k.write = func(c call, w change) error {
			_ = w.do(c)
			return nil
		}
	}},
	{"ignores names of ports", "complete", onWanted(func(_ State, w *Want) {
		for i := range w.Ports {
			w.Ports[i].Name = new(string)
		}
	})},
	{"deletes before it creates", "no-port-gap", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			slices.Reverse(todo)
			return writeAll(c, todo)
		}
	}},
	{"says neither serving nor terminating", "nothing-false", onWanted(func(_ State, w *Want) {
		w.Endpoint.Conditions.Serving, w.Endpoint.Conditions.Terminating = nil, nil
	})},
	{"no zone", "detailed", onWanted(func(_ State, w *Want) { w.Endpoint.Zone = nil })},
	{"the targetRef of an address stays", "nothing-false", func(k *keeper) {
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
	}},
	{"no label for headless", "detailed", func(k *keeper) {
		k.labels = func(_ call, s *discoveryv1.EndpointSlice, _ int) { delete(s.Labels, corev1.IsHeadlessService) }
	}},
	{"no owner", "detailed", onWrite(func(old, s *discoveryv1.EndpointSlice) {
		if old == nil {
			s.OwnerReferences = nil
		}
	})},
	{"does not look at the owner's UID", "nothing-false", func(k *keeper) { k.anyOwner = true }},
	{"IPv6 spelt in another way", "fixed-point",
		onWrite(func(_, s *discoveryv1.EndpointSlice) {
			for i, e := range s.Endpoints {
				s.Endpoints[i].Addresses = []string{netip.MustParseAddr(e.Addresses[0]).String()}
			}
		})},
	{"does not see that two slices hold an endpoint", "once", func(k *keeper) { k.twice = true }},
	{"moves endpoints to new slices", "no-moves", createsAnew},
	{"a Pod that waits for an address fails the sync", "no-panic",
		onWanted(func(s State, _ *Want) {
			for _, pod := range s.Pods {
				_ = pod.Status.PodIPs[0]
			}
		})},
	{"an endpoint has both families", "accepted", onWanted(func(_ State, w *Want) {
		w.Endpoint.Addresses = append(w.Endpoint.Addresses, "10.0.9.9", "fd00::9")
	})},
	{"names slices by counting those that there are", "no-collision", func(k *keeper) {
		k.name = func(c call, s *discoveryv1.EndpointSlice) { s.Name = "web-" + string(rune('a'+len(c.Own))) }
	}},
	{"more writes than changes", "fewest-writes", func(k *keeper) {
		k.same = func(_, _ *discoveryv1.EndpointSlice) bool { return false }
	}},
	{"the order of the lister", "deterministic", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			if len(c.Pods) > 1 && c.Pods[0].Name > c.Pods[1].Name {
				slices.Reverse(todo)
			}
			return writeAll(c, todo)
		}
	}},
}

func recreates(c call, w change) error {
	if w.old == nil || w.s == nil {
		return w.do(c)
	}
	if err := c.delete(w.old); err != nil {
		return err
	}
	w.s.UID, w.s.ResourceVersion = "", ""
	return c.create(w.s)
}
