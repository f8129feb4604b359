package services_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestScenarios runs the scenarios of testdata/service. They say which Pods and backends become
// endpoints, and what is written of them. Their commands:
//
//	service headless ports=http:80->web ...   aService, changed by serviceWords
//	selection InferencePool match:app=web ... a Selection shop/pool of this kind, changed by selectionWords, instead of a Service
//	options name-label=example.com/of ...     the Options, and fields of the Input, changed by optionWords
//	pods                                      block: "2 unready" is aPod(2), changed by podWords
//	backends                                  block: "10.0.0.1,fd00::1 ready" has these addresses, "-" none; see backendWords
//	input                                     prints groups, without the fields that aPod has anyway, when their endpoints changed, in
//	                                          seconds, and all else that says what is published; ends a scenario
//	meta Labels ...                           prints these fields of Key, Meta and Options of the Input, or all, where they are not
//	                                          empty; ends a scenario
//	mistakes                                  prints what is wrong with Service and options; ends a scenario
//	plan                                      prints steps with the trigger times that are written, and Notices; the slices exist then
//	metadata                                  prints labels and owners of the slices
//	remove                                    prints what Remove plans
//	lose 1                                    somebody deletes the first slice
//	new                                       ends a scenario
func TestScenarios(t *testing.T) {
	takesBlock := func(command string) bool { return command == "pods" || command == "backends" }
	scenario.Run(t, "../../testdata/service/*.txt", func() scenario.Handler { return newHandler(t).handle }, takesBlock)
}

type handler struct {
	t        *testing.T
	service  *corev1.Service
	selected *services.Selection // instead of the Service, unless nil
	options  services.Options
	edits    []func(*slicer.Input)
	nodes    services.Nodes
	pods     []*corev1.Pod
	backends []services.Backend // instead of Pods, unless nil
	existing []*discoveryv1.EndpointSlice
}

func newHandler(t *testing.T) *handler {
	return &handler{t: t, service: aService(), options: kubernetes, nodes: nodes}
}

func (s *handler) handle(c scenario.Command) (text string, err error) {
	switch c.Name {
	case "service":
		s.service = aService()
		err = scenario.Words(s.service, c.Args, serviceWords)
	case "selection":
		s.selected = aSelection(c.Args[0])
		err = scenario.Words(s.selected, c.Args[1:], selectionWords)
	case "metadata":
		text = metadata(s.existing)
	case "options":
		s.options, s.edits, s.nodes = kubernetes, nil, nodes
		err = scenario.Words(s, c.Args, optionWords)
	case "pods":
		s.pods, err = parsePods(c.Block)
	case "backends":
		s.backends, err = parseBackends(c.Block)
	case "input":
		text, err = s.input()
		*s = *newHandler(s.t)
	case "meta":
		text, err = s.meta(c.Args)
		*s = *newHandler(s.t)
	case "mistakes":
		text, err = s.mistakes()
		*s = *newHandler(s.t)
	case "plan":
		text, err = s.plan()
	case "remove":
		name := types.NamespacedName{Namespace: s.service.Namespace, Name: s.service.Name}
		plan, err := slicer.Remove(s.options.Key(name), s.existing)
		if err != nil {
			return showMistakes(err), nil
		}
		return plan.String(), nil
	case "lose":
		s.existing = s.existing[number(c.Args[0]):]
	case "new":
		*s = *newHandler(s.t)
	default:
		err = fmt.Errorf("unknown command %s", c.Name)
	}
	return text, err
}

// from returns the Input, with the fields that the options change.
func (s *handler) from() (in slicer.Input, err error) {
	switch {
	case s.selected != nil:
		in, err = services.FromSelection(*s.selected, s.pods, s.nodes, s.options)
	case s.backends != nil:
		in, err = deriveBackends(s.t, s.service, s.backends, s.options)
	default:
		in, err = derive(s.t, s.service, s.pods, s.nodes, s.options)
	}
	for _, edit := range s.edits {
		edit(&in)
	}
	return in, err
}

func (s *handler) input() (string, error) {
	in, err := s.from()
	if err != nil {
		return "", err
	}
	text := groups(in) + "\n"
	if len(in.Groups) == 0 {
		text = "no groups\n"
	}
	if in.Unmanaged {
		text = "unmanaged\n"
	}
	for _, g := range in.Groups {
		if slices.ContainsFunc(g.Endpoints, func(e slicer.Endpoint) bool { return !e.Changed.IsZero() }) {
			text += "changed"
			for _, e := range g.Endpoints {
				text += fmt.Sprint(" ", max(0, e.Changed.Unix()))
			}
			text += "\n"
		}
	}
	text += showNotices(in.Warnings, in.Normal)
	for _, p := range in.Pending {
		text += fmt.Sprintf("pending %s %s/%s\n", p.Object.Kind, p.Object.Namespace, p.Object.Name)
	}
	if in.Retry != nil {
		text += fmt.Sprintf("retry %v\n", in.Retry)
	}
	return text, nil
}

