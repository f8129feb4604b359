package slicertest

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

// missed has the mistakes that need a rich cluster to be seen.
var missed = []spoilt{
	{"reads the first condition of a Pod", "complete", onPods(func(_ State, pod *corev1.Pod) {
		setReady(pod, pod.Status.Conditions[0].Status)
	})},
	{"reads the last condition of a Pod", "complete", onPods(func(_ State, pod *corev1.Pod) {
		setReady(pod, pod.Status.Conditions[len(pod.Status.Conditions)-1].Status)
	})},
	{"reads all conditions of a Pod", "complete", onPods(func(_ State, pod *corev1.Pod) {
		for _, c := range pod.Status.Conditions {
			if c.Status != corev1.ConditionTrue {
				setReady(pod, corev1.ConditionFalse)
			}
		}
	})},
	{"looks for ports in the first container", "complete", onPods(func(_ State, pod *corev1.Pod) {
		pod.Spec.Containers, pod.Spec.InitContainers = pod.Spec.Containers[:1], nil
	})},
	{"does not look for ports in sidecars", "complete", onPods(func(_ State, pod *corev1.Pod) { pod.Spec.InitContainers = nil })},
	{"looks for ports in all init containers", "complete", onPods(func(_ State, pod *corev1.Pod) {
		for i := range pod.Spec.InitContainers {
			always := corev1.ContainerRestartPolicyAlways
			pod.Spec.InitContainers[i].RestartPolicy = &always
		}
	})},
	{"publishes number 1 for a port that the Pod lacks", "complete", onMissingPort(func(w *Want, p *corev1.ServicePort) {
		one := int32(1)
		w.Ports = append(w.Ports, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &one})
	})},
	{"leaves out a Pod that lacks one of the ports", "complete", onMissingPort(func(w *Want, _ *corev1.ServicePort) {
		w.AddressType = ""
	})},
	{"copies labels last", "complete", func(k *keeper) {
		k.labels = func(c call, s *discoveryv1.EndpointSlice, _ int) { maps.Copy(s.Labels, c.Service.Labels) }
	}},
	{"copies the label headless", "nothing-false", func(k *keeper) {
		k.labels = func(c call, s *discoveryv1.EndpointSlice, _ int) {
			if _, has := c.Service.Labels[corev1.IsHeadlessService]; has {
				s.Labels[corev1.IsHeadlessService] = ""
			}
		}
	}},
	{"reads the zone of a Node once", "nothing-false", func(k *keeper) {
		known := map[string]*string{}
		onWanted(func(_ State, w *Want) {
			if node := *w.Endpoint.NodeName; known[node] == nil && w.Endpoint.Zone != nil {
				known[node] = w.Endpoint.Zone
			}
			w.Endpoint.Zone = known[*w.Endpoint.NodeName]
		})(k)
	}},
	{"reads the zone of each new Node once", "nothing-false", func(k *keeper) {
		known := map[types.UID]*string{}
		onWanted(func(s State, w *Want) {
			if node := nodeOf(s.Nodes, *w.Endpoint.NodeName); node != nil && known[node.UID] == nil {
				known[node.UID] = w.Endpoint.Zone
			} else if node != nil {
				w.Endpoint.Zone = known[node.UID]
			}
		})(k)
	}},
	{"leaves slices that are empty", "tidy", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			for i, w := range todo {
				if w.s == nil && w.old.DeletionTimestamp == nil {
					todo[i].s = w.old.DeepCopy()
					todo[i].s.Endpoints = nil
				}
			}
			return writeAll(c, slices.DeleteFunc(todo, func(w change) bool { return w.old != nil && same(w.old, w.s) }))
		}
	}},
	{"goes on after a failed write, and forgets the second error", "reports", func(k *keeper) {
		k.apply = func(c call, todo []change) error {
			for i, w := range todo {
				if err := k.write(c, w); err != nil && i != 1 {
					return err
				}
			}
			return nil
		}
	}},
	{"drops errors of creates", "reports", func(k *keeper) {
		k.write = func(c call, w change) error {
			if err := w.do(c); w.old != nil {
				return err
			}
			return nil
		}
	}},
	{"hints for nodes stay", "same-as-fresh", func(k *keeper) {
		hinting(func(w *Want) string { return *w.Endpoint.Zone }, func(w *Want) string { return *w.Endpoint.NodeName })(k)
		onMerge(func(old, s, _ *discoveryv1.EndpointSlice) {
			for i := range s.Endpoints {
				for _, e := range old.Endpoints {
					if e.Addresses[0] == s.Endpoints[i].Addresses[0] && e.Hints != nil && s.Endpoints[i].Hints != nil {
						s.Endpoints[i].Hints.ForNodes = e.Hints.ForNodes
					}
				}
			}
		})(k)
	}},
	{"never publishes as ready what terminates", "complete", onWanted(func(_ State, w *Want) {
		ready := *w.Endpoint.Conditions.Ready && !*w.Endpoint.Conditions.Terminating
		w.Endpoint.Conditions.Ready = &ready
	})},
	{"publishNotReadyAddresses only for what terminates not", "complete", onWanted(func(_ State, w *Want) {
		if w.Endpoint.Conditions.Ready = w.Endpoint.Conditions.Serving; *w.Endpoint.Conditions.Terminating {
			w.Endpoint.Conditions.Ready = new(bool)
		}
	})},
	{"remembers a Service by its name", "complete", func(k *keeper) {
		known := map[string]string{}
		apply := k.apply
		k.apply = func(c call, todo []change) error {
			text := fmt.Sprint(len(c.Service.Spec.Ports))
			if known[c.Service.Name] == text && len(c.Own) == 0 {
				return nil
			}
			known[c.Service.Name] = text
			return apply(c, todo)
		}
	}},
	{"remembers the last Service", "foreign-kept", func(k *keeper) {
		var own []*discoveryv1.EndpointSlice
		k.apply = func(c call, todo []change) error {
			stale := own
			if own = c.Own; len(stale) > 0 && stale[0].Namespace != c.Service.Namespace {
				todo = append(todo, change{stale[0], nil})
			}
			return writeAll(c, todo)
		}
	}},
	{"panics without a Service", "no-panic", func(k *keeper) {
		k.gone = func(c call) error { return errors.New(c.Service.Name) }
	}},
	{"fails without a Service", "converges", func(k *keeper) {
		k.gone = func(c call) error { return errors.New("no Service") }
	}},
	{"has no owner, and leaves slices to the garbage collector", "complete", onWrite(func(_, s *discoveryv1.EndpointSlice) {
		s.OwnerReferences = nil
	})},
}

// onMissingPort changes endpoints that lack a port of the Service.
func onMissingPort(change func(*Want, *corev1.ServicePort)) func(*keeper) {
	return func(k *keeper) {
		onWanted(func(s State, w *Want) {
			for i := range s.Service.Spec.Ports {
				p := &s.Service.Spec.Ports[i]
				if !slices.ContainsFunc(w.Ports, func(q discoveryv1.EndpointPort) bool { return *q.Name == p.Name }) {
					change(w, p)
				}
			}
		})(k)
		want := k.want
		k.want = func(s State) []Want {
			return slices.DeleteFunc(want(s), func(w Want) bool { return w.AddressType == "" })
		}
	}
}
