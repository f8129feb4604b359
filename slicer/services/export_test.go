package services

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Memory is what one Plan leaves to the next.
type Memory struct{ derivation }

// Plan is Plan in this memory.
func (m *Memory) Plan(
	svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node, existing []*discoveryv1.EndpointSlice,
	o Options,
) (slicer.Plan, error) {
	return m.plan(subject{service: svc, bySelector: true}, pods, existing, o, func() { m.readPods(pods, node) })
}
