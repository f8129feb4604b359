package main

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// cluster is the objects as a controller's caches would serve them, and which of them the output
// has.
type cluster struct {
	*manifest.Objects
	*config

	chosen    []*corev1.Service        // that are asked for, as the API server would return them
	assumed   []string                 // those for which it would have chosen a cluster IP
	pods      map[string][]*corev1.Pod // by namespace
	slices    map[string][]*discoveryv1.EndpointSlice
	endpoints map[string]*corev1.Endpoints // by namespace/name

	shown map[metav1.Object]bool // slices, Services, and Pods and Endpoints of a plan
}

func newCluster(c *config, objects *manifest.Objects) *cluster {
	w := &cluster{Objects: objects, config: c, pods: map[string][]*corev1.Pod{},
		slices:    map[string][]*discoveryv1.EndpointSlice{},
		endpoints: map[string]*corev1.Endpoints{}, shown: map[metav1.Object]bool{}}
	for _, p := range objects.Pods {
		w.pods[p.Namespace] = append(w.pods[p.Namespace], p)
	}
	for _, s := range objects.EndpointSlices {
		w.slices[s.Namespace] = append(w.slices[s.Namespace], s)
	}
	for _, e := range objects.Endpoints {
		w.endpoints[full(e)] = e
	}
	for _, svc := range w.Services {
		if c.Service != "" && !manifest.Named(c.Service, svc) {
			continue
		}
		w.shown[svc] = true
		svc, assumed := manifest.Completed(svc)
		if w.chosen = append(w.chosen, svc); assumed && isManaged(svc) {
			w.assumed = append(w.assumed, full(svc))
		}
	}
	slices.SortFunc(w.chosen, func(a, b *corev1.Service) int { return strings.Compare(full(a), full(b)) })
	return w
}

// full is the name of an object with its namespace.
func full(object metav1.Object) string { return object.GetNamespace() + "/" + object.GetName() }

// selected returns the Pods that a Service selects.
func (w *cluster) selected(svc *corev1.Service) (pods []*corev1.Pod) {
	for _, p := range w.pods[svc.Namespace] {
		if unselected(svc, p) == "" {
			pods = append(pods, p)
		}
	}
	return pods
}

// manager is who manages a slice, as it says.
func manager(s *discoveryv1.EndpointSlice) (text string) {
	if s.DeletionTimestamp != nil {
		text = "being deleted, "
	}
	if name := s.Labels[discoveryv1.LabelManagedBy]; name != "" {
		return text + "managed by " + name
	}
	return text + "no manager"
}

// notes are the lines at the end: what seems to be missing in the input, and everything of the
// input that is not above, with the reason.
func (w *cluster) notes() (lines []string) {
	say := func(holds bool, text string) {
		if holds {
			lines = append(lines, text)
		}
	}
	managed := slices.ContainsFunc(w.chosen, isManaged)
	say(len(w.EndpointSlices) == 0 && (managed || len(w.Endpoints) > 0), "no EndpointSlices in the input, so all are "+
		"planned as new; add endpointslices to kubectl get, unless there are none")
	say(len(w.Pods) == 0 && !w.noPods && managed, "no Pods in the input; add pods to kubectl get, if there are any")
	say(len(w.Pods) > 0 && len(w.Nodes) == 0, "no Nodes in the input, so no endpoint of a Pod gets a zone; add nodes "+
		"to kubectl get")
	list := func(what, advice string, names []string) {
		if n := len(names); n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d: %s%s", what, n, strings.Join(w.Shorten(names), ", "), advice))
		}
	}
	list("Services without all cluster IPs of their families, which are assumed", "; write clusterIP: None for a "+
		"headless Service, and ipFamilies for other families than IPv4", w.assumed)
	var nameless, other []string
	for _, s := range w.EndpointSlices {
		text := fmt.Sprintf("%s (%s, %s, %s)", full(s), command.Count(len(s.Endpoints), "endpoint"),
			command.Count(len(s.Ports), "port"), manager(s))
		if name := s.Labels[discoveryv1.LabelServiceName]; w.shown[s] {
		} else if name == "" {
			nameless = append(nameless, text)
		} else {
			other = append(other, text+" of Service "+s.Namespace+"/"+name)
		}
	}
	list("EndpointSlices without the label "+discoveryv1.LabelServiceName+", which no client of a Service reads",
		"; add the label with the name of the Service", nameless)
	list("EndpointSlices of Services that are not planned above", "", other)
	list("Services that -service does not name", "", unshown(w, w.Services))
	list("Pods that no Service above selects", "", unshown(w, w.Pods))
	list("Endpoints of no Service above or of one with a selector, which are not mirrored", "", unshown(w, w.Endpoints))
	return append(append(lines, w.Left()...), fmt.Sprintf("read %s, %s, %s, %s and %d Endpoints",
		command.Count(len(w.Services), "Service"), command.Count(len(w.Pods), "Pod"),
		command.Count(len(w.Nodes), "Node"), command.Count(len(w.EndpointSlices), "EndpointSlice"),
		len(w.Endpoints)))
}

func unshown[T metav1.Object](w *cluster, list []T) (names []string) {
	for _, o := range list {
		if !w.shown[o] {
			names = append(names, full(o))
		}
	}
	return names
}