func (s *handler) meta(names []string) (text string, err error) {
	in, err := s.from()
	if err != nil {
		return "", err
	}
	for _, owner := range in.Meta.OwnerReferences {
		if owner.Controller == owner.BlockOwnerDeletion {
			return "", errors.New("who changes one of the owner's flags changes both")
		}
	}
	for _, part := range []any{in.Key, in.Meta, in.Options} {
		all := reflect.ValueOf(part)
		for i := range all.NumField() {
			name, field := all.Type().Field(i).Name, all.Field(i)
			if !field.IsZero() && (len(names) == 0 || slices.Contains(names, name)) {
				value, _ := json.Marshal(field.Interface())
				text += fmt.Sprintf("%s %s\n", name, value)
			}
		}
	}
	return text, nil
}

// mistakes asks FromPods, of Pods where there are some, and FromBackends.
func (s *handler) mistakes() (string, error) {
	in, err := s.from()
	if s.selected != nil {
		return showMistakes(err), nil
	}
	ofBackends, backendsErr := services.FromBackends(s.service, []services.Backend{{}}, s.options)
	if err != nil && !reflect.DeepEqual(in, slicer.Input{}) ||
		backendsErr != nil && !reflect.DeepEqual(ofBackends, slicer.Input{}) {
		return "", fmt.Errorf("with the error came %v, %v", in, ofBackends)
	}
	text := showMistakes(err)
	if other := showMistakes(backendsErr); s.pods == nil && other != text {
		text += "of backends: " + other
	}
	return text, nil
}

// showMistakes prints fields and types of an error that is made of *field.Errors, each of which
// says what to do. Their texts are partly Kubernetes' own.
func showMistakes(err error) (text string) {
	if err == nil {
		return "no mistake\n"
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Sprintln(err)
	}
	for _, e := range joined.Unwrap() {
		var f *field.Error
		if !errors.As(e, &f) || f.Detail == "" {
			return fmt.Sprintln("AN ERROR THAT DOES NOT SAY WHERE AND WHAT TO DO:", e)
		}
		text += fmt.Sprintf("%s: %v\n", f.Field, f.Type)
	}
	return text
}

func (s *handler) plan() (text string, err error) {
	in, err := s.from()
	if err != nil {
		return "", err
	}
	plan, err := slicer.Compute(in, s.existing)
	if err != nil {
		return "", err
	}
	for _, step := range plan.Steps {
		text += step.String()
		if step.New != nil && step.New.Annotations[corev1.EndpointsLastChangeTriggerTime] != "" {
			since, err := time.Parse(time.RFC3339Nano, step.New.Annotations[corev1.EndpointsLastChangeTriggerTime])
			if err != nil {
				return "", err
			}
			text += fmt.Sprint(" since ", since.Unix())
		}
		text += "\n"
	}
	if len(plan.Steps) == 0 {
		text = "nothing to write\n"
	}
	for _, d := range plan.Hints {
		if d.Mode != hints.None {
			text += strings.TrimSpace(fmt.Sprint("hints ", d.Mode, " ", d.Reason)) + "\n"
		}
	}
	others := slices.DeleteFunc(s.existing, func(old *discoveryv1.EndpointSlice) bool {
		return slices.Contains(plan.Unchanged, old) || slices.ContainsFunc(plan.Steps, func(step slicer.Step) bool {
			return step.Old == old
		})
	})
	s.existing = append(plan.After(), others...)
	if plan.Retry != nil {
		text += "retry\n"
	}
	return text + showNotices(plan.Warnings, plan.Normal), nil
}

func showNotices(warnings, normal slicer.Notices) (text string) {
	for title, list := range map[string]slicer.Notices{"warning": warnings, "normal": normal} {
		var lines string
		for _, n := range list {
			what := n.String()
			if f := (*field.Error)(nil); errors.As(n.Err, &f) { // its text is partly Kubernetes' own
				what = strings.TrimSuffix(what, ": "+f.ErrorBody())
			}
			lines += fmt.Sprintf("%s %s %s\n", title, n.Path, what)
		}
		if title == "warning" {
			text = lines + text
		} else {
			text += lines
		}
	}
	return text
}

func list(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
}

func seconds(value string) metav1.Time { return at(int64(number(value))) }

