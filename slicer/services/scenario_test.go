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
//	options skip-unresolved ...               the Options, changed by optionWords
//	pods                                      block: "2 unready" is aPod(2), changed by podWords
//	backends                                  block: "10.0.0.1,fd00::1 ready" has these addresses, "-" none; see backendWords
//	input                                     prints groups, without the fields that aPod has anyway, when their endpoints changed, in
//	                                          seconds, and Skips; ends a scenario
//	set Labels ...                            prints these fields of the Set of Input, or all, where they are not empty; ends a scenario
//	mistakes                                  prints what is wrong with Service and options; ends a scenario
//	plan                                      prints steps with the trigger times that are written, and Skips; the slices exist then
//	metadata                                  prints labels and owners of the slices
//	remove                                    prints what PlanRemoval plans
//	managed                                   prints whether Pods and backends of the Service are published, or why not
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
	node     func(name string) *corev1.Node
	pods     []*corev1.Pod
	backends []services.Backend // instead of Pods, unless nil
	existing []*discoveryv1.EndpointSlice
}

func newHandler(t *testing.T) *handler {
	return &handler{t: t, service: aService(), options: services.Options{ManagedBy: manager}, node: nodes}
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
		s.options, s.node = services.Options{ManagedBy: manager, Labels: map[string]string{},
			Annotations: map[string]string{}}, nodes
		err = scenario.Words(s, c.Args, optionWords)
	case "pods":
		s.pods, err = parsePods(c.Block)
	case "backends":
		s.backends, err = parseBackends(c.Block)
	case "input":
		text, err = s.input()
		*s = *newHandler(s.t)
	case "set":
		text, err = s.set(c.Args)
		*s = *newHandler(s.t)
	case "mistakes":
		text, err = s.mistakes()
		*s = *newHandler(s.t)
	case "plan":
		text, err = s.plan()
	case "remove":
		plan, err := services.PlanRemoval(s.service, s.existing, s.options)
		if err != nil {
			return showMistakes(err), nil
		}
		return plan.String(), nil
	case "managed":
		text, err = s.managed()
	case "lose":
		s.existing = s.existing[number(c.Args[0]):]
	case "new":
		*s = *newHandler(s.t)
	default:
		err = fmt.Errorf("unknown command %s", c.Name)
	}
	return text, err
}

func (s *handler) input() (string, error) {
	in, err := slicer.Input{}, error(nil)
	if s.backends != nil {
		in, err = deriveBackends(s.t, s.service, s.backends, s.options)
	} else {
		in, err = derive(s.t, s.service, s.pods, s.node, s.options)
	}
	if err != nil {
		return "", err
	}
	if in.Skips != nil && len(in.Skips) == 0 {
		return "", fmt.Errorf("skips are %#v: they are nil when there are none", in.Skips)
	}
	text := groups(in) + "\n"
	if len(in.Groups) == 0 {
		text = "no groups\n"
	}
	for _, g := range in.Groups {
		if slices.ContainsFunc(g.Changed, func(at time.Time) bool { return !at.IsZero() }) {
			text += "changed"
			for _, at := range g.Changed {
				text += fmt.Sprint(" ", max(0, at.Unix()))
			}
			text += "\n"
		}
	}
	return text + showSkips(in.Skips), nil
}

func (s *handler) set(names []string) (text string, err error) {
	in, err := derive(s.t, s.service, nil, s.node, s.options)
	if err != nil {
		return "", err
	}
	for _, owner := range in.Set.Owners {
		if owner.Controller == owner.BlockOwnerDeletion {
			return "", errors.New("who changes one of the owner's flags changes both")
		}
	}
	set := reflect.ValueOf(in.Set)
	for i := range set.NumField() {
		name, field := set.Type().Field(i).Name, set.Field(i)
		if !field.IsZero() && (len(names) == 0 || slices.Contains(names, name)) {
			value, _ := json.Marshal(field.Interface())
			text += fmt.Sprintf("%s %s\n", name, value)
		}
	}
	return text, nil
}

// mistakes asks Plan, of Pods where there are some, and PlanBackends.
func (s *handler) mistakes() (string, error) {
	if s.selected != nil {
		_, err := services.PlanSelection(*s.selected, nil, nodes, nil, s.options)
		return showMistakes(err), nil
	}
	plan, err := services.Plan(s.service, s.pods, s.node, nil, s.options)
	ofBackends, backendsErr := services.PlanBackends(s.service, []services.Backend{{}}, nil, s.options)
	if err != nil && !reflect.DeepEqual(plan, slicer.Plan{}) ||
		backendsErr != nil && !reflect.DeepEqual(ofBackends, slicer.Plan{}) {
		return "", fmt.Errorf("with the error came %v, %v", plan, ofBackends)
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
	if errors.Is(err, services.ErrNodesUnknown) && !errors.As(err, new(*field.Error)) {
		return "no Node is known, try again\n"
	}
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var f *field.Error
		if !errors.As(e, &f) || f.Detail == "" {
			return fmt.Sprintln("AN ERROR THAT DOES NOT SAY WHERE AND WHAT TO DO:", e)
		}
		text += fmt.Sprintf("%s: %v\n", f.Field, f.Type)
	}
	return text
}

