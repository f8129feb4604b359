package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/controller/network"
	"github.com/slicewright/slicewright/slicer"
)

// converge waits until the API server holds exactly what is wanted, the controller would write nothing more, and the
// watcher has seen it. It returns the controller's slices.
func (c *cluster) converge() []discoveryv1.EndpointSlice {
	c.Helper()
	var ours []discoveryv1.EndpointSlice
	c.wait("no convergence", func() string {
		wanted, published := c.wanted(), map[string]int{}
		ours = c.ours()
		for _, s := range ours {
			if len(s.Endpoints) == 0 || len(s.Endpoints) > maxPerSlice {
				return fmt.Sprintf("slice %s has %d endpoints", s.Name, len(s.Endpoints))
			}
			for _, e := range s.Endpoints {
				published[describe(s.Labels[network.ServiceLabel], s.Annotations[network.Annotation], e, s.Ports)]++
			}
		}
		if !maps.Equal(wanted, published) {
			return fmt.Sprintf("published\n%swanted\n%s", sorted(published), sorted(wanted))
		}
		if !c.view.shows(ours) {
			return "the watcher has not seen all"
		}
		return c.leftToDo()
	})
	return ours
}

// wanted lists what is to be published, once each, as a reader of the documentation would.
func (c *cluster) wanted() map[string]int {
	var services corev1.ServiceList
	var pods corev1.PodList
	c.do(c.admin.List(c.Context(), &services, client.InNamespace(c.namespace)))
	c.do(c.admin.List(c.Context(), &pods, client.InNamespace(c.namespace)))
	wanted := map[string]int{}
	for _, svc := range services.Items {
		on := svc.Annotations[network.Annotation]
		for _, pod := range pods.Items {
			if on == "" || !labels.SelectorFromSet(svc.Spec.Selector).Matches(labels.Set(pod.Labels)) ||
				pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
				continue
			}
			var node corev1.Node
			err := c.admin.Get(c.Context(), client.ObjectKey{Name: pod.Spec.NodeName}, &node)
			c.do(client.IgnoreNotFound(err))
			if err != nil {
				continue
			}
			ready, terminating := false, pod.DeletionTimestamp != nil
			for _, condition := range pod.Status.Conditions {
				ready = ready || condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue
			}
			published := ready && !terminating
			zone := node.Labels[corev1.LabelTopologyZone]
			for _, address := range onNetwork(&pod, on) {
				wanted[describe(svc.Name, on, discoveryv1.Endpoint{
					Addresses:  []string{address},
					Conditions: discoveryv1.EndpointConditions{Ready: &published, Serving: &ready, Terminating: &terminating},
					NodeName:   &node.Name, Zone: &zone,
					TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
				}, portsOf(&svc, &pod))]++
			}
		}
	}
	return wanted
}

func onNetwork(pod *corev1.Pod, name string) (ips []string) {
	var interfaces []map[string]any
	_ = json.Unmarshal([]byte(pod.Annotations[network.Status]), &interfaces)
	for _, i := range interfaces {
		if i["name"] != pod.Namespace+"/"+name {
			continue
		}
		for _, ip := range i["ips"].([]any) {
			ips = append(ips, ip.(string))
		}
	}
	return ips
}

func portsOf(svc *corev1.Service, pod *corev1.Pod) (ports []discoveryv1.EndpointPort) {
	for _, p := range svc.Spec.Ports {
		number := p.TargetPort.IntVal
		for _, declared := range pod.Spec.Containers[0].Ports {
			if declared.Name == p.TargetPort.StrVal {
				number = declared.ContainerPort
			}
		}
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &number})
	}
	return ports
}

// describe puts all of an endpoint that counts in a line.
func describe(service, on string, e discoveryv1.Endpoint, ports []discoveryv1.EndpointPort) string {
	var names []string
	for _, p := range ports {
		names = append(names, fmt.Sprintf("%s:%d/%s", *p.Name, *p.Port, *p.Protocol))
	}
	slices.Sort(names)
	zone := ""
	if e.Zone != nil {
		zone = *e.Zone
	}
	return fmt.Sprintf("%s on %s: %v %v ready=%v serving=%v terminating=%v node=%s zone=%s %s/%s", service, on, e.Addresses, names,
		*e.Conditions.Ready, *e.Conditions.Serving, *e.Conditions.Terminating, *e.NodeName, zone, e.TargetRef.Name, e.TargetRef.UID)
}

func sorted(lines map[string]int) string {
	var b strings.Builder
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "\t%s", line)
		if n := lines[line]; n > 1 {
			fmt.Fprintf(&b, " %d times", n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// ours returns the controller's slices.
func (c *cluster) ours() []discoveryv1.EndpointSlice {
	var list discoveryv1.EndpointSliceList
	c.do(c.admin.List(c.Context(), &list, client.InNamespace(c.namespace),
		client.MatchingLabels{discoveryv1.LabelManagedBy: network.ManagedBy}))
	return list.Items
}

// leftToDo returns the first plan, made from what the API server has, that would write something.
func (c *cluster) leftToDo() string {
	var services corev1.ServiceList
	c.do(c.admin.List(c.Context(), &services, client.InNamespace(c.namespace)))
	for i := range services.Items {
		if plan := c.plan(&services.Items[i]); !plan.Empty() {
			return "left to do: " + plan.String()
		}
	}
	return ""
}

// plan is what a controller with a perfect cache would do.
func (c *cluster) plan(svc *corev1.Service) slicer.Plan {
	existing, pods, nodes := discoveryv1.EndpointSliceList{}, corev1.PodList{}, corev1.NodeList{}
	c.do(c.admin.List(c.Context(), &existing, client.InNamespace(c.namespace)))
	c.do(c.admin.List(c.Context(), &pods, client.InNamespace(c.namespace)))
	c.do(c.admin.List(c.Context(), &nodes))
	plan, err := (&network.Controller{Max: maxPerSlice}).Plan(svc, slicer.Pointers(pods.Items), network.NewNodes(slicer.Pointers(nodes.Items)),
		slicer.Pointers(existing.Items))
	c.do(err)
	return plan
}
