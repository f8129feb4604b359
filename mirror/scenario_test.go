package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/notation"
	check "github.com/slicewright/slicewright/internal/test/check/mirror"
	checkslices "github.com/slicewright/slicewright/internal/test/check/oldslices"
	"github.com/slicewright/slicewright/internal/test/oldscenario"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// TestScenarios runs the scenarios of testdata/mirror.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../testdata/mirror/*.txt", newWorld, func(command string) bool {
		return command == "endpoints" || command == "source" || scenario.TakesBlock(command)
	})
}

// manager is whose mirrors most tests plan.
const manager = "mirrors.example.com"

var options = mirror.Options{ManagedBy: manager}

// world is the world of mirror's scenarios. Besides the commands of scenario.World:
//
//	endpoints uid=e1 label:k=v ...   block: the subsets, a line for each, "ports | addresses", where {!ready} is a not
//	                                 ready address; words: gone, dying, name= uid= label: annotation:
//	service headless no-cluster-ip selector empty-selector ports=http,-,dns/UDP ipv6 gone
//	                                 without selector, ports and families, until a scenario says otherwise
//	mirror max=2 managed-by=... stable-names
//	                                 FromEndpoints, then compute; prints why there is no mirror, and the plan
//	full                             prints what exists field by field
//	view type=ipv6 max=3 skip-mirror service trigger=2026-01-02T03:04:05Z
//	                                 ToEndpoints of what exists of the set; prints metadata and subsets
//	source                           block: slices of another place, as in slices
//	copy zone=Keep node=Map hints=Keep target=Keep hostname-from-pod zone:a=b node:a=b each-address port=http drop=10.0.0.1 managed-by= name= types= label:k=v key:k=v
//	                                 FromSlices, then compute; prints the plan
//	copy-slice zone=Keep ...         CopySlice of the first source; prints the copy and its Skips
//
// Endpoints and Service are ns/web. Before the first mirror or copy, slices are those of the
// mirrors.
type world struct {
	*scenario.World
	endpoints *corev1.Endpoints
	service   *corev1.Service
	source    []*discoveryv1.EndpointSlice
	set       slicer.Set
}

func newWorld() scenario.Handler {
	w := &world{World: scenario.New(), service: &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}, Spec: corev1.ServiceSpec{ClusterIP: "10.96.0.1"},
	}}
	w.want(slicer.Input{Set: slicer.Set{Namespace: "ns", Name: "web", ManagedBy: manager,
		Owners: []metav1.OwnerReference{
			{APIVersion: "v1", Kind: "Endpoints", Name: "web", UID: "e1", Controller: ptr(true), BlockOwnerDeletion: ptr(true)},
		}}})
	return w.handle
}

func (w *world) want(in slicer.Input) {
	w.set = in.Set
	w.Want(in)
}

func (w *world) handle(c scenario.Command) (string, error) {
	switch c.Name {
	case "endpoints":
		return "", w.readEndpoints(c)
	case "service":
		return "", w.readService(c.Args)
	case "mirror":
		return w.mirror(c.Args)
	case "view":
		return w.view(c.Args)
	case "source":
		return "", w.readSource(c.Block)
	case "full":
		text, err := json.MarshalIndent(w.Exists(), "", " ")
		return string(text) + "\n", err
	case "copy", "copy-slice":
		return w.copy(c)
	}
	return w.Handle(c)
}

func (w *world) readEndpoints(c scenario.Command) error {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web", UID: "e1"}}
	w.endpoints = e
	err := scenario.Words(e, c.Args, map[string]func(e *corev1.Endpoints, key, value string){
		"gone":       func(*corev1.Endpoints, string, string) { w.endpoints = nil },
		"dying":      func(e *corev1.Endpoints, _, _ string) { e.DeletionTimestamp = ptr(metav1.Unix(1, 0)) },
		"namespace":  func(e *corev1.Endpoints, _, value string) { e.Namespace = value },
		"name":       func(e *corev1.Endpoints, _, value string) { e.Name = value },
		"uid":        func(e *corev1.Endpoints, _, value string) { e.UID = types.UID(value) },
		"label":      func(e *corev1.Endpoints, key, value string) { metav1.SetMetaDataLabel(&e.ObjectMeta, key, value) },
		"annotation": func(e *corev1.Endpoints, key, value string) { metav1.SetMetaDataAnnotation(&e.ObjectMeta, key, value) },
	})
	if err != nil {
		return err
	}
	for _, line := range c.Block {
		g, err := scenario.ParseGroup(line, "ns")
		if err != nil {
			return err
		}
		e.Subsets = append(e.Subsets, check.Subset(g.Ports, g.Endpoints))
	}
	return nil
}

