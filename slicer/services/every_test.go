package services_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/drawn"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestEveryOptionIsDrawn: the tests of this package draw every field of Options, and every value of
// those that are enums.
func TestEveryOptionIsDrawn(t *testing.T) {
	drawn.Fields[services.Options](t, func(t *rapid.T) services.Options {
		return drawPublished(t).options
	}, "ManagedBy")
}

// TestIgnorePublishNotReady: with the option, a Service that publishes addresses that are not ready
// is like any other: such an address is not ready, and a Pod on a Node that is not found is left
// out.
func TestIgnorePublishNotReady(t *testing.T) {
	svc := aService(func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = true })
	lost := aPod(2)
	lost.Spec.NodeName = "n9"
	for ignored, want := range map[bool]string{false: "10.0.0.1 true, 10.0.0.2 true, ", true: "10.0.0.1 false, "} {
		in, err := services.Input(svc, []*corev1.Pod{aPod(1, unready), lost}, nodes,
			services.Options{ManagedBy: manager, IgnorePublishNotReady: ignored})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, g := range in.Groups {
			for _, e := range g.Endpoints {
				got += fmt.Sprintf("%s %t, ", e.Addresses[0], *e.Conditions.Ready)
			}
		}
		if got != want {
			t.Errorf("ignored %t: published %s, want %s", ignored, got, want)
		}
	}
}

// TestEveryFieldOfAPod: PodMatters compares the fields of a Pod that a plan shows, and no others.
func TestEveryFieldOfAPod(t *testing.T) {
	drawn.Predicate(t, "PodMatters", nightly.Usual(40, 100), func(t *rapid.T) *drawn.Event[corev1.Pod] {
		w := drawPublished(t)
		if len(w.pods) == 0 {
			return nil
		}
		i := rapid.IntRange(0, len(w.pods)-1).Draw(t, "Pod")
		old := w.pods[i]
		if rapid.Bool().Draw(t, "by name") {
			for _, edit := range []func(*corev1.Pod){unnumbered, declares(containerPort("a", 8080)),
				declaresInit(restart(corev1.ContainerRestartPolicyAlways), containerPort("b", 9090))} {
				edit(old)
			}
			w.service.Spec.Ports = []corev1.ServicePort{
				{Name: "a", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: named("a")},
				{Name: "b", Protocol: corev1.ProtocolTCP, Port: 90, TargetPort: named("b")},
			}
		}
		return &drawn.Event[corev1.Pod]{
			Old: old, Copy: (*corev1.Pod).DeepCopy,
			Matters: func(to *corev1.Pod) bool { return services.PodMatters(old, to, w.options) },
			Result: func(to *corev1.Pod) string {
				w := w
				w.pods = slices.Clone(w.pods)
				w.pods[i] = to
				return strings.Join(w.text(), "\n")
			},
		}
	})
}

// unnumbered removes the containers of a Pod, and with them the ports that they declare.
func unnumbered(p *corev1.Pod) { p.Spec.Containers, p.Spec.InitContainers = nil, nil }

// TestEveryFieldOfAService: ServiceMatters compares the fields of a Service that a plan shows, and
// no others.
func TestEveryFieldOfAService(t *testing.T) {
	drawn.Predicate(t, "ServiceMatters", 100, func(t *rapid.T) *drawn.Event[corev1.Service] {
		w := drawPublished(t)
		return &drawn.Event[corev1.Service]{
			Old: w.service, Copy: (*corev1.Service).DeepCopy,
			Matters: func(to *corev1.Service) bool { return services.ServiceMatters(w.service, to) },
			Result: func(to *corev1.Service) string {
				w := w
				w.service = to
				return strings.Join(w.text(), "\n")
			},
		}
	})
}

// TestEveryFieldOfANode: NodeMatters compares the fields of a Node that a plan shows, and no
// others.
func TestEveryFieldOfANode(t *testing.T) {
	drawn.Predicate(t, "NodeMatters", 100, func(t *rapid.T) *drawn.Event[corev1.Node] {
		w := drawPublished(t)
		name := rapid.SampledFrom([]string{"n1", "n2", "n3"}).Draw(t, "Node")
		old := nodes(name)
		return &drawn.Event[corev1.Node]{
			Old: old, Copy: (*corev1.Node).DeepCopy,
			Matters: func(to *corev1.Node) bool { return services.NodeMatters(old, to) },
			Result: func(to *corev1.Node) string {
				w := w
				w.node = func(asked string) *corev1.Node {
					if asked == name {
						return to
					}
					return nodes(asked)
				}
				return strings.Join(w.text(), "\n")
			},
		}
	}, "metadata.name") // by which a Node is asked for: with another name it is another Node
}

// TestEveryFieldOfABackend: BackendMatters compares the fields of a Backend that a plan shows, and
// no others.
func TestEveryFieldOfABackend(t *testing.T) {
	drawn.Predicate(t, "BackendMatters", 100, func(t *rapid.T) *drawn.Event[services.Backend] {
		p := drawPanel(t)
		i := rapid.IntRange(0, len(p.backends)-1).Draw(t, "Backend")
		old := p.backends[i]
		return &drawn.Event[services.Backend]{
			Old: &old, Copy: func(b *services.Backend) *services.Backend { c := gen.Copy(*b); return &c },
			Matters: func(to *services.Backend) bool { return services.BackendMatters(&old, to, p.options) },
			Result: func(to *services.Backend) string {
				p := *p
				p.backends = slices.Clone(p.backends)
				p.backends[i] = *to
				plans, errs := p.plans(i)
				return strings.Join(append(textsOf(plans), errs...), "\n")
			},
		}
	})
}
