package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
)

// explain says why the Pod of -explain is published or is not, in which slices it is, and which write changes that: the
// question of every support case.
func (c config) explain(out *commandline.Output, objects *manifest.Objects, plans []planned) error {
	pods := slices.DeleteFunc(slices.Clone(objects.Pods), func(p *corev1.Pod) bool {
		return c.pod != p.Name && c.pod != p.Namespace+"/"+p.Name
	})
	if len(pods) == 0 {
		return fmt.Errorf("-explain %s: no such Pod among the %d read", c.pod, len(objects.Pods))
	}
	for i, pod := range pods {
		if i > 0 {
			out.Line("")
		}
		e := explanation{out: out, pod: pod}
		out.Line("Pod %s/%s: %s", pod.Namespace, pod.Name, podState(pod))
		if !e.services(plans, c.service != "") {
			out.Line("  no Service in the input selects it: %s", labelText(pod.Labels))
		}
	}
	return nil
}

// explanation is about one Pod.
type explanation struct {
	out *commandline.Output
	pod *corev1.Pod
}

// services explains for each Service that selects the Pod, and where one Service is asked for, why it does not. It
// reports whether there was any.
func (e explanation) services(plans []planned, asked bool) bool {
	any := false
	for _, p := range plans {
		name := p.service.Namespace + "/" + p.service.Name
		lacks := unselected(p, e.pod)
		switch {
		case lacks != "" && len(e.places(p)) == 0 && !asked:
			continue
		case lacks != "":
			e.out.Line("  Service %s does not select it: %s", name, lacks)
		case p.leftAlone != "":
			e.out.Line("  Service %s selects it, and is left alone: %s", name, p.leftAlone)
		default:
			e.out.Line("  Service %s selects it", name)
		}
		e.service(p)
		any = true
	}
	return any
}

// service explains what one Service's plan does with the Pod.
func (e explanation) service(p planned) {
	published := 0
	for _, at := range e.places(p) {
		e.out.Line("    %s", at.text)
		published += at.after
	}
	e.ignored(p)
	for _, s := range p.plan.Skips {
		if s.Object.Kind == "Pod" && s.Object.Namespace == e.pod.Namespace && s.Object.Name == e.pod.Name {
			e.out.Line("    left out: %s", strings.Join(strings.Fields(fmt.Sprint(s.Reason, " ", s.AddressType, " ", s.Address, " ", s.Port)), " "))
			e.out.Line("      %s", s.Err)
		}
	}
	if published == 0 {
		return
	}
	e.out.Line("    %s", readiness(p.service, e.pod))
	for _, d := range p.plan.Hints {
		if d.Mode != hints.None {
			e.out.Line("    hints %s", strings.Split(d.String(), "\n")[0])
		}
	}
}

// ignored lists slices of others that have the Pod: traffic may come by them too.
func (e explanation) ignored(p planned) {
	for _, i := range p.plan.Ignored {
		if of(p)(i) && len(e.endpoints(i.Slice)) > 0 {
			e.out.Line("    is in %s too, which is not this plan's to write: %s%s", i.Slice.Name, i.Reason, managedBy(i))
		}
	}
}

// at is the Pod in one slice.
type at struct {
	text  string
	after int // how many endpoints it has there after the plan
}

// places lists the slices that have the Pod before or after the plan.
func (e explanation) places(p planned) []at {
	var all []at
	for _, s := range p.plan.Unchanged {
		if list := e.endpoints(s); len(list) > 0 {
			all = append(all, at{fmt.Sprintf("stays in %s: %s %s; nothing is written there", s.Name, where(s),
				brief(list)), len(list)})
		}
	}
	for i, s := range p.plan.Steps {
		before, after := e.endpoints(s.Old), e.endpoints(s.New)
		if len(before)+len(after) == 0 {
			continue
		}
		write := fmt.Sprintf("step %d of %d: %s %s (%s)", i+1, len(p.plan.Steps), s.Verb, cmp.Or(s.New, s.Old).Name, reasons(s))
		all = append(all, at{moveText(s, before, after) + "; " + write, len(after)})
	}
	return all
}

// moveText says what a step does with the Pod's endpoints.
func moveText(s slicer.Step, before, after []discoveryv1.Endpoint) string {
	shown := cmp.Or(s.New, s.Old)
	was, is := brief(before), brief(after)
	switch {
	case len(before) == 0:
		return fmt.Sprintf("comes into %s: %s %s", shown.Name, where(shown), is)
	case len(after) == 0:
		return fmt.Sprintf("leaves %s: %s %s", shown.Name, where(s.Old), was)
	case was == is && where(s.Old) == where(s.New):
		return fmt.Sprintf("stays in %s as it is: %s %s", shown.Name, where(shown), is)
	}
	return fmt.Sprintf("changes in %s from %s %s to %s %s", shown.Name, where(s.Old), was, where(s.New), is)
}

