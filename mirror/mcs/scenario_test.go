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
	"github.com/slicewright/slicewright/internal/test/oldscenario"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestScenarios runs the scenarios of testdata/mcs. Their commands:
//
//	exports Intersection                  block, each line an export: a cluster, when it began to export in seconds, ports, fields;
//	                                      prints what they come to
//	source                                block: slices of the Service in another cluster
//	import ports=http:80 families=IPv4    prints what PlanImport plans
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
		return mergeExports(readExports(c.Block), mcs.Families(strings.Join(c.Args, " ")))
	case "source":
		return "", w.readSource(c.Block)
	case "import":
		return w.planImport(c.Args)
	}
	return "", fmt.Errorf("unknown command %s", c.Name)
}

func (w *world) readSource(lines []string) error {
	w.source = nil
	for _, line := range lines {
		if line == "nil" {
			w.source = append(w.source, nil)
			continue
		}
		s, err := scenario.ParseSlice(line,
			slicer.Set{Namespace: "far", Name: "web", ManagedBy: services.KubernetesManager})
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
				e.IPFamilies = ipFamilies(families)
			} else if !readTraffic(&e.Traffic, word) {
				e.Ports = append(e.Ports, parseServicePorts(word)...)
			}
		}
		exports = append(exports, e)
	}
	return exports
}

func mergeExports(exports []mcs.Export, families mcs.Families) (string, error) {
	merged, err := mcs.MergeExports(exports, families)
	if err != nil {
		if merged.Ports != nil || merged.ByCluster != nil {
			return "", fmt.Errorf("a result beside an error: %v", merged)
		}
		return "mistakes " + paths(err) + "\n", nil
	}
	text := fmt.Sprintln("merged", showPorts(merged.Ports))
	if slices.ContainsFunc(exports, func(e mcs.Export) bool { return e.IPFamilies != nil }) {
		text += fmt.Sprintln("families", merged.IPFamilies)
	}
	if len(exports) > 0 && slices.ContainsFunc(exports,
		func(e mcs.Export) bool { return e.Traffic != (mcs.Traffic{}) }) {
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
func readTraffic(t *mcs.Traffic, word string) bool {
	key, value, ok := strings.Cut(word, "=")
	switch key {
	case "affinity":
		t.SessionAffinity = corev1.ServiceAffinity(value)
	case "timeout":
		t.SessionAffinityConfig = &corev1.SessionAffinityConfig{
			ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: ptr(int32(scenario.Number(value)))},
		}
	case "policy":
		t.InternalTrafficPolicy = ptr(corev1.ServiceInternalTrafficPolicy(value))
	case "distribution":
		t.TrafficDistribution = &value
	default:
		return false
	}
	return ok
}

func showTraffic(t mcs.Traffic) string {
	text := fmt.Sprintf("affinity=%s policy=%s distribution=%s", t.SessionAffinity, *t.InternalTrafficPolicy,
		endpoint.Text(t.TrafficDistribution))
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
	of, ports, o := importOf("east"), []corev1.ServicePort(nil), mirror.CopyOptions{}
	err := scenario.Words(&of, args, map[string]func(of *mcs.Import, key, value string){
		"cluster":    func(of *mcs.Import, _, value string) { of.Cluster = value },
		"name":       func(of *mcs.Import, _, value string) { of.Name = value },
		"namespace":  func(of *mcs.Import, _, value string) { of.Namespace = value },
		"managed-by": func(of *mcs.Import, _, value string) { of.ManagedBy = value },
		"families":   func(of *mcs.Import, _, value string) { of.IPFamilies = ipFamilies(value) },
		"to-ipv6":    func(*mcs.Import, string, string) { o.Transform = toIPv6 },
		"ports":      func(_ *mcs.Import, _, value string) { ports = parseServicePorts(value) },
	})
	if err != nil {
		return "", err
	}
	plan, err := mcs.PlanImport(of, ports, w.source, nil, o)
	if err != nil {
		if len(plan.Steps) > 0 {
			return "", fmt.Errorf("a plan beside the error: %v", plan)
		}
		return "mistakes " + paths(err) + "\n", nil
	}
	for _, s := range plan.Skips {
		if (s.Reason == slicer.UnwantedAddressType) != (s.Severity == slicer.Routine) {
			return "", fmt.Errorf("%v is %v", s, s.Severity)
		}
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