var serviceWords = map[string]func(svc *corev1.Service, key, value string){
	"headless":            func(svc *corev1.Service, _, _ string) { headless(svc) },
	"no-selector":         func(svc *corev1.Service, _, _ string) { unselected(svc) },
	"deleting":            func(svc *corev1.Service, _, _ string) { svc.DeletionTimestamp = &metav1.Time{} },
	"publish-not-ready":   func(svc *corev1.Service, _, _ string) { publishingNotReady(svc) },
	"label":               func(svc *corev1.Service, key, value string) { metav1.SetMetaDataLabel(&svc.ObjectMeta, key, value) },
	"selector":            func(svc *corev1.Service, key, value string) { svc.Spec.Selector[key] = value },
	"no-cluster-ip":       func(svc *corev1.Service, _, _ string) { svc.Spec.ClusterIP = "" },
	"external":            func(svc *corev1.Service, _, _ string) { external(svc) },
	"empty-selector":      func(svc *corev1.Service, _, _ string) { svc.Spec.Selector = map[string]string{} },
	"uid":                 func(svc *corev1.Service, _, value string) { svc.UID = types.UID(value) },
	"name":                func(svc *corev1.Service, _, value string) { svc.Name = value },
	"namespace":           func(svc *corev1.Service, _, value string) { svc.Namespace = value },
	"trafficDistribution": func(svc *corev1.Service, _, value string) { svc.Spec.TrafficDistribution = &value },
	"topology-mode": func(svc *corev1.Service, _, value string) {
		metav1.SetMetaDataAnnotation(&svc.ObjectMeta, corev1.AnnotationTopologyMode, value)
	},
	"ports": func(svc *corev1.Service, _, value string) { svc.Spec.Ports = parsePorts(value) },
	"cluster-ips": func(svc *corev1.Service, _, value string) {
		svc.Spec.ClusterIPs = list(value)
		svc.Spec.ClusterIP = svc.Spec.ClusterIPs[0]
	},
	"only-cluster-ips": func(svc *corev1.Service, _, value string) { svc.Spec.ClusterIP, svc.Spec.ClusterIPs = "", list(value) },
	"families": func(svc *corev1.Service, _, value string) {
		svc.Spec.IPFamilies = nil
		for _, family := range list(value) {
			svc.Spec.IPFamilies = append(svc.Spec.IPFamilies, corev1.IPFamily(family))
		}
	},
}

// ofInput returns the word of an option that changes the Input.
func ofInput(edit func(in *slicer.Input, key, value string)) func(s *handler, key, value string) {
	return func(s *handler, key, value string) {
		s.edits = append(s.edits, func(in *slicer.Input) { edit(in, key, value) })
	}
}

var optionWords = map[string]func(s *handler, key, value string){
	"managed-by":   func(s *handler, _, value string) { s.options.ManagedBy = value },
	"beside":       func(s *handler, _, _ string) { s.options.ReplacesKubernetes = false },
	"name-label":   func(s *handler, _, value string) { s.options.NameLabel = value },
	"prefix":       ofInput(func(in *slicer.Input, _, value string) { in.Meta.NamePrefix = value }),
	"max":          ofInput(func(in *slicer.Input, _, value string) { in.Options.MaxEndpointsPerSlice = int(number(value)) }),
	"no-nodes":     func(s *handler, _, _ string) { s.nodes = nil },
	"empty-nodes":  func(s *handler, _, _ string) { s.nodes = services.NodesByName(nil) },
	"failed-nodes": func(s *handler, _, _ string) { s.nodes = failing{} },
	"net2": func(s *handler, _, _ string) {
		s.options.Addresses, s.options.NameLabel = annotated, "example.com/net2"
	},
	"types": func(s *handler, _, value string) {
		s.options.AddressTypes = []discoveryv1.AddressType{discoveryv1.AddressType(value)}
	},
	"zone-from-pod":  func(s *handler, _, _ string) { s.options.ZoneFromPod = true },
	"no-placeholder": ofInput(func(in *slicer.Input, _, _ string) { in.Options.NoPlaceholder = true }),
	"compact":        ofInput(func(in *slicer.Input, _, _ string) { in.Options.Compact = true }),
}

