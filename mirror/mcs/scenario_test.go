package mcs_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestScenarios runs the scenarios of testdata/mcs. Their commands:
//
//	exports                               block, each line an export: a cluster, when it began to export in seconds, ports, fields;
//	                                      prints what they come to
//	source                                block: slices of the Service in another cluster
//	import ports=http:80 families=IPv4    prints what is planned
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../../testdata/mcs/*.txt", func() scenario.Handler {
		return (&world{}).handle
	}, func(command string) bool {
		return command == "source" || command == "exports"
	})
}

type world struct {
	source []*discoveryv1.EndpointSlice
}

func (w *world) handle(c scenario.Command) (string, error) {
	switch c.Name {
	case "exports":
		return mergeExports(readExports(c.Block))
	case "source":
		return "", w.readSource(c.Block)
	case "import":
		return w.planImport(c.Args)
	}
	return "", fmt.Errorf("unknown command %s", c.Name)
}

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

func ipFamilies(list string) (families []corev1.IPFamily) {
	for _, f := range strings.Split(list, ",") {
		families = append(families, corev1.IPFamily(f))
	}
	return families
}

// paths lists where an error says that something is wrong, with the text of what does not say what
// to do.
func paths(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, paths(e))
		}
		return strings.Join(all, " ")
	}
	if f := (*field.Error)(nil); errors.As(err, &f) && f.Detail != "" {
		return f.Field
	}
	return fmt.Sprint(err)
}

// readExports reads "east 1 http:80 families=IPv4": a cluster, when it began to export, ports, and
// fields.
func readExports(lines []string) (exports []mcs.Export) {
	for _, line := range lines {
		words := strings.Fields(line)
		e := export(strings.Trim(words[0], `"`), int64(scenario.Number(words[1])))
		for _, word := range words[2:] {
			if families, ok := strings.CutPrefix(word, "families="); ok {
				e.Spec.IPFamilies = ipFamilies(families)
			} else if !readSpec(&e.Spec, word) {
				e.Spec.Ports = append(e.Spec.Ports, parseServicePorts(word)...)
			}
		}
		exports = append(exports, e)
	}
	return exports
}

func mergeExports(exports []mcs.Export) (string, error) {
	merged, err := mcs.MergeExports(exports)
	if err != nil {
		if merged.ByCluster != nil {
			return "", fmt.Errorf("a result beside an error: %v", merged)
		}
		return "mistakes " + paths(err) + "\n", nil
	}
	spec := &merged.Spec
	text := fmt.Sprintln("merged", showPorts(spec.Ports))
	if slices.ContainsFunc(exports, func(e mcs.Export) bool { return e.Spec.IPFamilies != nil }) {
		text += fmt.Sprintln("families", spec.IPFamilies)
	}
	if slices.ContainsFunc(exports, func(e mcs.Export) bool { return hasTraffic(&e.Spec) }) {
		text += fmt.Sprintln("traffic", showTraffic(spec))
	}
	for _, cluster := range slices.Sorted(maps.Keys(merged.ByCluster)) {
		text += fmt.Sprintln(cluster, "serves", showPorts(merged.ByCluster[cluster]))
	}
	for _, c := range merged.Conflicts {
		if strings.Join(c.Reasons, "") != "PortConflict" {
			text += fmt.Sprintln("reasons", c.Reasons)
		}
		text += fmt.Sprintf("conflict %s: %s\n", c.Cluster, c.Message)
	}
	return text, nil
}

func hasTraffic(s *corev1.ServiceSpec) bool {
	return s.SessionAffinity != "" || s.SessionAffinityConfig != nil || s.InternalTrafficPolicy != nil ||
		s.TrafficDistribution != nil || s.ClusterIP != ""
}

// readSpec reads affinity=ClientIP timeout=10 policy=Local distribution=PreferSameZone headless.
func readSpec(s *corev1.ServiceSpec, word string) bool {
	if word == "headless" {
		s.ClusterIP = corev1.ClusterIPNone
		return true
	}
	key, value, ok := strings.Cut(word, "=")
	switch key {
	case "affinity":
		s.SessionAffinity = corev1.ServiceAffinity(value)
	case "timeout":
		s.SessionAffinityConfig = &corev1.SessionAffinityConfig{
			ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: ptr(int32(scenario.Number(value)))},
		}
	case "policy":
		s.InternalTrafficPolicy = ptr(corev1.ServiceInternalTrafficPolicy(value))
	case "distribution":
		s.TrafficDistribution = &value
	default:
		return false
	}
	return ok
}

func showTraffic(s *corev1.ServiceSpec) string {
	text := fmt.Sprintf("affinity=%s policy=%s distribution=%s", s.SessionAffinity, *s.InternalTrafficPolicy,
		endpoint.Text(s.TrafficDistribution))
	if s.SessionAffinityConfig != nil {
		text += fmt.Sprintf(" timeout=%d", *s.SessionAffinityConfig.ClientIP.TimeoutSeconds)
	}
	if s.ClusterIP != "" {
		text += " clusterIP=" + s.ClusterIP
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
	of, o := importOf("east"), mirror.CopyOptions{}
	err := scenario.Words(&of, args, map[string]func(of *mcs.Import, key, value string){
		"cluster":    func(of *mcs.Import, _, value string) { of.Cluster = value },
		"name":       func(of *mcs.Import, _, value string) { of.Name = value },
		"namespace":  func(of *mcs.Import, _, value string) { of.Namespace = value },
		"managed-by": func(of *mcs.Import, _, value string) { of.ManagedBy = value },
		"derived":    func(of *mcs.Import, _, value string) { of.DerivedService = value },
		"families":   func(of *mcs.Import, _, value string) { of.Spec.IPFamilies = ipFamilies(value) },
		"headless":   func(of *mcs.Import, _, _ string) { readSpec(&of.Spec, "headless") },
		"to-ipv6":    func(*mcs.Import, string, string) { o.Transform = toIPv6 },
		"ports":      func(of *mcs.Import, _, value string) { of.Spec.Ports = parseServicePorts(value) },
	})
	if err != nil {
		return "", err
	}
	in, err := mcs.FromSlices(of, w.source, o)
	if err != nil {
		return "mistakes " + paths(err) + "\n", nil
	}
	plan, err := slicer.Compute(in, nil)
	if err != nil {
		return "mistakes " + paths(err) + "\n", nil
	}
	return plan.String(), nil
}

// toIPv6 translates addresses as NAT64 does.
func toIPv6(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
	for i, a := range e.Addresses {
		e.Addresses[i] = "64:ff9b::" + a[strings.LastIndexByte(a, '.')+1:]
	}
	return nil
}