func (s *handler) plan() (text string, err error) {
	var plan slicer.Plan
	if s.selected != nil {
		plan, err = services.PlanSelection(*s.selected, s.pods, s.node, s.existing, s.options)
	} else if s.backends != nil {
		plan, err = services.PlanBackends(s.service, s.backends, s.existing, s.options)
	} else {
		plan, err = services.Plan(s.service, s.pods, s.node, s.existing, s.options)
	}
	if err != nil {
		return "", err
	}
	for _, step := range plan.Steps {
		text += triggerTime.ReplaceAllString(step.String(), "")
		if step.New != nil && step.New.Annotations[corev1.EndpointsLastChangeTriggerTime] != "" {
			since, err := time.Parse(time.RFC3339Nano, step.New.Annotations[corev1.EndpointsLastChangeTriggerTime])
			if err != nil {
				return "", err
			}
			text += fmt.Sprint(" since ", since.Unix())
		}
		text += "\n"
	}
	if plan.Empty() {
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
	return text + showSkips(plan.Skips), nil
}

// managed prints what Managed says of Pods and of backends, and checks that Plan and PlanBackends
// go by that.
func (s *handler) managed() (string, error) {
	ofPods, ofBackends := services.Managed(s.service)
	_, err := services.Plan(s.service, nil, nil, nil, s.options)
	_, backendsErr := services.PlanBackends(s.service, nil, nil, s.options)
	if errors.Is(err, services.ErrNotManaged) != (ofPods != services.Publishable) ||
		(err == nil) != (ofPods == services.Publishable) ||
		errors.Is(backendsErr, services.ErrNotManaged) != (ofBackends != services.Publishable) ||
		(backendsErr == nil) != (ofBackends == services.Publishable) {
		return "", fmt.Errorf("Managed says %s and %s, Plan %w, PlanBackends %w", ofPods, ofBackends, err, backendsErr)
	}
	return fmt.Sprintf("Pods: %s, backends: %s\n", ofPods, ofBackends), nil
}

// triggerTime is what a step says of it beside other annotations.
var triggerTime = regexp.MustCompile(` annotations [-+~]` + corev1.EndpointsLastChangeTriggerTime + `\S*`)

func showSkips(skips []slicer.Skip) (text string) {
	for _, skip := range skips {
		what := skip.Error()
		if f := (*field.Error)(nil); errors.As(skip.Err, &f) { // its text is partly Kubernetes' own
			what = strings.TrimSuffix(what, ": "+f.ErrorBody())
		}
		text += fmt.Sprintf("skipped %s %s", skip.Path, what)
		if skip.Retry {
			text += ", try again"
		}
		if skip.Reason == services.NoAddressOfType && skip.Severity == slicer.Routine { // else it is a warning
			text += ", routine"
		}
		text += "\n"
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

var optionWords = map[string]func(s *handler, key, value string){
	"managed-by": func(s *handler, _, value string) { s.options.ManagedBy = value },
	"key-label":  func(s *handler, _, value string) { s.options.KeyLabel = value },
	"adopt":      func(s *handler, _, value string) { s.options.Adopt = list(value) },
	"label":      func(s *handler, key, value string) { s.options.Labels[key] = value },
	"annotation": func(s *handler, key, value string) { s.options.Annotations[key] = value },
	"prefix":     func(s *handler, _, value string) { s.options.NamePrefix = value },
	"max":        func(s *handler, _, value string) { s.options.Slices.MaxEndpointsPerSlice = int(number(value)) },
	"hints":      func(s *handler, _, value string) { s.options.Hints.Mode = hints.Mode(value) },
	"steady":     func(s *handler, _, _ string) { s.options.Hints.Steady = true },
	"no-nodes":   func(s *handler, _, _ string) { s.node = nil },
	"net2": func(s *handler, _, _ string) {
		s.options.Addresses, s.options.KeyLabel = annotated, "example.com/net2"
	},
	"types": func(s *handler, _, value string) {
		s.options.AddressTypes = []discoveryv1.AddressType{discoveryv1.AddressType(value)}
	},
	"per-family":               func(s *handler, _, value string) { s.options.PerFamily = services.PerFamily(value) },
	"invalid":                  func(s *handler, _, value string) { s.options.Slices.Invalid = slicer.Invalid(value) },
	"publish-without-zone":     func(s *handler, _, _ string) { s.node = orEmpty(s.node) },
	"zone-from-pod":            func(s *handler, _, _ string) { s.options.ZoneFromPod = true },
	"skip-unresolved":          func(s *handler, _, _ string) { s.options.SkipUnresolved = true },
	"ignore-publish-not-ready": func(s *handler, _, _ string) { s.options.IgnorePublishNotReady = true },
	"declared-ports-only":      func(s *handler, _, _ string) { s.options.DeclaredPortsOnly = true },
	"no-placeholder":           func(s *handler, _, _ string) { s.options.Slices.NoPlaceholder = true },
	"compact":                  func(s *handler, _, _ string) { s.options.Slices.Packing = slicer.Compact },
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
	"node":        func(b *services.Backend, _, value string) { b.Node = value },
	"zone":        func(b *services.Backend, _, value string) { b.Zone = value },
	"host":        func(b *services.Backend, _, value string) { b.Hostname = value },
	"subdomain":   func(b *services.Backend, _, value string) { b.Subdomain = value },
	"changed":     func(b *services.Backend, _, value string) { b.Changed = seconds(value).Time },
	"pod": func(b *services.Backend, _, value string) {
		b.TargetRef = corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-" + value,
			UID: types.UID("u" + value)}
	},
	"machine": func(b *services.Backend, _, value string) {
		b.TargetRef = corev1.ObjectReference{APIVersion: "vm.example.com/v1", Kind: "VirtualMachine", Namespace: "shop",
			Name: value, UID: "v1"}
	},
	"port": func(b *services.Backend, _, value string) {
		p := parseContainerPort(value)
		b.Ports = append(b.Ports, services.BackendPort{Name: p.Name, Protocol: p.Protocol, Port: p.ContainerPort})
	},
	"number": func(b *services.Backend, key, value string) {
		if b.PortNumbers == nil {
			b.PortNumbers = map[string]int32{}
		}
		b.PortNumbers[key] = number(value)
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
