package services

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// endpointMemory has the arrays into which the endpoints of an Input point. If an array is full,
// append begins a larger one, and the old one stays with the endpoints that point into it.
type endpointMemory struct {
	flags   [2]bool // false, true
	targets []corev1.ObjectReference
	ips     []string
	texts   []string
}

// flag returns a pointer to a value that all endpoints share.
func (m *endpointMemory) flag(value bool) *bool {
	if value {
		return &m.flags[1]
	}
	return &m.flags[0]
}

// text returns a pointer to a copy of s, or nil if s is empty.
func (m *endpointMemory) text(s string) *string {
	if s == "" {
		return nil
	}
	m.texts = append(m.texts, s)
	return &m.texts[len(m.texts)-1]
}

// target returns a pointer to a copy of a reference.
func (m *endpointMemory) target(to corev1.ObjectReference) *corev1.ObjectReference {
	m.targets = append(m.targets, to)
	return &m.targets[len(m.targets)-1]
}

// oneAddress returns a list of one address. Its capacity is 1, so that an append copies the list.
func (m *endpointMemory) oneAddress(ip string) []string {
	n := len(m.ips)
	m.ips = append(m.ips, ip)
	return m.ips[n : n+1 : n+1]
}

// emptied returns the memory for the next Input.
func (m *endpointMemory) emptied() endpointMemory {
	return endpointMemory{targets: empty(m.targets), ips: empty(m.ips), texts: empty(m.texts)}
}

// setMemory has the lists and maps of the Set of an Input.
type setMemory struct {
	owners []metav1.OwnerReference
	yes    [2]bool // the values of the owner's controller and blockOwnerDeletion
	types  []discoveryv1.AddressType
	labels map[string]string
	key    map[string]string
}

// emptied returns the memory for the next Input.
func (m *setMemory) emptied() setMemory {
	clear(m.labels)
	clear(m.key)
	return setMemory{owners: empty(m.owners), types: m.types[:0], labels: m.labels, key: m.key}
}
