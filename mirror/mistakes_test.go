package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// wrong is one call, of which some things may be mistakes.
type wrong struct {
	service        *corev1.Service
	endpoints      *corev1.Endpoints
	mirrors        mirror.Options
	view           mirror.ViewOptions
	set            slicer.Set
	of             mirror.Import
	ports          []corev1.ServicePort
	copies         mirror.CopyOptions
	from, existing []*discoveryv1.EndpointSlice
	exports        []mirror.Export
}

// wrongs are changes to a call that make it wrong, by the field or path that the answer must name, and a word of the remedy.
var wrongs = []struct {
	path, remedy string
	calls        string // those that have the argument
	make         func(*wrong)
}{
	{"endpoints", "give the Endpoints", "Plan", func(w *wrong) { w.endpoints, w.service = nil, nil }},
	{"endpoints.metadata.name", "found by it", "Plan", func(w *wrong) {
		w.endpoints, w.service = &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "shop"}}, nil
	}},
	{"endpoints.metadata.uid", "use the object as the API server has it", "Plan", func(w *wrong) { w.endpoints = changed(w.endpoints, func(e *corev1.Endpoints) { e.UID = "" }) }},
	{"endpoints.metadata.labels[endpointslice.kubernetes.io/skip-mirror]", "service.PlanBackends", "Plan", func(w *wrong) {
		w.endpoints = changed(w.endpoints, func(e *corev1.Endpoints) { e.Labels = map[string]string{discoveryv1.LabelSkipMirror: "true"} })
	}},
	{"subsets[0].addresses[0].ip", "without port", "Plan", func(w *wrong) {
		w.endpoints = changed(w.endpoints, func(e *corev1.Endpoints) { e.Subsets[0].Addresses[0].IP = "192.0.2.1:80" })
	}},
	{"service.metadata.name", "or nil", "Plan", func(w *wrong) {
		if w.service != nil {
			w.service = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "other"}}
		}
	}},
	{"options.managedBy", "choose a name", "Plan", func(w *wrong) { w.mirrors.ManagedBy = "" }},
	{"options.maxAddressesPerSubset", "use 1 to 1000", "Plan", func(w *wrong) { w.mirrors.MaxAddressesPerSubset = 1001 }},
	{"existing[0]", "leave it out", "Plan PlanCopy PlanImport", func(w *wrong) { w.existing = []*discoveryv1.EndpointSlice{nil} }},
	{"options.addressType", "IPv6", "ToEndpoints", func(w *wrong) { w.view.AddressType = "ipv4" }},
	{"options.maxAddresses", "use 1 or more", "ToEndpoints", func(w *wrong) { w.view.MaxAddresses = -1 }},
	{"slices[0]", "leave it out", "ToEndpoints PlanCopy PlanImport", func(w *wrong) { w.from = []*discoveryv1.EndpointSlice{nil} }},
	{"options.zone", "Keep", "PlanCopy PlanImport", func(w *wrong) { w.copies.Zone = "keep" }},
	{"options.targetRef", "Keep", "PlanCopy PlanImport", func(w *wrong) { w.copies.TargetRef = mirror.Map }},
	{"set.managedBy", "choose a name", "PlanCopy PlanImport", func(w *wrong) { w.set.ManagedBy, w.of.ManagedBy = "", "" }},
	{"set.namespace", "which namespace", "PlanCopy PlanImport", func(w *wrong) { w.set.Namespace, w.of.Namespace = "", "" }},
	{"set.owners[0].uid", "use the object as the API server has it", "PlanCopy", func(w *wrong) { w.set.Owners = []metav1.OwnerReference{noUID} }},
	{"import.owner.uid", "use the object as the API server has it", "PlanImport", func(w *wrong) { w.of.Owner = noUID }},
	{"import.cluster", "", "PlanImport", func(w *wrong) { w.of.Cluster = "" }},
	{"import.name", "value of a label", "PlanImport", func(w *wrong) { w.of.Name = "a b" }},
	{"import.managedBy", "a name of your own", "PlanImport", func(w *wrong) { w.of.ManagedBy = mirror.KubernetesManager }},
	{"slices[0].ports", "", "PlanImport", func(w *wrong) { w.ports = nil }},
	{"exports[0].cluster", "", "MergeExports", func(w *wrong) { w.exports[0].Cluster = "" }},
	{"exports[1].cluster", "", "MergeExports", func(w *wrong) { w.exports = append(w.exports, w.exports[0]) }},
}

var noUID = metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web"}

func changed(e *corev1.Endpoints, change func(*corev1.Endpoints)) *corev1.Endpoints {
	if e != nil && len(e.Subsets) > 0 {
		e = e.DeepCopy()
		change(e)
	}
	return e
}

// TestMistakesAreNamed makes each mistake alone, and each after each other: the answer is an error or a Skip that names the place of
// one of them and what to do. Nothing is silent, and nothing panics.
func TestMistakesAreNamed(t *testing.T) {
	for _, call := range []string{"Plan", "ToEndpoints", "PlanCopy", "PlanImport", "MergeExports"} {
		for _, first := range wrongs {
			for _, second := range wrongs {
				if !slices.Contains(strings.Fields(first.calls), call) || !slices.Contains(strings.Fields(second.calls), call) {
					continue
				}
				service, endpoints := database()
				w := wrong{
					service: service, endpoints: endpoints, mirrors: mirror.Options{ManagedBy: "mirrors.example.com"},
					set: slicer.Set{Namespace: "shop", Name: "web", ManagedBy: "copies.example.com"}, of: importOf("east"), ports: http,
					from:    []*discoveryv1.EndpointSlice{exported("web-1", 8080, "10.1.0.1")},
					exports: []mirror.Export{{Cluster: "east", Ports: http}},
				}
				first.make(&w)
				if second.path != first.path {
					second.make(&w)
				}
				named := w.named(t, call)
				if !slices.ContainsFunc(named, func(n [2]string) bool {
					return n[0] == first.path && strings.Contains(n[1], first.remedy) || n[0] == second.path && strings.Contains(n[1], second.remedy)
				}) {
					t.Errorf("%s with mistakes in %s and %s says %q", call, first.path, second.path, named)
				}
			}
		}
	}
}

// named makes the call and returns each path that the answer names, with what it says.
func (w *wrong) named(t *testing.T, call string) (all [][2]string) {
	var plan slicer.Plan
	var err error
	switch call {
	case "Plan":
		plan, err = mirror.Plan(w.endpoints, w.service, w.existing, w.mirrors)
	case "ToEndpoints":
		_, plan.Skips, err = mirror.ToEndpoints(w.from, w.view)
	case "PlanCopy":
		plan, err = mirror.PlanCopy(w.set, w.from, w.existing, w.copies)
	case "PlanImport":
		plan, err = mirror.PlanImport(w.of, w.ports, w.from, w.existing, w.copies)
	case "MergeExports":
		_, err = mirror.MergeExports(w.exports)
	}
	for _, s := range plan.Skips {
		all = append(all, [2]string{s.Path, s.Error()})
	}
	for _, err := range flat(err) {
		var fault *field.Error
		if !errors.As(err, &fault) || fault.Detail == "" {
			t.Fatalf("%s: %v does not say what to do", call, err)
		}
		all = append(all, [2]string{fault.Field, fault.ErrorBody()})
	}
	return all
}

func flat(err error) (all []error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			all = append(all, flat(err)...)
		}
	} else if err != nil {
		all = append(all, err)
	}
	return all
}
