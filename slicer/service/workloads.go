package service

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
)

// workloads are what endpoints are derived from: Pods or Backends. The other list is nil.
type workloads struct {
	pods     []*corev1.Pod
	backends []Backend
}

func (l *workloads) len() int { return len(l.pods) + len(l.backends) }

// address returns a workload's first address.
func (l *workloads) address(i int32) string {
	if l.pods == nil {
		return l.backends[i].first()
	}
	if ips := l.pods[i].Status.PodIPs; len(ips) > 0 {
		return ips[0].IP
	}
	return l.pods[i].Status.PodIP
}

// changed is when a workload last started or stopped serving, zero where that is not known.
func (l *workloads) changed(i int32) time.Time {
	if l.pods == nil {
		return l.backends[i].Changed
	}
	if ready := conditions.ReadyCondition(l.pods[i]); ready != nil {
		return ready.LastTransitionTime.Time
	}
	return time.Time{}
}
