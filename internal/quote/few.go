package quote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Few prints the first five of the texts in alphabetical order, without repetitions, and the number
// of the others. It sorts the given list.
func Few(texts []string) string {
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if more := len(texts) - 5; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:5], ", "), more)
	}
	return strings.Join(texts, ", ")
}

// ServicePorts prints the names and protocols of a Service's ports, for a message.
func ServicePorts(ports []corev1.ServicePort) string {
	texts := make([]string, len(ports))
	for i := range ports {
		texts[i] = Port(ports[i].Name, string(cmp.Or(ports[i].Protocol, corev1.ProtocolTCP)))
	}
	return cmp.Or(Few(texts), "no ports")
}
