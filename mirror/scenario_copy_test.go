package mirror_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// copyWords are the words of copies: what they are for, and their options.
var copyWords = map[string]func(c *copyCommand, key, value string){
	"zone": func(c *copyCommand, key, value string) {
		if key == "" {
			c.o.Zone = mirror.Carry(value)
		} else {
			c.o.ZoneNames[key] = value
		}
	},
	"node": func(c *copyCommand, key, value string) {
		if key == "" {
			c.o.Node = mirror.Carry(value)
		} else {
			c.o.NodeNames[key] = value
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

// readSource reads slices of another place.
func (w *world) readSource(lines []string) error {
	w.source = nil
	for _, line := range lines {
		if line == "nil" {
			w.source = append(w.source, nil)
			continue
		}
		s, err := scenario.ParseSlice(line, slicer.Set{Namespace: "far", Name: "web", ManagedBy: services.KubernetesManager})
		if err != nil {
			return err
		}
		w.source = append(w.source, s)
	}
	return nil
}

// copy runs the commands copy and copy-slice.
func (w *world) copy(c scenario.Command) (string, error) {
	command := &copyCommand{
		slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "copies.example.com", Labels: map[string]string{}},
		mirror.CopyOptions{ZoneNames: map[string]string{}, NodeNames: map[string]string{}},
	}
	if err := scenario.Words(command, c.Args, copyWords); err != nil {
		return "", err
	}
	if c.Name == "copy-slice" {
		return w.copySlice(command.o)
	}
	in, err := mirror.FromSlices(command.set, w.source, command.o)
	if err != nil {
		return mistakes(err)
	}
	in.Options.GeneratedNames = true
	return w.plan("", in)
}

// copySlice prints the copy of the first source, and its Skips.
func (w *world) copySlice(o mirror.CopyOptions) (string, error) {
	meta := metav1.ObjectMeta{Namespace: "shop", Name: "web-east", Labels: map[string]string{discoveryv1.LabelManagedBy: "copies.example.com"}}
	to, skips, err := mirror.CopySlice(w.source[0], meta, o)
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
