package service

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// leaves is the memory that endpoints which are made point into.
type leaves struct {
	targets arena[corev1.ObjectReference]
	lists   arena[[1]string]
	texts   arena[string]
}

// make makes a wanted endpoint.
func (w *wanted) make(i int32, e *discoveryv1.Endpoint, l *leaves) {
	from := &w.endpoints[i]
	*e = discoveryv1.Endpoint{
		Addresses: w.addresses(i, l),
		Conditions: discoveryv1.EndpointConditions{
			Ready: w.flag(from.state.ready()), Serving: w.flag(from.state.serving()), Terminating: w.flag(from.state.terminating()),
		},
	}
	hostname := ""
	if w.pods == nil {
		b := &w.backends[from.workload]
		e.NodeName, e.Zone, hostname = l.text(b.Node), l.text(b.Zone), b.Hostname
		if b.TargetRef != (corev1.ObjectReference{}) {
			e.TargetRef = l.targets.next()
			*e.TargetRef = b.TargetRef
			e.TargetRef.ResourceVersion = ""
		}
	} else {
		pod, at := w.pods[from.workload], &w.places.known[from.place]
		e.NodeName, e.Zone, hostname = nilIfEmpty(&at.node), nilIfEmpty(&at.zone), pod.Spec.Hostname
		e.TargetRef = l.targets.next()
		*e.TargetRef = corev1.ObjectReference{Kind: "Pod", Namespace: w.service.Namespace, Name: pod.Name, UID: pod.UID}
	}
	if from.named {
		e.Hostname = l.text(hostname)
	}
}

// addresses lists the addresses of a wanted endpoint.
func (w *wanted) addresses(i int32, l *leaves) []string {
	if more := w.joined[i]; more != nil {
		return append([]string{w.address(i)}, more...)
	}
	list := l.lists.next()
	list[0] = w.address(i)
	return list[:]
}

func (w *wanted) flag(value bool) *bool { return &w.flags[bit(value)] }

// text returns a pointer to a copy of s, or nil for none.
func (l *leaves) text(s string) *string {
	if s == "" {
		return nil
	}
	text := l.texts.next()
	*text = s
	return text
}

func nilIfEmpty(s *string) *string {
	if *s == "" {
		return nil
	}
	return s
}

func (l *leaves) release() {
	l.targets.clear()
	l.lists.clear()
	l.texts.clear()
}
