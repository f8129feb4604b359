package services_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// wrong is one call of Plan, PlanBackends, PlanSelection or PlanRemoval, of which some things may
// be mistakes.
type wrong struct {
	service   *corev1.Service
	selection *services.Selection
	pods      []*corev1.Pod
	backends  []services.Backend
	node      func(string) *corev1.Node
	existing  []*discoveryv1.EndpointSlice
	options   services.Options
}

// managedSlice is a slice of Service web with a manager.
func managedSlice(managedBy string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Namespace, s.Name = "shop", "web-1"
	s.Labels = map[string]string{discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: managedBy}
	return s
}

// wrongs are changes to a call that make it wrong, by the field or path that the answer must name,
// and a word of the remedy.
var wrongs = []struct {
	path, remedy string
	calls        string // those that have the option
	make         func(*wrong)
}{
	{"service.metadata.name", "named", "Plan PlanBackends PlanRemoval", func(w *wrong) { w.service.Name = "" }},
	{"service.metadata.namespace", "created in this namespace", "Plan PlanBackends PlanRemoval", func(w *wrong) { w.service.Namespace = "" }},
	{"service.metadata.uid", "use the object as the API server has it", "Plan PlanBackends", func(w *wrong) { w.service.UID = "" }},
	{"service.spec.type", "do not manage it", "Plan PlanBackends", func(w *wrong) { external(w.service) }},
	{"service.spec.selector", "PlanBackends", "Plan", func(w *wrong) { unselected(w.service) }},
	{"service.spec.ports[0].protocol", "TCP", "Plan PlanBackends", func(w *wrong) { w.service.Spec.Ports[0].Protocol = "tcp" }},
	{"service.spec.clusterIP", "plan the Service that it returns", "Plan PlanBackends", func(w *wrong) { w.service.Spec.ClusterIP = "" }},
	{"service.spec.ports[0].targetPort", "use 1 to 65535", "Plan PlanBackends", func(w *wrong) { w.service.Spec.Ports[0].TargetPort.IntVal = 70000 }},
	{"service.spec.ports[0].targetPort", "leave the quotes out", "Plan", func(w *wrong) { w.service.Spec.Ports[0].TargetPort = intstr.FromString("80") }},
	{"service.spec.ports[0].targetPort", "no more than 15", "Plan", func(w *wrong) {
		w.service.Spec.Ports[0].TargetPort = intstr.FromString("a-port-of-a-long-name")
	}},
	{"selection.ports[0].targetPort", "leave the quotes out", "PlanSelection", func(w *wrong) {
		w.selection.Ports = []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromString("80")}}
	}},
	{"backends[0]", `http:"80"`, "PlanBackends", func(w *wrong) { w.service.Spec.Ports[0].TargetPort = intstr.FromString("80") }},
	{"service.metadata.annotations[service.kubernetes.io/topology-mode]", "Auto", "Plan PlanBackends", func(w *wrong) {
		w.service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "AUTO"}
	}},
	{"node", "ZoneFromPod", "Plan PlanSelection", func(w *wrong) {
		w.node, w.options.Hints.Mode = nil, hints.PreferSameZone
	}},
	{"options.managedBy", "if they are yours", "PlanRemoval", func(w *wrong) { w.existing = []*discoveryv1.EndpointSlice{managedSlice("other.example.com")} }},
	{"options.keyLabel", "with which they were published", "PlanRemoval", func(w *wrong) {
		w.existing, w.options.KeyLabel = []*discoveryv1.EndpointSlice{managedSlice(manager)}, "example.com/of"
	}},
	{"service.spec.ports[1].name", "a name of its own", "Plan PlanBackends", func(w *wrong) {
		w.service.Spec.Ports = append(w.service.Spec.Ports, w.service.Spec.Ports[0])
	}},
	{"service.spec.trafficDistribution", "PreferSameZone", "Plan PlanBackends", func(w *wrong) { w.service.Spec.TrafficDistribution = ptr("PreferZone") }},
	{"pods[1]", "leave it out", "Plan PlanSelection", func(w *wrong) { w.pods = append(w.pods[:1:1], nil) }},
	{"pods[0].metadata.namespace", "list those of", "Plan PlanSelection", func(w *wrong) {
		for _, pod := range w.pods {
			if pod != nil {
				pod.Namespace = "bank"
			}
		}
	}},
	{"no mistake", "return every Node that exists, cordoned ones too", "Plan PlanSelection", func(w *wrong) {
		for i, pod := range w.pods {
			if pod != nil {
				pod.Spec.NodeName = "gone-" + strconv.Itoa(i)
			}
		}
	}},
	{"selection.parent.name", "named", "PlanSelection", func(w *wrong) { w.selection.Parent.Name = "" }},
	{"selection.parent.namespace", "created in this namespace", "PlanSelection", func(w *wrong) { w.selection.Parent.Namespace = "" }},
	{"selection.selector", "say which Pods", "PlanSelection", func(w *wrong) { w.selection.Selector = nil }},
	{"selection.ports[0].port", "use 1 to 65535", "PlanSelection", func(w *wrong) { w.selection.Ports = []corev1.ServicePort{{}} }},
	{"selection.trafficDistribution", "PreferSameZone", "PlanSelection", func(w *wrong) { w.selection.TrafficDistribution = "PreferZone" }},
	{"selection.owners[0].uid", "use the object as the API server has it", "PlanSelection", func(w *wrong) { w.selection.Owners[0].UID = "" }},
	{"selection.owners[0].kind", "must not be empty", "PlanSelection", func(w *wrong) { w.selection.Owners[0].Kind = "" }},
	{"options.keyLabel", "what the resource is", "PlanSelection", func(w *wrong) { w.options.KeyLabel = "" }},
	{"existing[0]", "leave it out", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.existing = []*discoveryv1.EndpointSlice{nil} }},
	{"options.managedBy", "choose a name", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.ManagedBy = "" }},
	{"options.managedBy", "no slash", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.ManagedBy = "example.com/slices" }},
	{"options.keyLabel", "label of your own", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.KeyLabel = discoveryv1.LabelManagedBy }},
	{"options.keyLabel", "leave this empty", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.KeyLabel = discoveryv1.LabelServiceName }},
	{"options.keyLabel", "label of your own", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.KeyLabel = corev1.IsHeadlessService }},
	{"options.keyLabel", "label of your own", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) {
		w.options.KeyLabel = "service.kubernetes.io/service-proxy-name"
	}},
	{"options.keyLabel", "alphanumeric", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.KeyLabel = "example.com/of=web" }},
	{"options.keyLabel", "label of your own", "Plan", func(w *wrong) {
		w.options.KeyLabel, w.options.Addresses = "", func(*corev1.Pod) ([]string, error) { return nil, nil }
	}},
	{"options.labels[kubernetes.io/service-name]", "use ManagedBy and KeyLabel", "Plan PlanBackends PlanSelection",
		func(w *wrong) {
			w.options.Labels = map[string]string{discoveryv1.LabelServiceName: "web"}
		}},
	{"options.annotations[endpoints.kubernetes.io/last-change-trigger-time]", "use Set.TriggerTime",
		"Plan PlanBackends PlanSelection", func(w *wrong) {
			w.options.Annotations = map[string]string{corev1.EndpointsLastChangeTriggerTime: "now"}
		}},
	{"options.addressTypes[0]", "IPv4", "Plan PlanBackends PlanSelection", func(w *wrong) { w.options.AddressTypes = []discoveryv1.AddressType{"ipv4"} }},
	{"options.slices.maxEndpointsPerSlice", "use 1 to 1000", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.Slices.MaxEndpointsPerSlice = 1001 }},
	{"options.slices.packing", "InPlace", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.Slices.Packing = "compact" }},
	{"options.slices.dissolveUpTo", "Compact", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.Slices.DissolveUpTo = 50 }},
	{"options.slices.invalid", "LeaveOut", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.Slices.Invalid = "fail" }},
	{"options.hints.mode", "None", "Plan PlanBackends PlanSelection PlanRemoval", func(w *wrong) { w.options.Hints.Mode = hints.Mode("proportional") }},
	{"backends[0]", "give one without port", "PlanBackends", func(w *wrong) { w.backends[0].Addresses[0] = "192.0.2.1:8080" }},
	{"backends[0]", "publish one that other nodes can reach", "PlanBackends", func(w *wrong) { w.backends[0].Addresses[0] = "127.0.0.1" }},
	{"backends[1]", "list it once", "PlanBackends", func(w *wrong) {
		w.backends = append(w.backends[:1:1], services.Backend{Name: "vm-2", Addresses: w.backends[0].Addresses})
	}},
	{"backends[0]", "not 1 to 65535", "PlanBackends", func(w *wrong) { w.backends[0].PortNumbers = map[string]int32{"http": 0} }},
	{"backends[0]", "give numbers to the names", "PlanBackends", func(w *wrong) { w.backends[0].PortNumbers = map[string]int32{"htpp": 80} }},
}

