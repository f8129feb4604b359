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

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// planned is one Service with what became of it.
type planned struct {
	service *corev1.Service
	plan    slicer.Plan
	pods    []*corev1.Pod // that the Service selects
	others  []other

	leftAlone string   // why there is no plan; empty if there is one
	mirrors   bool     // the plan is for mirrors of the Service's Endpoints
	remarks   []string // what the plan does not say
}

// other is a slice of the Service that is not written, and why.
type other struct {
	*discoveryv1.EndpointSlice
	why string
}

// unmanaged returns why the plan for Pods leaves a Service alone; empty if it does not.
func unmanaged(svc *corev1.Service) string {
	switch {
	case svc.Spec.Type == corev1.ServiceTypeExternalName:
		return "an ExternalName Service is an alias and has no endpoints: do not manage it"
	case len(svc.Spec.Selector) == 0:
		return "it has no selector, so its endpoints come from elsewhere (give its Endpoints to plan their mirrors)"
	}
	return ""
}

func isManaged(svc *corev1.Service) bool { return unmanaged(svc) == "" }

// plan is what a controller does for one Service, up to the writes. An error says where the object
// is that it is about.
func (w *cluster) plan(svc *corev1.Service) (*planned, error) {
	p := &planned{service: svc, pods: w.selected(svc)}
	endpoints := w.endpoints[full(svc)]
	var err error
	switch {
	case endpoints != nil && len(svc.Spec.Selector) == 0:
		p.mirrors = true
		w.shown[endpoints] = true
		err = w.mirror(p, endpoints)
	case unmanaged(svc) != "":
		p.leftAlone = unmanaged(svc)
	default:
		err = w.publish(p)
	}
	if err != nil {
		return p, w.locate(svc, err)
	}
	w.complete(p)
	return p, nil
}

// publish plans for the Pods of a Service. If there is no Node in the input, the plan does without,
// because otherwise it would skip every Pod.
func (w *cluster) publish(p *planned) error {
	var nodes services.Nodes
	if len(w.Nodes) > 0 {
		nodes = services.NodesByName(w.Nodes)
	}
	in, err := services.FromPods(p.service, w.pods[p.service.Namespace], nodes, services.Options{
		ManagedBy: cmp.Or(w.managedBy, services.KubernetesManager), ReplacesKubernetes: true,
	})
	if err != nil {
		return err
	}
	in.Hints.Limit, in.Hints.Weights = w.limit, hints.NodeWeights(w.Nodes, nil)
	in.Options.MaxEndpointsPerSlice = w.max
	p.plan, err = slicer.Compute(in, w.slices[p.service.Namespace])
	for _, s := range p.plan.Steps {
		if s.Old != nil && len(s.Old.Endpoints) > 0 && len(w.pods[p.service.Namespace]) == 0 && !w.noPods {
			p.leftAlone = fmt.Sprintf("its slices have endpoints, and there is no Pod of namespace %s in the input: "+
				"add pods to kubectl get, or give -no-pods if there are none", p.service.Namespace)
		}
	}
	return err
}

// mirror is what a mirroring controller does for a Service without selector. Mirrors have defaults
// of their own, which stay unless a flag was given.
func (w *cluster) mirror(p *planned, endpoints *corev1.Endpoints) error {
	o := mirror.Options{ManagedBy: cmp.Or(w.managedBy, mirror.KubernetesManager), ReplacesKubernetes: true}
	in, err := mirror.FromEndpoints(endpoints, p.service, o)
	if err != nil {
		return err
	}
	in.Options.MaxEndpointsPerSlice = cmp.Or(w.max, in.Options.MaxEndpointsPerSlice)
	p.plan, err = slicer.Compute(in, w.slices[p.service.Namespace])
	return err
}

// complete adds what the plan does not say, and notes what it says.
func (w *cluster) complete(p *planned) {
	for _, s := range p.plan.Ignored {
		if s.Labels[discoveryv1.LabelServiceName] == p.service.Name {
			p.others = append(p.others, other{s, manager(s)})
		}
	}
	if p.leftAlone != "" {
		p.plan, p.others = slicer.Plan{}, nil
		for _, s := range w.slices[p.service.Namespace] {
			if s.Labels[discoveryv1.LabelServiceName] == p.service.Name {
				p.others = append(p.others, other{s, manager(s)})
			}
		}
	}
	for _, s := range p.plan.Steps {
		w.shown[s.Old] = true
	}
	for _, s := range p.plan.Unchanged {
		w.shown[s] = true
	}
	var foreign []*discoveryv1.EndpointSlice
	for _, o := range p.others {
		w.shown[o.EndpointSlice] = true
		foreign = append(foreign, o.EndpointSlice)
	}
	for _, pod := range p.pods {
		w.shown[pod] = true
	}
	p.ports(foreign)
}

// ports remarks which slices of others have ports that the Service does not have, by name and
// protocol, and which ports of the Service no endpoint has after the plan.
func (p *planned) ports(others []*discoveryv1.EndpointSlice) {
	for _, u := range dedup.Merge(others, dedup.Options{}).ForGateway(p.service).Unused {
		if u.Reason == "NoServicePort" && p.service.Spec.ClusterIP != corev1.ClusterIPNone {
			p.remarks = append(p.remarks, u.String()+"; give both the same name and protocol")
		}
	}
	has := map[string]bool{}
	for _, s := range append(others, p.plan.After()...) {
		for _, port := range s.Ports {
			if len(s.Endpoints) > 0 {
				has[manifest.PortName(manifest.PortOf(port))] = true
			}
		}
	}
	var without []string
	for _, port := range p.service.Spec.Ports {
		if name := manifest.PortName(port); !has[name] {
			without = append(without, name)
		}
	}
	if len(without) > 0 {
		p.remarks = append(p.remarks, "ports without an endpoint: "+strings.Join(without, ", "))
	}
}

// skip is something that is not published.
type skip struct{ reason, pod, text string }

func (p *planned) skips() (all []skip) {
	for _, s := range slices.Concat(p.plan.Warnings, p.plan.Normal) {
		out := skip{reason: s.Reason}
		if s.Object.Kind == "Pod" {
			out.pod = s.Object.Name
		}
		out.text = forUsers.Replace(strings.Replace(s.String(), ": "+out.reason, "", 1))
		all = append(all, out)
	}
	return all
}

// locate says where the objects are that a plan's errors are about.
func (w *cluster) locate(svc *corev1.Service, err error) error {
	var located []error
	for _, line := range command.Lines(err) {
		line = forUsers.Replace(strings.TrimPrefix(line, "service."))
		located = append(located, fmt.Errorf("%s: Service %s: %s", w.Where(svc), full(svc), line))
	}
	return errors.Join(located...)
}

// forUsers replaces names of Go in texts of the library, which users of kubectl do not know.
var forUsers = strings.NewReplacer(
	"if that program is yours, plan them with services.FromBackends, not from the Endpoints",
	"remove the label if the Endpoints are to be mirrored",
	"is not found", "is not in the input: give all Nodes, or none",
	"meta.ownerReferences[0].uid", "metadata.uid",
	"options.managedBy", "-managed-by",
	"hints.weights", "-limit",
	"hints.limit", "-limit",
)
