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

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestScenarios runs the scenarios of testdata/mirror.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../testdata/mirror/*.txt", newWorld, func(command string) bool {
		return command == "endpoints" || command == "source" || scenario.TakesBlock(command)
	})
}

// manager is whose mirrors most tests plan.
const manager = "mirrors.example.com"

var options = mirror.Options{ManagedBy: manager, ReplacesKubernetes: true}

// world is the state of one of mirror's scenarios. Besides the commands of scenario.State:
//
//	endpoints uid=e1 label:k=v ...   block: the subsets, a line for each, "ports | addresses", where {!ready} is a not
//	                                 ready address; words: gone, dying, name= uid= label: annotation:
//	service headless no-cluster-ip selector empty-selector ports=http,-,dns/UDP ipv6 gone
//	                                 without selector, ports and families, until a scenario says otherwise
//	mirror max=2 managed-by=... in-use
//	                                 FromEndpoints, then compute; in-use: Kubernetes' controller runs
//	full                             prints what exists field by field
//	view                             ToEndpoints of what exists of the set; prints metadata and subsets
//	source                           block: slices of another place, as in slices
//	copy keep-zones keep-nodes keep-targets hints port=http drop=10.0.0.1 to-ipv6 managed-by= name= types=
//	                                 FromSlices, then compute
//
// Endpoints and Service are ns/web. Before the first mirror or copy, slices are those of the
// mirrors.
type world struct {
	*scenario.State
	endpoints *corev1.Endpoints
	service   *corev1.Service
	source    []*discoveryv1.EndpointSlice
}

func newWorld() scenario.Handler {
	w := &world{State: scenario.New(), service: &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}, Spec: corev1.ServiceSpec{ClusterIP: "10.96.0.1"},
	}}
	owner := metav1.OwnerReference{
		APIVersion: "v1", Kind: "Endpoints", Name: "web", UID: "e1", Controller: ptr(true), BlockOwnerDeletion: ptr(true),
	}
	in := slicer.Input{Key: options.Key(types.NamespacedName{Namespace: "ns", Name: "web"})}
	in.Meta.OwnerReferences = []metav1.OwnerReference{owner}
	w.Want(in)
	return w.handle
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
		return w.view()
	case "source":
		return "", w.readSource(c.Block)
	case "full":
		text, err := json.MarshalIndent(w.Exists(), "", " ")
		return string(text) + "\n", err
	case "copy":
		return w.copy(c.Args)
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
		var list []discoveryv1.Endpoint
		for _, of := range g.Endpoints {
			list = append(list, of.API)
		}
		e.Subsets = append(e.Subsets, Subset(g.Ports, list))
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
	o := options
	err := scenario.Words(&o, args, map[string]func(o *mirror.Options, key, value string){
		"max":        func(o *mirror.Options, _, value string) { o.MaxAddressesPerSubset = scenario.Number(value) },
		"managed-by": func(o *mirror.Options, _, value string) { o.ManagedBy = value },
		"in-use":     func(o *mirror.Options, _, _ string) { o.ReplacesKubernetes = false },
	})
	if err != nil {
		return "", err
	}
	in, err := Mirror(w.endpoints, w.service, o)
	if err != nil {
		return mistakes(err)
	}
	return w.plan(in)
}

// mistakes prints where a caller's mistakes are. A broken promise stays an error.
func mistakes(err error) (string, error) {
	if broken := (check.Broken{}); errors.As(err, &broken) {
		return "", err
	}
	return "mistakes " + paths(err) + "\n", nil
}

// plan prints the plan of an input, and the places of its Notices.
func (w *world) plan(in slicer.Input) (string, error) {
	w.Want(in)
	text, err := w.Handle(scenario.Command{Name: "compute"})
	for _, n := range slices.Concat(in.Warnings, in.Normal) {
		text += fmt.Sprintf("at %s %s\n", n.Path, n.Reason)
	}
	return text, err
}

func (w *world) view() (string, error) {
	view, left, err := MirrorView(w.service, slices.Clone(w.Exists()))
	if err != nil {
		return mistakes(err)
	}
	text := fmt.Sprintf("%s/%s", view.Namespace, view.Name)
	for _, d := range kit.Differences(nil, view.Labels) {
		text += " label:" + strings.TrimPrefix(d, "+")
	}
	for _, d := range kit.Differences(nil, view.Annotations) {
		text += " annotation:" + strings.TrimPrefix(d, "+")
	}
	text += "\n"
	for _, s := range view.Subsets {
		text += formatSubset(s)
	}
	for _, n := range left {
		text += fmt.Sprintf("at %s %s\n", n.Path, n.Reason)
	}
	return text, nil
}

// copyWords are the words of copies: what they are for, and their options.
var copyWords = map[string]func(c *copyCommand, key, value string){
	"keep-zones":   func(c *copyCommand, _, _ string) { c.o.KeepZones = true },
	"keep-nodes":   func(c *copyCommand, _, _ string) { c.o.KeepNodes = true },
	"keep-targets": func(c *copyCommand, _, _ string) { c.o.KeepTargetRefs = true },
	"hints":        func(c *copyCommand, _, _ string) { c.hints = hints.Given },
	"drop":         func(c *copyCommand, _, value string) { c.o.Transform = dropping(value) },
	"to-ipv6":      func(c *copyCommand, _, value string) { c.o.Transform = toIPv6(value) },
	"managed-by":   func(c *copyCommand, _, value string) { c.key.ManagedBy = value },
	"name":         func(c *copyCommand, _, value string) { c.key.Name = value },
	"types":        func(c *copyCommand, _, value string) { c.types = []discoveryv1.AddressType{familyNames[value]} },
	"port": func(c *copyCommand, _, value string) {
		c.o.Port = func(p discoveryv1.EndpointPort) bool { return *p.Name == value }
	},
}

type copyCommand struct {
	key   slicer.Key
	o     mirror.CopyOptions
	hints hints.Mode
	types []discoveryv1.AddressType
}

// readSource reads slices of another place.
func (w *world) readSource(lines []string) error {
	w.source = nil
	far := slicer.Input{Key: slicer.Key{Namespace: "far", Name: "web", ManagedBy: services.KubernetesManager}}
	for _, line := range lines {
		if line == "nil" {
			w.source = append(w.source, nil)
			continue
		}
		s, err := scenario.ParseSlice(line, &far)
		if err != nil {
			return err
		}
		w.source = append(w.source, s)
	}
	return nil
}

func (w *world) copy(args []string) (string, error) {
	c := &copyCommand{key: slicer.Key{Namespace: "ns", Name: "web", ManagedBy: "copies.example.com"}}
	if err := scenario.Words(c, args, copyWords); err != nil {
		return "", err
	}
	in, err := mirror.FromSlices(c.key, w.source, c.o)
	if err != nil {
		return mistakes(err)
	}
	in.Hints.Mode = c.hints
	in.Options.AddressTypes = c.types
	return w.plan(in)
}

func dropping(address string) func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error {
	return func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
		if slices.Contains(e.Addresses, address) {
			return errors.New("it has no address over here yet")
		}
		return nil
	}
}

// toIPv6 translates one address, or all where it is empty.
func toIPv6(only string) func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error {
	return func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
		for i, a := range e.Addresses {
			if only == "" || only == a {
				e.Addresses[i] = "64:ff9b::" + a[strings.LastIndexByte(a, '.')+1:]
			}
		}
		return nil
	}
}

var familyNames = map[string]discoveryv1.AddressType{"ipv4": discoveryv1.AddressTypeIPv4,
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