var podWords = map[string]func(pod *corev1.Pod, key, value string){
	"unready":      func(pod *corev1.Pod, _, _ string) { unready(pod) },
	"deleting":     func(pod *corev1.Pod, _, _ string) { deleting(pod) },
	"phase":        func(pod *corev1.Pod, _, value string) { pod.Status.Phase = corev1.PodPhase(value) },
	"no-condition": func(pod *corev1.Pod, _, _ string) { pod.Status.Conditions = nil },
	"since":        func(pod *corev1.Pod, _, value string) { pod.Status.Conditions[0].LastTransitionTime = seconds(value) },
	"ips":          func(pod *corev1.Pod, _, value string) { withIPs(list(value)...)(pod) },
	"pod-ip":       func(pod *corev1.Pod, _, value string) { pod.Status.PodIPs, pod.Status.PodIP = nil, value },
	"net2":         func(pod *corev1.Pod, _, value string) { annotate("net2", value)(pod) },
	"node":         func(pod *corev1.Pod, _, value string) { pod.Spec.NodeName = value },
	"host":         func(pod *corev1.Pod, _, value string) { pod.Spec.Hostname = value },
	"subdomain":    func(pod *corev1.Pod, _, value string) { pod.Spec.Subdomain = value },
	"namespace":    func(pod *corev1.Pod, _, value string) { pod.Namespace = value },
	"no-labels":    func(pod *corev1.Pod, _, _ string) { pod.Labels = nil },
	"label":        func(pod *corev1.Pod, key, value string) { pod.Labels[key] = value },
	"port":         func(pod *corev1.Pod, _, value string) { declares(parseContainerPort(value))(pod) },
	"sidecar": func(pod *corev1.Pod, _, value string) {
		declaresInit(restart(corev1.ContainerRestartPolicyAlways), parseContainerPort(value))(pod)
	},
}

var backendWords = map[string]func(b *services.Backend, key, value string){
	"ready":       func(b *services.Backend, _, _ string) { b.Ready = true },
	"terminating": func(b *services.Backend, _, _ string) { b.Terminating = true },
	"name":        func(b *services.Backend, _, value string) { b.Name = value },
	"node":        func(b *services.Backend, _, value string) { b.NodeName = value },
	"zone":        func(b *services.Backend, _, value string) { b.Zone = value },
	"host":        func(b *services.Backend, _, value string) { b.Hostname = value },
	"changed":     func(b *services.Backend, _, value string) { b.Changed = seconds(value).Time },
	"pod": func(b *services.Backend, _, value string) {
		b.TargetRef = corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-" + value,
			UID: types.UID("u" + value)}
	},
	"machine": func(b *services.Backend, _, value string) {
		b.TargetRef = corev1.ObjectReference{APIVersion: "vm.example.com/v1", Kind: "VirtualMachine", Namespace: "shop",
			Name: value, UID: "v1"}
	},
	"port": func(b *services.Backend, key, value string) {
		if b.Ports == nil {
			b.Ports = map[string]int32{}
		}
		b.Ports[key] = number(value)
	},
}

func parsePods(lines []string) (pods []*corev1.Pod, err error) {
	for _, line := range lines {
		words := strings.Fields(line)
		i, err := strconv.Atoi(words[0])
		if err != nil {
			return nil, err
		}
		pods = append(pods, aPod(i))
		if err := scenario.Words(pods[len(pods)-1], words[1:], podWords); err != nil {
			return nil, err
		}
	}
	return pods, nil
}

func parseBackends(lines []string) ([]services.Backend, error) {
	backends := make([]services.Backend, len(lines))
	for i, line := range lines {
		words := strings.Fields(line)
		if words[0] != "-" {
			backends[i].Addresses = list(words[0])
		}
		if err := scenario.Words(&backends[i], words[1:], backendWords); err != nil {
			return nil, err
		}
	}
	return backends, nil
}

// portWord is a port of a Service, as in http:80, dns:53->dns/UDP and
// http:80->8080(kubernetes.io/h2c), or of a container. A target such as 9090~http is the number,
// and the name is left from before; ~9090 is an empty name.
var portWord = regexp.MustCompile(`^([^:]*):(-?\d+)(?:->([^/(]*))?(?:/(\w+))?(?:\((.*)\))?$`)

func parsePorts(text string) (ports []corev1.ServicePort) {
	for _, word := range list(text) {
		m := portWord.FindStringSubmatch(word)
		p := corev1.ServicePort{Name: m[1], Port: number(m[2]), Protocol: corev1.Protocol(m[4])}
		if target, left, _ := strings.Cut(m[3], "~"); m[3] != "" {
			p.TargetPort = intstr.Parse(target)
			if p.TargetPort.Type == intstr.Int {
				p.TargetPort.StrVal = left
			} else if left != "" {
				p.TargetPort.IntVal = number(left)
			}
		}
		if m[5] != "" {
			p.AppProtocol = &m[5]
		}
		ports = append(ports, p)
	}
	return ports
}

func parseContainerPort(text string) corev1.ContainerPort {
	m := portWord.FindStringSubmatch(text)
	return corev1.ContainerPort{Name: m[1], ContainerPort: number(m[2]), Protocol: corev1.Protocol(m[4])}
}

func number(text string) int32 { return int32(scenario.Number(text)) }
