package main

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// planned is one Service with what became of it.
type planned struct {
	service   *corev1.Service
	plan      slicer.Plan
	leftAlone string // why there is no plan; empty when there is one

	mirrors bool // the plan is for mirrors of the Service's Endpoints
	noLimit bool // -limit was given, and there are no SameZone hints
}

// planAll plans for each Service that is asked for, sorted by namespace and name. The error names those that it cannot
// plan for, and the plans are for the others.
func planAll(objects *manifest.Objects, c config) ([]planned, error) {
	world := index(objects)
	var plans []planned
	var errs []error
	for _, svc := range objects.Services {
		if !c.wants(svc) {
			continue
		}
		p, err := world.plan(svc, c)
		if err != nil {
			errs = append(errs, locate(objects, svc, err))
			continue
		}
		p.noLimit = c.from.Hints.Limit > 0 && (world.hints(svc, c).Limit == 0 || p.mirrors && !c.hinted)
		plans = append(plans, p)
	}
	if len(plans) == 0 && len(errs) == 0 {
		return nil, errNoService(objects, c)
	}
	slices.SortFunc(plans, func(a, b planned) int {
		return cmp.Or(strings.Compare(a.service.Namespace, b.service.Namespace), strings.Compare(a.service.Name, b.service.Name))
	})
	return plans, errors.Join(errs...)
}

func (c config) wants(svc *corev1.Service) bool {
	return c.service == "" || c.service == svc.Name || c.service == svc.Namespace+"/"+svc.Name
}

func errNoService(objects *manifest.Objects, c config) error {
	names := slices.Clone(c.files)
	if i := slices.Index(names, manifest.Stdin); i >= 0 {
		names[i] = "standard input"
	}
	where := strings.Join(names, ", ")
	if c.service != "" {
		return fmt.Errorf("%s: no Service %s among the %d read", where, c.service, len(objects.Services))
	}
	err := fmt.Errorf("%s: no Service; give a Service with its Pods, Nodes and EndpointSlices", where)
	if other := readPast(objects); other != "" {
		return fmt.Errorf("%w (%s)", err, other)
	}
	return err
}

// readPast says what was in the input and is of no use here, "" for nothing.
func readPast(objects *manifest.Objects) string {
	if objects.Others == 0 {
		return ""
	}
	return fmt.Sprintf("%s of other kinds read past, the first: %s", count(objects.Others, "object"), objects.FirstOther)
}

// world is the objects as a controller's caches would serve them.
type world struct {
	pods   map[string][]*corev1.Pod // by namespace
	slices map[string][]*discoveryv1.EndpointSlice
	nodes  []*corev1.Node

	endpoints map[string]*corev1.Endpoints // by namespace/name
}

func index(objects *manifest.Objects) world {
	w := world{
		pods:   map[string][]*corev1.Pod{},
		slices: map[string][]*discoveryv1.EndpointSlice{},
		nodes:  objects.Nodes,

		endpoints: map[string]*corev1.Endpoints{},
	}
	for _, p := range objects.Pods {
		w.pods[p.Namespace] = append(w.pods[p.Namespace], p)
	}
	for _, s := range objects.EndpointSlices {
		w.slices[s.Namespace] = append(w.slices[s.Namespace], s)
	}
	for _, e := range objects.Endpoints {
		w.endpoints[e.Namespace+"/"+e.Name] = e
	}
	return w
}

// node finds a Node by name. Without any Node in the input nobody is asked, rather than every Pod skipped.
func (w world) node() func(string) *corev1.Node {
	if len(w.nodes) == 0 {
		return nil
	}
	return services.NodesByName(w.nodes)
}

// plan is what a controller does for one Service, up to the writes.
func (w world) plan(svc *corev1.Service, c config) (planned, error) {
	if mirrors, ok, err := w.mirror(svc, c); ok {
		return mirrors, err
	}
	out := planned{service: svc}
	if reason, _ := services.Managed(svc); reason != services.Publishable {
		out.leftAlone = leftAlone(reason)
		return out, nil
	}
	o := c.from
	o.Slices = c.options
	o.Hints = w.hints(svc, c)
	if c.hinted && o.Hints.Mode == hints.None {
		o.Hints.Mode = hints.Given // which Pods do not carry: none, whatever the Service asks for
	}
	var err error
	out.plan, err = services.Plan(svc, w.pods[svc.Namespace], w.node(), w.slices[svc.Namespace], o)
	return out, err
}

// hints are those that the Service asks for, unless a flag says otherwise, weighted by the Nodes.
func (w world) hints(svc *corev1.Service, c config) hints.Options {
	config := c.from.Hints
	if !c.hinted {
		config.Mode = hints.ModeOf(svc)
	}
	if config.Mode != hints.SameZone {
		config.Limit = 0 // it asks for no hints that have one
	}
	if config.Mode == hints.Proportional || config.Limit > 0 {
		config.Weights = hints.NodeWeights(w.nodes, nil)
	}
	return config
}

// leftAlone says why a Service is none of ours.
func leftAlone(reason services.Reason) string {
	if reason == services.NoSelector {
		return "it has no selector, so somebody else manages its endpoints (give its Endpoints for a plan of their mirrors)"
	}
	return "an ExternalName Service is an alias and has no endpoints: do not manage it"
}

// locate says where the objects are that a plan's errors speak of: options are flags, all else is in the files.
func locate(objects *manifest.Objects, svc *corev1.Service, err error) error {
	var located []error
	for _, line := range commandline.Lines(err) {
		switch {
		case strings.HasPrefix(line, "options."):
			located = append(located, errors.New(line))
		case strings.HasPrefix(line, "node: "):
			located = append(located, fmt.Errorf("%s: Service %s/%s: none of the Nodes of its Pods is in the input: give all Nodes, or none",
				objects.Where(svc), svc.Namespace, svc.Name))
		default:
			located = append(located, fmt.Errorf("%s: Service %s/%s: %s", objects.Where(svc), svc.Namespace, svc.Name, strings.TrimPrefix(line, "service.")))
		}
	}
	return errors.Join(located...)
}
