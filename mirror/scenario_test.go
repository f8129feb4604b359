package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	check "github.com/slicewright/slicewright/internal/test/check/mirror"
	checkslices "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// TestScenarios runs the scenarios of testdata/mirror.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../testdata/mirror/*.txt", newWorld, func(command string) bool {
		return command == "endpoints" || command == "source" || command == "exports" || scenario.TakesBlock(command)
	})
}

// manager is whose mirrors most tests plan.
const manager = "mirrors.example.com"

var options = mirror.Options{ManagedBy: manager}

// world is the world of mirror's scenarios. Besides the commands of scenario.World:
//
//	endpoints uid=e1 label:k=v ...   block: the subsets, a line for each, "ports | addresses", where {!ready} is a not
//	                                 ready address; words: gone, dying, name= uid= label: annotation:
//	service headless no-cluster-ip selector empty-selector ports ipv6 gone
//	                                 without selector, ports and families, until a scenario says otherwise
//	mirror max=2 managed-by=... stable-names errors
//	                                 FromEndpoints, then compute; prints why there is no mirror, what errors say, and the plan
//	full                             prints what exists field by field
//	view type=ipv6 max=3 skip-mirror service trigger=2026-01-02T03:04:05Z
//	                                 ToEndpoints of what exists of the set; prints metadata and subsets
//	source                           block: slices of another place, as in slices
//	copy zone=Keep node=Map hints=Keep target=Keep hostname-from-pod zone:a=b node:a=b each-address port=http drop=10.0.0.1 managed-by= name= types= label:k=v key:k=v
//	                                 FromSlices, then compute; prints the plan
//	copy-slice zone=Keep ...         CopySlice of the first source; prints the copy and its Skips
//	exports                          block: clusters, the seconds of their exports, ports, and affinity= timeout= policy= distribution=; prints what MergeExports makes of them
//	import cluster=east ports=http:80 name= namespace= managed-by=
//	                                 PlanImport of the source; prints the plan, or where the mistakes are
//
// Endpoints and Service are ns/web. Before the first mirror or copy, slices are those of the mirrors.
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
	w.want(slicer.Input{Set: slicer.Set{Namespace: "ns", Name: "web", ManagedBy: manager, Owners: []metav1.OwnerReference{
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
		w.source = nil
		for _, line := range c.Block {
			if line == "nil" {
				w.source = append(w.source, nil)
				continue
			}
			s, err := scenario.ParseSlice(line, slicer.Set{Namespace: "far", Name: "web", ManagedBy: service.KubernetesManager})
			if err != nil {
				return "", err
			}
			w.source = append(w.source, s)
		}
		return "", nil
	case "full":
		text, err := json.MarshalIndent(w.Exists(), "", " ")
		return string(text) + "\n", err
	case "exports":
		return mergeExports(c.Block)
	case "import":
		return w.planImport(c.Args)
	case "copy", "copy-slice":
		command := newCopyCommand()
		if err := scenario.Words(command, c.Args, copyWords); err != nil {
			return "", err
		} else if c.Name == "copy-slice" {
			return w.copySlice(command.o)
		}
		return w.copy(command.set, command.o)
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
		"ports": func(s *corev1.Service, _, _ string) {
			s.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80}}
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
	o, stable, sayErrors := options, false, false
	err := scenario.Words(&o, args, map[string]func(o *mirror.Options, key, value string){
		"max":          func(o *mirror.Options, _, value string) { o.MaxAddressesPerSubset = scenario.Number(value) },
		"managed-by":   func(o *mirror.Options, _, value string) { o.ManagedBy = value },
		"errors":       func(*mirror.Options, string, string) { sayErrors = true },
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
	if sayErrors {
		for _, s := range in.Skips {
			text += s.Error() + "\n"
		}
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
	for _, m := range []struct {
		kind   string
		values map[string]string
	}{{"label", view.Labels}, {"annotation", view.Annotations}} {
		for _, k := range sortedKeys(m.values) {
			text += fmt.Sprintf(" %s:%s=%s", m.kind, k, m.values[k])
		}
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

var families = map[string]discoveryv1.AddressType{"ipv4": discoveryv1.AddressTypeIPv4, "ipv6": discoveryv1.AddressTypeIPv6, "fqdn": discoveryv1.AddressTypeFQDN}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// formatSubset prints a subset as endpoints reads it.
func formatSubset(s corev1.EndpointSubset) string {
	var ports []discoveryv1.EndpointPort
	for i := range s.Ports {
		p := &s.Ports[i]
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Port: &p.Port, Protocol: &p.Protocol, AppProtocol: p.AppProtocol})
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

// copyWords are the words of copies: what they are for, and their options.
var copyWords = map[string]func(c *copyCommand, key, value string){
	"zone": func(c *copyCommand, key, value string) {
		if c.o.ZoneNames[key] = value; key == "" {
			c.o.Zone = mirror.Carry(value)
		}
	},
	"node": func(c *copyCommand, key, value string) {
		if c.o.NodeNames[key] = value; key == "" {
			c.o.Node = mirror.Carry(value)
		}
	},
	"hints":             func(c *copyCommand, _, value string) { c.o.Hints = mirror.Carry(value) },
	"target":            func(c *copyCommand, _, value string) { c.o.TargetRef = mirror.Carry(value) },
	"hostname-from-pod": func(c *copyCommand, _, _ string) { c.o.HostnameFromPod = true },
	"each-address":      func(c *copyCommand, _, _ string) { c.o.EachAddress = true },
	"drop":              func(c *copyCommand, _, value string) { c.o.Transform = dropping(value) },
	"to-ipv6":           func(c *copyCommand, _, value string) { c.o.Transform = toIPv6(value) },
	"label":             func(c *copyCommand, key, value string) { c.set.Labels[key] = value },
	"key":               func(c *copyCommand, key, value string) { c.set.Key = map[string]string{key: value} },
	"managed-by":        func(c *copyCommand, _, value string) { c.set.ManagedBy = value },
	"name":              func(c *copyCommand, _, value string) { c.set.Name = value },
	"types":             func(c *copyCommand, _, value string) { c.set.AddressTypes = []discoveryv1.AddressType{families[value]} },
	"port": func(c *copyCommand, _, value string) {
		c.o.Port = func(p discoveryv1.EndpointPort) bool { return *p.Name == value }
	},
}

type copyCommand struct {
	set slicer.Set
	o   mirror.CopyOptions
}

func newCopyCommand() *copyCommand {
	return &copyCommand{
		slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "copies.example.com", Labels: map[string]string{}},
		mirror.CopyOptions{ZoneNames: map[string]string{}, NodeNames: map[string]string{}},
	}
}

// copySlice prints the copy of the first source, and its Skips.
func (w *world) copySlice(o mirror.CopyOptions) (string, error) {
	to, skips, err := mirror.CopySlice(w.source[0], copyMeta, o)
	if err != nil {
		return mistakes(err)
	}
	text := fmt.Sprintf("%s %s | %s\n", to.AddressType, notation.Ports(to.Ports), notation.Endpoints(to.Endpoints, "far"))
	for _, s := range skips {
		text += fmt.Sprintf("skipped %s %s\n", s.Path, s.Reason)
		if s.Reason == mirror.OverLimit && !strings.Contains(s.Error(), "at most 1000") {
			return "", fmt.Errorf("the error does not say how many there may be: %w", s)
		}
	}
	return text, nil
}

var copyMeta = metav1.ObjectMeta{
	Namespace: "shop", Name: "web-east", Labels: map[string]string{discoveryv1.LabelManagedBy: "copies.example.com"},
}

func (w *world) copy(set slicer.Set, o mirror.CopyOptions) (string, error) {
	in, err := mirror.FromSlices(set, w.source, o)
	if err != nil {
		return mistakes(err)
	}
	in.Options.GeneratedNames = true
	return w.plan("", in)
}

func mergeExports(lines []string) (string, error) {
	var exports []mirror.Export
	for _, line := range lines {
		words := strings.Fields(line)
		e := export(strings.Trim(words[0], `"`), int64(scenario.Number(words[1])))
		for _, word := range words[2:] {
			if !readTraffic(&e.Traffic, word) {
				e.Ports = append(e.Ports, parseServicePorts(word)...)
			}
		}
		exports = append(exports, e)
	}
	merged, err := mirror.MergeExports(exports)
	if err != nil {
		if merged.Ports != nil || merged.ByCluster != nil {
			return "", fmt.Errorf("a result beside an error: %v", merged)
		}
		return mistakes(err)
	}
	text := fmt.Sprintln("merged", showPorts(merged.Ports))
	if len(exports) > 0 && slices.ContainsFunc(exports, func(e mirror.Export) bool { return e.Traffic != (mirror.Traffic{}) }) {
		text += fmt.Sprintln("traffic", showTraffic(merged.Traffic))
	}
	for _, cluster := range slices.Sorted(maps.Keys(merged.ByCluster)) {
		text += fmt.Sprintln(cluster, "serves", showPorts(merged.ByCluster[cluster]))
	}
	for _, c := range merged.Conflicts {
		if strings.Join(c.Reasons, "") != "PortConflict" {
			text += fmt.Sprintln("reasons", c.Reasons)
		}
		text += fmt.Sprintf("conflict %s: %v\n", c.Cluster, c.Err)
	}
	return text, nil
}

// readTraffic reads affinity=ClientIP timeout=10 policy=Local distribution=PreferSameZone.
func readTraffic(t *mirror.Traffic, word string) bool {
	key, value, ok := strings.Cut(word, "=")
	switch key {
	case "affinity":
		t.SessionAffinity = corev1.ServiceAffinity(value)
	case "timeout":
		t.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: ptr(int32(scenario.Number(value)))}}
	case "policy":
		t.InternalTrafficPolicy = ptr(corev1.ServiceInternalTrafficPolicy(value))
	case "distribution":
		t.TrafficDistribution = &value
	default:
		return false
	}
	return ok
}

func showTraffic(t mirror.Traffic) string {
	text := fmt.Sprintf("affinity=%s policy=%s distribution=%s", t.SessionAffinity, *t.InternalTrafficPolicy, endpoint.Text(t.TrafficDistribution))
	if t.SessionAffinityConfig != nil {
		text += fmt.Sprintf(" timeout=%d", *t.SessionAffinityConfig.ClientIP.TimeoutSeconds)
	}
	return text
}

// parseServicePorts reads ports in the notation of slices, and panics where there are none.
func parseServicePorts(text string) (ports []corev1.ServicePort) {
	list, err := scenario.ParsePorts(text)
	if err != nil {
		panic(err)
	}
	for _, p := range list {
		port := corev1.ServicePort{Name: endpoint.Text(p.Name), Port: *p.Port, AppProtocol: p.AppProtocol}
		if p.Protocol != nil {
			port.Protocol = *p.Protocol
		}
		ports = append(ports, port)
	}
	return ports
}

func (w *world) planImport(args []string) (string, error) {
	of, ports := importOf("east"), []corev1.ServicePort(nil)
	err := scenario.Words(&of, args, map[string]func(of *mirror.Import, key, value string){
		"cluster":    func(of *mirror.Import, _, value string) { of.Cluster = value },
		"name":       func(of *mirror.Import, _, value string) { of.Name = value },
		"namespace":  func(of *mirror.Import, _, value string) { of.Namespace = value },
		"managed-by": func(of *mirror.Import, _, value string) { of.ManagedBy = value },
		"ports":      func(_ *mirror.Import, _, value string) { ports = parseServicePorts(value) },
	})
	if err != nil {
		return "", err
	}
	plan, err := mirror.PlanImport(of, ports, w.source, nil, mirror.CopyOptions{})
	if err != nil {
		if len(plan.Steps) > 0 {
			return "", fmt.Errorf("a plan beside the error: %v", plan)
		}
		return mistakes(err)
	}
	return plan.String(), nil
}

func dropping(address string) func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error {
	return func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
		if slices.Contains(e.Addresses, address) {
			return errNoAddress
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