// TestMistakesAreNamed makes each mistake alone, and each after each other: the answer is an error
// or a Skip that names the place of one of them and what to do. Nothing is silent, and nothing
// panics.
func TestMistakesAreNamed(t *testing.T) {
	for _, call := range []string{"Plan", "PlanBackends", "PlanSelection", "PlanRemoval"} {
		for first := range wrongs {
			for second := range wrongs {
				w := wrong{
					service: aService(), node: nodes, pods: []*corev1.Pod{aPod(1), aPod(2)},
					options:   services.Options{ManagedBy: manager},
					backends:  []services.Backend{{Name: "vm-1", Addresses: []string{"192.0.2.1"}, Ready: true}},
					selection: aSelection("Pool"),
				}
				if w.selection.Selector.MatchLabels = w.service.Spec.Selector; call == "PlanSelection" {
					w.options.KeyLabel = "example.com/pool"
				}
				if !has(first, call) || !has(second, call) {
					continue
				}
				wrongs[first].make(&w)
				if second != first {
					wrongs[second].make(&w)
				}
				named := w.named(t, call)
				if !slices.ContainsFunc(named, func(n [2]string) bool { return names(first, n) || names(second, n) }) {
					t.Errorf("%s with mistakes in %s and %s says %q", call, wrongs[first].path, wrongs[second].path,
						named)
				}
			}
		}
	}
}