// brief prints endpoints without what is known of all of them: the Pod.
func brief(list []discoveryv1.Endpoint) string {
	texts := make([]string, len(list))
	for i := range list {
		fields := slices.DeleteFunc(notation.Fields(&list[i], ""), func(f notation.Field) bool {
			return f.Key == "ref" || f.Key == "uid" || f.Key == "ref-rv"
		})
		texts[i] = notation.Addresses(list[i].Addresses) + notation.Braces(fields)
	}
	return strings.Join(texts, " ")
}

// where is a slice's address type and ports.
func where(s *discoveryv1.EndpointSlice) string {
	if len(s.Ports) == 0 {
		return string(s.AddressType) + " without ports"
	}
	return fmt.Sprintf("%s %s", s.AddressType, notation.Ports(s.Ports))
}

// endpoints are those of a slice that stand for the Pod; none for a nil slice.
func (e explanation) endpoints(s *discoveryv1.EndpointSlice) []discoveryv1.Endpoint {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Endpoints), func(endpoint discoveryv1.Endpoint) bool {
		ref := endpoint.TargetRef
		return ref == nil || ref.Kind != "Pod" || ref.Namespace != e.pod.Namespace || ref.Name != e.pod.Name
	})
}

// unselected says why a Service does not select a Pod, "" if it does.
func unselected(p planned, pod *corev1.Pod) string {
	svc := p.service
	switch {
	case svc.Namespace != pod.Namespace:
		return "it is in namespace " + pod.Namespace
	case svc.Spec.Type == corev1.ServiceTypeExternalName:
		return "it is of type ExternalName"
	case len(svc.Spec.Selector) == 0 && p.leftAlone != "":
		return "it has no selector"
	}
	var lacks []string
	for _, key := range slices.Sorted(maps.Keys(svc.Spec.Selector)) {
		want := svc.Spec.Selector[key]
		switch have, ok := pod.Labels[key]; {
		case !ok:
			lacks = append(lacks, fmt.Sprintf("it has no label %s, and the selector wants %s=%s", key, key, want))
		case have != want:
			lacks = append(lacks, fmt.Sprintf("its label is %s=%s, and the selector wants %s=%s", key, have, key, want))
		}
	}
	return strings.Join(lacks, "; ")
}

func labelText(labels map[string]string) string {
	if len(labels) == 0 {
		return "it has no labels"
	}
	var words []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		words = append(words, key+"="+labels[key])
	}
	return "its labels are " + strings.Join(words, ", ")
}

// podState is what the Pod says of itself that counts for endpoints.
func podState(pod *corev1.Pod) string {
	text := string(pod.Status.Phase)
	if text == "" {
		text = "no phase"
	}
	if ready := readyCondition(pod); ready == nil {
		text += ", no condition Ready"
	} else {
		text += fmt.Sprintf(", Ready is %s", ready.Status)
		if !ready.LastTransitionTime.IsZero() {
			text += " since " + ready.LastTransitionTime.UTC().Format(time.RFC3339)
		}
	}
	if pod.DeletionTimestamp != nil {
		text += ", terminating"
	}
	return text
}

func readyCondition(pod *corev1.Pod) *corev1.PodCondition {
	isReady := func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady }
	if i := slices.IndexFunc(pod.Status.Conditions, isReady); i >= 0 {
		return &pod.Status.Conditions[i]
	}
	return nil
}

// readiness says how the Pod's state becomes the endpoint's conditions.
func readiness(svc *corev1.Service, pod *corev1.Pod) string {
	condition, ready, terminating := readyCondition(pod), conditions.PodReady(pod), pod.DeletionTimestamp != nil
	switch {
	case svc.Spec.PublishNotReadyAddresses:
		return "ready, because the Service publishes addresses that are not ready too (publishNotReadyAddresses)"
	case ready && terminating:
		return "not ready, because the Pod terminates; it still serves, and gets traffic where no other endpoint is ready"
	case terminating:
		return "not ready, because the Pod terminates and its condition Ready is not True"
	case ready:
		return "ready, because the Pod's condition Ready is True"
	case condition == nil:
		return "not ready, because the Pod has no condition Ready yet"
	}
	return fmt.Sprintf("not ready, because the Pod's condition Ready is %s: see its readiness probe and readiness gates", condition.Status)
}
