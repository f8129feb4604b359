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
	dedup "github.com/slicewright/slicewright/examples/internal/olddedup"
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
	noLimit bool // -limit was given, and there are no PreferSameZone hints

	unknownPorts []string // slices of others with ports that the Service does not have
}

// choose returns the Services that are asked for, sorted by namespace and name.
func (c config) choose(objects *manifest.Objects) ([]*corev1.Service, error) {
	chosen := slices.DeleteFunc(slices.Clone(objects.Services), func(s *corev1.Service) bool { return !c.wants(s) })
	if len(chosen) == 0 {
		return nil, errNoService(objects, c)
	}
	slices.SortFunc(chosen, func(a, b *corev1.Service) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return chosen, nil
}

// answered returns the Services as the API server would return them, and a note if it had to assume
// the cluster IPs of some.
func answered(chosen []*corev1.Service) (all []*corev1.Service, notes []string) {
	var assumed []string
	for _, svc := range chosen {
		svc, without := manifest.Answered(svc)
		all = append(all, svc)
		if reason, _ := services.Managed(svc); without && reason == services.Publishable {
			assumed = append(assumed, svc.Namespace+"/"+svc.Name)
		}
	}
	if len(assumed) == 0 {
		return all, nil
	}
	text := "Service " + assumed[0] + " has no clusterIP, so one is assumed"
	if n := len(assumed); n > 1 {
		text = fmt.Sprintf("%s have no clusterIP, so one is assumed for each; the first is Service %s",
			count(n, "Service"), assumed[0])
	}
	return all, []string{text + "; write clusterIP: None for a headless Service, and ipFamilies for other families " +
		"than IPv4."}
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
		return fmt.Errorf("%s: no Service %s among the %d read; check the name", where, c.service,
			len(objects.Services))
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
	return fmt.Sprintf("%s of other kinds read past, the first: %s", count(objects.Others, "object"),
		objects.FirstOther)
}

// world is the objects as a controller's caches would serve them.
type world struct {
	*manifest.Objects

	pods   map[string][]*corev1.Pod // by namespace
	slices map[string][]*discoveryv1.EndpointSlice

	endpoints map[string]*corev1.Endpoints // by namespace/name
}

func index(objects *manifest.Objects) world {
	w := world{
		Objects: objects,

		pods:   map[string][]*corev1.Pod{},
		slices: map[string][]*discoveryv1.EndpointSlice{},

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

// node finds a Node by name. If there is no Node in the input, the plan does without, because
// otherwise it would skip every Pod.
func (w world) node() func(string) *corev1.Node {
	if len(w.Nodes) == 0 {
		return nil
	}
	return services.NodesByName(w.Nodes)
}

// plan is what a controller does for one Service, up to the writes. An error says where the object
// is that it is about.
func (w world) plan(svc *corev1.Service, c config) (planned, error) {
	out, err := w.compute(svc, c)
	if err != nil {
		return out, w.locate(svc, err)
	}
	if n := present(out.plan); n > 0 && w.podsMissing(svc, c) && !out.mirrors {
		out.leftAlone, out.plan = fmt.Sprintf("its slices have %s, and there is no Pod of namespace %s in the input: "+
			"add pods to kubectl get, or give -no-pods if there are none", count(n, "endpoint"),
			svc.Namespace), slicer.Plan{}
	}
	out.unknownPorts = w.unknownPorts(out)
	out.noLimit = c.from.Hints.Limit > 0 && (w.hints(svc, c).Limit == 0 || out.mirrors && !c.hinted)
	return out, nil
}

func (w world) compute(svc *corev1.Service, c config) (planned, error) {
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
		o.Hints.Mode = hints.Given // Pods have no hints, so none are published
	}
	var err error
	out.plan, err = services.Plan(svc, w.pods[svc.Namespace], w.node(), w.slices[svc.Namespace], o)
	return out, err
}

// unknownPorts says which slices of other managers have ports that are not ports of the Service, by
// name and protocol: no client of the Service reaches the endpoints there. What is planned here has
// a Skip.
func (w world) unknownPorts(p planned) (lines []string) {
	var others []*discoveryv1.EndpointSlice
	for _, i := range p.plan.Ignored {
		if i.Reason == slicer.Foreign {
			others = append(others, i.Slice)
		}
	}
	if p.leftAlone != "" {
		others = w.slices[p.service.Namespace]
	}
	for _, u := range dedup.ForGateway(p.service, others).Unused {
		if u.Reason == dedup.NoServicePort {
			lines = append(lines, fmt.Sprintf("slice %s: %s; give both the same name and protocol", u.Slice, u.Text))
		}
	}
	return lines
}

// podsMissing reports whether Pods seem to be missing in the input. Pods that the selector does not
// select are a state of a cluster.
func (w world) podsMissing(svc *corev1.Service, c config) bool {
	return len(w.pods[svc.Namespace]) == 0 && !c.noPods
}

// hasEndpoints reports whether a slice of the Service has an endpoint.
func (w world) hasEndpoints(svc *corev1.Service) bool {
	return slices.ContainsFunc(w.slices[svc.Namespace], func(s *discoveryv1.EndpointSlice) bool {
		return s.Labels[discoveryv1.LabelServiceName] == svc.Name && len(s.Endpoints) > 0
	})
}

// present is how many endpoints the slices have that a plan writes.
func present(plan slicer.Plan) (n int) {
	for _, s := range plan.Steps {
		if s.Old != nil {
			n += len(s.Old.Endpoints)
		}
	}
	return n
}

// hints are what the Service asks for, unless a flag says otherwise, weighted by the Nodes.
func (w world) hints(svc *corev1.Service, c config) hints.Options {
	config := c.from.Hints
	if !c.hinted {
		config.Mode = hints.ModeOf(svc)
	}
	if config.Mode != hints.PreferSameZone {
		config.Limit = 0 // it asks for no hints that have one
	}
	if config.Mode == hints.Auto || config.Limit > 0 {
		config.Weights = hints.NodeWeights(w.Nodes, nil)
	}
	return config
}

// leftAlone says why a Service is none of ours.
func leftAlone(reason services.Reason) string {
	if reason == services.NoSelector {
		return "it has no selector, so its endpoints come from elsewhere (give its Endpoints for a plan of their " +
			"mirrors)"
	}
	return "an ExternalName Service is an alias and has no endpoints: do not manage it"
}

// locate says where the objects are that a plan's errors are about.
func (w world) locate(svc *corev1.Service, err error) error {
	var located []error
	for _, line := range commandline.Lines(err) {
		line = forUsers.Replace(strings.TrimPrefix(line, "service."))
		if strings.HasPrefix(line, services.ErrNodesUnknown.Error()) {
			line = "none of the Nodes of its Pods is in the input: give all Nodes, or none"
		}
		located = append(located, fmt.Errorf("%s: Service %s/%s: %s", w.Where(svc), svc.Namespace, svc.Name, line))
	}
	return errors.Join(located...)
}

// forUsers replaces names of Go in texts of the library, which users of kubectl do not know.
var forUsers = strings.NewReplacer(
	"if that program is yours, plan them with services.PlanBackends, not from the Endpoints",
	"remove the label if the Endpoints are to be mirrored",
	"set.owners[0].uid", "metadata.uid",
	"options.hints.weights", "-limit",
	"options.hints.limit", "-limit",
)
