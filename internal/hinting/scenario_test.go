package hinting_test

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// The scenarios of testdata/hints. Their commands:
//
//	mode M                 the mode
//	service K=V ...        the mode of a Service with these annotations (short names) and trafficDistribution
//	cores 4,4,8            weights of zones a, b, c, in thousands
//	weights z=4 ...        weights by name
//	nodes                  weights from Nodes: a block of NAME zone=Z cpu=Q [ready=False] [deleting=true] [role=R]
//	limit L                percent above the mean, for SameZone
//	steady                 Options.Steady
//	slices                 a block in the notation of parseSlices, a line for each slice
//	assign                 prints the decision and the slices after it, and makes these the slices
//
// Each assign is also held against the guarantees.
func TestScenarios(t *testing.T) {
	blocks := map[string]bool{"slices": true, "nodes": true}
	scenario.Run(t, "../../testdata/hints/*.txt",
		func() scenario.Handler { return new(handler).handle },
		func(command string) bool { return blocks[command] })
}

type handler struct {
	config hinting.Options
	in     []hinting.Slice
}

func (s *handler) handle(c scenario.Command) (out string, err error) {
	arg := strings.Join(c.Args, " ")
	switch c.Name {
	case "mode":
		if s.config.Mode = arg; arg == "None" {
			s.config.Mode = hinting.None
		}
		return "", hinting.Validate(s.config, nil)
	case "service":
		s.config.Mode = string(hints.ModeOf(serviceWith(c.Args)))
		return fmt.Sprintln("mode", cmp.Or(s.config.Mode, "None")), nil
	case "cores":
		s.config.Weights, err = parseWeights(arg)
		return "", err
	case "weights":
		s.config.Weights = hinting.Weights{Zones: map[string]int64{}}
		for _, word := range c.Args {
			zone, weight, _ := strings.Cut(word, "=")
			n, err := strconv.ParseInt(weight, 10, 64)
			if err != nil {
				return "", err
			}
			s.config.Weights.Zones[strings.Trim(zone, `"`)] = n
		}
		return "", nil
	case "nodes":
		return s.nodes(c)
	case "limit":
		s.config.Limit, err = strconv.Atoi(arg)
		return "", errors.Join(err, hinting.Validate(s.config, nil))
	case "steady":
		s.config.Steady = true
		return "", nil
	case "slices":
		s.in, err = parseSlices(strings.Join(c.Block, " | "))
		return "", err
	case "assign":
		return s.assign()
	}
	return "", fmt.Errorf("unknown command %q", c.Name)
}

func (s *handler) assign() (string, error) {
	changes, d, err := hinting.Assign(s.config, s.in)
	if err != nil {
		return "", err
	}
	err = errors.Join(check.Hints(s.config, s.in, changes, d), check.StableHints(s.config, s.in))
	out, opened := after(s.in, changes)
	text := decisionOf(s.config, d).String() + "\n"
	for i := range out {
		text += "| " + printSlices(out[i:i+1]) + "\n"
	}
	text += fmt.Sprintf("%d changed", len(changes))
	if len(opened) > 0 {
		text += ", rewritten " + strings.Join(opened, " ")
	}
	s.in = out
	return text + "\n", err
}

func (s *handler) nodes(c scenario.Command) (string, error) {
	var nodes []*corev1.Node
	for _, line := range c.Block {
		node, err := parseNode(strings.Fields(line))
		if err != nil {
			return "", err
		}
		nodes = append(nodes, node)
	}
	before := fmt.Sprint(nodes)
	s.config.Weights = hinting.Weights(hints.NodeWeights(nodes, nil))
	slices.Reverse(nodes)
	if turned := hinting.Weights(hints.NodeWeights(append(nodes, nil), nil)); !reflect.DeepEqual(turned, s.config.Weights) {
		return "", fmt.Errorf("the order counts: %v, then %v", s.config.Weights, turned)
	}
	if slices.Reverse(nodes); fmt.Sprint(nodes) != before {
		return "", fmt.Errorf("Nodes changed: %v", nodes)
	}
	text := fmt.Sprintln("weights", strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(s.config.Weights.Zones), "map["),
		"]"))
	for _, name := range s.config.Weights.Missing {
		text += "missing " + name + "\n"
	}
	return text, nil
}

// decisionOf returns the decision as package hints shows it.
func decisionOf(o hinting.Options, d hinting.Decision) hints.Decision {
	shown := hints.Decision{Mode: hints.Mode(o.Mode), On: d.On, Reason: d.Reason, Message: d.Message}
	for _, z := range d.Zones {
		shown.Zones = append(shown.Zones, hints.Allocation(z))
	}
	return shown
}

func parseNode(words []string) (*corev1.Node, error) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: words[0], Labels: map[string]string{}}}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	return n, scenario.Words(n, words[1:], map[string]func(n *corev1.Node, key, value string){
		"zone": func(n *corev1.Node, _, value string) { n.Labels[corev1.LabelTopologyZone] = value },
		"role": func(n *corev1.Node, _, value string) { n.Labels["node-role.kubernetes.io/"+value] = "" },
		"cpu": func(n *corev1.Node, _, value string) {
			n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(value)}
		},
		"deleting": func(n *corev1.Node, _, _ string) { n.DeletionTimestamp = new(metav1.Time) },
		"ready": func(n *corev1.Node, _, value string) {
			if n.Status.Conditions[0].Status = corev1.ConditionStatus(value); value == "" {
				n.Status.Conditions = nil
			}
		},
	})
}

func serviceWith(words []string) *corev1.Service {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{}}}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		if key == "trafficDistribution" {
			service.Spec.TrafficDistribution = &value
		} else {
			service.Annotations["service.kubernetes.io/"+key] = value
		}
	}
	return service
}