func has(n int, call string) bool { return slices.Contains(strings.Fields(wrongs[n].calls), call) }

func names(n int, answer [2]string) bool {
	return answer[0] == wrongs[n].path && strings.Contains(answer[1], wrongs[n].remedy)
}

// named makes the call and returns each path that the answer names, with what it says.
func (w *wrong) named(t *testing.T, call string) (all [][2]string) {
	plan, err := slicer.Plan{}, error(nil)
	switch call {
	case "Plan":
		plan, err = services.Plan(w.service, w.pods, w.node, w.existing, w.options)
	case "PlanBackends":
		plan, err = services.PlanBackends(w.service, w.backends, w.existing, w.options)
	case "PlanSelection":
		plan, err = services.PlanSelection(*w.selection, w.pods, w.node, w.existing, w.options)
	case "PlanRemoval":
		plan, err = services.PlanRemoval(w.service, w.existing, w.options)
	}
	for _, s := range plan.Skips {
		all = append(all, [2]string{s.Path, s.Error()})
	}
	if err == nil {
		return all
	}
	if errors.Is(err, services.ErrNodesUnknown) && !errors.As(err, new(*field.Error)) {
		return append(all, [2]string{"no mistake", err.Error()})
	}
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		var fault *field.Error
		if !errors.As(err, &fault) || fault.Detail == "" {
			t.Fatalf("%v does not say what to do", err)
		}
		all = append(all, [2]string{fault.Field, fault.ErrorBody()})
	}
	return all
}
