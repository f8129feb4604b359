package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// explain says why the Pod of -explain is published or is not, in which slices it is, and which
// write changes that: the question of every support case.
func (c config) explain(out *commandline.Output, w world, chosen []*corev1.Service) error {
	pods := slices.DeleteFunc(slices.Clone(w.Pods), func(p *corev1.Pod) bool {
		return c.pod != p.Name && c.pod != p.Namespace+"/"+p.Name
	})
	if len(pods) == 0 {
		return fmt.Errorf("-explain %s: no such Pod among the %d read; check the name", c.pod, len(w.Pods))
	}
	var mistakes []error
	for i, pod := range pods {
		if i > 0 {
			out.Line("")
		}
		e := explanation{out: out, pod: pod, world: w, config: c}
		out.Line("Pod %s/%s: %s", pod.Namespace, pod.Name, podState(pod))
		mistakes = append(mistakes, e.services(chosen))
	}
	return errors.Join(mistakes...)
}

// explanation is about one Pod.
type explanation struct {
	out    *commandline.Output
	pod    *corev1.Pod
	world  world
	config config
}

// services explains for each Service that selects the Pod or has it in its slices. If there is
// none, it says for each why it does not.
func (e explanation) services(chosen []*corev1.Service) error {
	var mistakes []error
	var others []string
	found := false
	for _, svc := range chosen {
		reason := unselected(svc, e.pod)
		if reason != "" {
			others = append(others, fmt.Sprintf("Service %s/%s: %s", svc.Namespace, svc.Name, reason))
		}
		if svc.Namespace != e.pod.Namespace {
			continue
		}
		p, err := e.world.plan(svc, e.config)
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		name := svc.Namespace + "/" + svc.Name
		switch {
		case reason != "" && len(e.places(p)) == 0:
			continue
		case reason != "":
			e.out.Line("  Service %s does not select it: %s", name, reason)
		case p.leftAlone != "":
			e.out.Line("  Service %s selects it, and is left alone: %s", name, p.leftAlone)
		default:
			e.out.Line("  Service %s selects it", name)
		}
		e.service(p)
		found = true
	}
	if !found && len(mistakes) == 0 {
		e.noService(others)
	}
	return errors.Join(mistakes...)
}

// noService says why each of the Services does not select the Pod.
func (e explanation) noService(why []string) {
	e.out.Line("  no Service in the input selects it: %s", labelText(e.pod.Labels))
	for i, line := range why {
		if i == few && len(why) > few+1 && !e.config.all {
			e.out.Line("    and %d more (-all lists them)", len(why)-i)
			break
		}
		e.out.Line("    %s", line)
	}
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
			e.out.Line("    left out: %s",
				strings.Join(strings.Fields(fmt.Sprint(s.Reason, " ", s.AddressType, " ", s.Address, " ", s.Port)),
					" "))
			e.out.Line("      %s", forUsers.Replace(s.Err.Error()))
		}
	}
	if published == 0 {
		return
	}
	e.out.Line("    %s", readiness(p.service, e.pod))
	for _, line := range e.sharers(p) {
		e.out.Line("    %s", line)
	}
	for _, d := range p.plan.Hints {
		if d.Mode != hints.None {
			e.out.Line("    hints %s %s: %s", d.AddressType, d.Mode, strings.Split(d.String(), "\n")[0])
		}
	}
}

// sharers names other objects that are published with an address of the Pod on the same ports.
func (e explanation) sharers(p planned) (lines []string) {
	own := map[string]bool{}
	after := p.plan.After()
	for _, s := range after {
		for _, endpoint := range e.endpoints(s) {
			own[where(s)+" "+endpoint.Addresses[0]] = true
		}
	}
	for _, s := range after {
		for _, other := range s.Endpoints {
			to := other.TargetRef
			if own[where(s)+" "+other.Addresses[0]] && to != nil && to.UID != e.pod.UID {
				lines = append(lines, fmt.Sprintf("%s %s/%s has the address %s, too: proxies see one endpoint, with "+
					"the conditions of one of them",
					to.Kind, to.Namespace, to.Name, other.Addresses[0]))
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// ignored lists slices of others that have the Pod: traffic may come by them too.
func (e explanation) ignored(p planned) {
	for _, i := range p.plan.Ignored {
		if of(p)(i) && len(e.endpoints(i.Slice)) > 0 {
			e.out.Line("    is in %s too, which is not this plan's to write: %s%s", i.Slice.Name, i.Reason,
				managedBy(i))
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
		write := fmt.Sprintf("step %d of %d: %s %s (%s)", i+1, len(p.plan.Steps), s.Verb, cmp.Or(s.New, s.Old).Name,
			reasons(s))
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
func unselected(svc *corev1.Service, pod *corev1.Pod) string {
	switch reason, _ := services.Managed(svc); {
	case svc.Namespace != pod.Namespace:
		return fmt.Sprintf("the Pod is in namespace %s, and a Service selects Pods of its own, %s", pod.Namespace,
			svc.Namespace)
	case reason == services.ExternalName:
		return "it is of type ExternalName, an alias for " + svc.Spec.ExternalName + " without endpoints"
	case reason == services.NoSelector:
		return "it has no selector, so its endpoints come from elsewhere"
	}
	var unmet []string
	for _, key := range slices.Sorted(maps.Keys(svc.Spec.Selector)) {
		want := svc.Spec.Selector[key]
		switch have, ok := pod.Labels[key]; {
		case !ok:
			unmet = append(unmet, fmt.Sprintf("the Pod has no label %s, and the selector wants %s=%s", key, key, want))
		case have != want:
			unmet = append(unmet, fmt.Sprintf("the Pod's label is %s=%s, and the selector wants %s=%s", key, have, key,
				want))
		}
	}
	return strings.Join(unmet, "; ")
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
	condition := readyCondition(pod)
	ready := conditions.FromPod(pod, false).Serving
	terminating := pod.DeletionTimestamp != nil
	switch {
	case svc.Spec.PublishNotReadyAddresses:
		return "ready, because the Service publishes addresses that are not ready too (publishNotReadyAddresses)"
	case ready && terminating:
		return "not ready, because the Pod terminates; it still serves, and gets traffic where no other endpoint is " +
			"ready"
	case terminating:
		return "not ready, because the Pod terminates and its condition Ready is not True"
	case ready:
		return "ready, because the Pod's condition Ready is True"
	case condition == nil:
		return "not ready, because the Pod has no condition Ready yet"
	}
	return fmt.Sprintf("not ready, because the Pod's condition Ready is %s: see its readiness probe and readiness "+
		"gates", condition.Status)
}