func (w *world) readService(args []string) error {
	w.service = &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}, Spec: corev1.ServiceSpec{ClusterIP: "10.96.0.1"},
	}
	return scenario.Words(w.service, args, map[string]func(s *corev1.Service, key, value string){
		"name":           func(s *corev1.Service, _, value string) { s.Name = value },
		"namespace":      func(s *corev1.Service, _, value string) { s.Namespace = value },
		"headless":       func(s *corev1.Service, _, _ string) { s.Spec.ClusterIP = corev1.ClusterIPNone },
		"no-cluster-ip":  func(s *corev1.Service, _, _ string) { s.Spec.ClusterIP = "" },
		"gone":           func(*corev1.Service, string, string) { w.service = nil },
		"empty-selector": func(s *corev1.Service, _, _ string) { s.Spec.Selector = map[string]string{} },
		"selector":       func(s *corev1.Service, _, _ string) { s.Spec.Selector = map[string]string{"app": "web"} },
		"ports": func(s *corev1.Service, _, value string) {
			for _, text := range strings.Split(cmp.Or(value, "http"), ",") {
				name, protocol, _ := strings.Cut(text, "/")
				p := corev1.ServicePort{Name: strings.Trim(name, "-"), Protocol: corev1.Protocol(protocol),
					Port: int32(80 + len(s.Spec.Ports))}
				s.Spec.Ports = append(s.Spec.Ports, p)
			}
		},
		"family": func(s *corev1.Service, _, value string) {
			s.Spec.IPFamilies = []corev1.IPFamily{corev1.IPFamily(value)}
		},
		"ipv6": func(s *corev1.Service, _, _ string) {
			s.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv6Protocol, corev1.IPv4Protocol}
		},
	})
}

func (w *world) mirror(args []string) (string, error) {
	o, stable := options, false
	err := scenario.Words(&o, args, map[string]func(o *mirror.Options, key, value string){
		"max":          func(o *mirror.Options, _, value string) { o.MaxAddressesPerSubset = scenario.Number(value) },
		"managed-by":   func(o *mirror.Options, _, value string) { o.ManagedBy = value },
		"stable-names": func(*mirror.Options, string, string) { stable = true },
	})
	if err != nil {
		return "", err
	}
	in, err := check.Mirror(w.endpoints, w.service, o)
	if err != nil {
		return mistakes(err)
	}
	text := ""
	if ok, reason := mirror.Eligible(w.endpoints, w.service); !ok {
		text = fmt.Sprintf("not mirrored: %s\n", reason)
	}
	in.Options.GeneratedNames = !stable
	return w.plan(text, in)
}

// mistakes prints where a caller's mistakes are. A broken promise stays an error.
func mistakes(err error) (string, error) {
	if broken := (checkslices.Broken{}); errors.As(err, &broken) {
		return "", err
	}
	return "mistakes " + paths(err) + "\n", nil
}

// plan prints the plan of an input, its Skips included.
func (w *world) plan(text string, in slicer.Input) (string, error) {
	w.want(in)
	plan, err := w.Handle(scenario.Command{Name: "compute"})
	return text + plan, err
}

func (w *world) view(args []string) (string, error) {
	var o mirror.ViewOptions
	err := scenario.Words(&o, args, map[string]func(o *mirror.ViewOptions, key, value string){
		"type":        func(o *mirror.ViewOptions, _, value string) { o.AddressType = families[value] },
		"max":         func(o *mirror.ViewOptions, _, value string) { o.MaxAddresses = scenario.Number(value) },
		"skip-mirror": func(o *mirror.ViewOptions, _, _ string) { o.SkipMirror = true },
		"service":     func(o *mirror.ViewOptions, _, _ string) { o.Service = w.service },
		"trigger":     func(o *mirror.ViewOptions, _, value string) { o.TriggerTime = scenario.Time(value) },
	})
	if err != nil {
		return "", err
	}
	slices := slices.Clone(w.Exists())
	view, skips, err := check.MirrorView(slices, o)
	if err != nil {
		return mistakes(err)
	}
	text := fmt.Sprintf("%s/%s", view.Namespace, view.Name)
	for _, d := range notation.Differences(nil, view.Labels) {
		text += " label:" + strings.TrimPrefix(d, "+")
	}
	for _, d := range notation.Differences(nil, view.Annotations) {
		text += " annotation:" + strings.TrimPrefix(d, "+")
	}
	text += "\n"
	for _, s := range view.Subsets {
		text += formatSubset(s)
	}
	for _, s := range skips {
		text += fmt.Sprintf("skipped %s %s\n", s.Path, s.Reason)
	}
	return text, nil
}

var families = map[string]discoveryv1.AddressType{"ipv4": discoveryv1.AddressTypeIPv4,
	"ipv6": discoveryv1.AddressTypeIPv6, "fqdn": discoveryv1.AddressTypeFQDN}

// formatSubset prints a subset as endpoints reads it.
func formatSubset(s corev1.EndpointSubset) string {
	var ports []discoveryv1.EndpointPort
	for i := range s.Ports {
		p := &s.Ports[i]
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Port: &p.Port, Protocol: &p.Protocol,
			AppProtocol: p.AppProtocol})
	}
	var list []discoveryv1.Endpoint
	for i, addresses := range [][]corev1.EndpointAddress{s.Addresses, s.NotReadyAddresses} {
		for _, a := range addresses {
			e := discoveryv1.Endpoint{Addresses: []string{a.IP}, NodeName: a.NodeName, TargetRef: a.TargetRef}
			if a.Hostname != "" {
				e.Hostname = &a.Hostname
			}
			if i == 1 {
				e.Conditions.Ready = new(bool)
			}
			list = append(list, e)
		}
	}
	return notation.Ports(ports) + " | " + notation.Endpoints(list, "ns") + "\n"
}
