package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/internal/notation"
)

// explain says why the Pods of -explain are published or are not, in which slices they are, and
// which write changes that: the question of every support case.
func (w *cluster) explain(out *command.Output) error {
	var all []error
	for _, pod := range w.Pods {
		if manifest.Named(w.pod, pod) {
			all = append(all, w.explainPod(out, pod))
		}
	}
	if all == nil {
		return fmt.Errorf("-explain %s: no such Pod among the %d read; check the name", w.pod, len(w.Pods))
	}
	return errors.Join(all...)
}

// explainPod explains for each Service, and then names the slices that have the Pod and are in no
// plan, because clients may reach it by them.
func (w *cluster) explainPod(out *command.Output, pod *corev1.Pod) error {
	out.Line("Pod %s: %s", full(pod), cmp.Or(pod.Status.Phase, "no phase"))
	var mistakes []error
	named := map[*discoveryv1.EndpointSlice]bool{}
	for _, svc := range w.chosen {
		reason := unselected(svc, pod)
		if svc.Namespace != pod.Namespace {
			out.Line("  %s", reason)
			continue
		}
		p, err := w.plan(svc)
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		out.Line("  %s", cmp.Or(reason, p.title()+"; it selects the Pod, which is "+readiness(svc, pod)))
		for i, s := range p.plan.Steps {
			if before, after := brief(pod, s.Old), brief(pod, s.New); before+after != "" {
				named[s.Old] = true
				out.Line("    step %d of %d: %s %s (%s): %s -> %s", i+1, len(p.plan.Steps), s.Verb,
					cmp.Or(s.New, s.Old).Name, reasons(s), cmp.Or(before, "-"), cmp.Or(after, "-"))
			}
		}
		for _, s := range p.plan.Unchanged {
			if text := brief(pod, s); text != "" {
				named[s] = true
				out.Line("    keep %s: %s", s.Name, text)
			}
		}
		for _, s := range p.skips() {
			if s.pod == pod.Name {
				out.Line("    left out: %s: %s", s.reason, s.text)
			}
		}
	}
	for _, s := range w.EndpointSlices {
		if text := brief(pod, s); text != "" && !named[s] {
			of := "Service " + s.Labels[discoveryv1.LabelServiceName]
			if of == "Service " {
				of = "no Service, because it lacks the label " + discoveryv1.LabelServiceName
			}
			out.Line("  is in slice %s of %s, %s, which nothing above writes: %s", full(s), of, manager(s), text)
		}
	}
	return errors.Join(mistakes...)
}

// brief prints the endpoints of a slice that stand for a Pod, by their targetRef or, without one, by
// an address. It is empty if there are none.
func brief(pod *corev1.Pod, s *discoveryv1.EndpointSlice) string {
	var texts []string
	for i := 0; s != nil && i < len(s.Endpoints); i++ {
		e := &s.Endpoints[i]
		has := func(address string) bool {
			return address != "" && (address == pod.Status.PodIP ||
				slices.Contains(pod.Status.PodIPs, corev1.PodIP{IP: address}))
		}
		ref := e.TargetRef
		is := ref != nil && ref.Kind == "Pod" && ref.Namespace == pod.Namespace && ref.Name == pod.Name
		if !is && (ref != nil || !slices.ContainsFunc(e.Addresses, has)) {
			continue
		}
		fields := slices.DeleteFunc(notation.Fields(e, ""), func(f notation.Field) bool {
			return f.Key == "ref" || f.Key == "uid" || f.Key == "ref-rv" // known of all of them
		})
		texts = append(texts, notation.Addresses(e.Addresses)+notation.Braces(fields))
	}
	if len(texts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s %s", s.AddressType, notation.Ports(s.Ports), strings.Join(texts, " "))
}

// unselected says why a Service does not select a Pod, "" if it does.
func unselected(svc *corev1.Service, pod *corev1.Pod) string {
	text := "Service " + full(svc) + " does not select it: "
	want := labels.SelectorFromValidatedSet(svc.Spec.Selector)
	switch {
	case svc.Namespace != pod.Namespace:
		return text + "the Pod is in namespace " + pod.Namespace + ", and a Service selects Pods of its own"
	case svc.Spec.Type == corev1.ServiceTypeExternalName:
		return text + "it is of type ExternalName, an alias for " + svc.Spec.ExternalName + " without endpoints"
	case len(svc.Spec.Selector) == 0:
		return text + "it has no selector, so its endpoints come from elsewhere"
	case !want.Matches(labels.Set(pod.Labels)):
		return fmt.Sprintf("%sits selector is %v, and the labels of the Pod are %v", text, want, labels.Set(pod.Labels))
	}
	return ""
}

// readiness says how the Pod's state becomes the endpoint's conditions.
func readiness(svc *corev1.Service, pod *corev1.Pod) string {
	switch state := conditions.FromPod(pod, svc.Spec.PublishNotReadyAddresses); {
	case state.Ready && svc.Spec.PublishNotReadyAddresses:
		return "ready, because the Service publishes addresses that are not ready too (publishNotReadyAddresses)"
	case state.Ready:
		return "ready, because its condition Ready is True"
	case state.Serving:
		return "not ready, because it terminates; it still serves, and gets traffic if no other endpoint is ready"
	}
	return "not ready, because its condition Ready is not True: see its readiness probe and readiness gates"
}
