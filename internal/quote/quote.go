// Package quote prints text that comes from objects, such as names and addresses. Any client of the
// API server can write such text. The text may contain line breaks, escape sequences, and
// characters that change the direction of writing.
package quote

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
)

// Text returns the text itself. If a reader could misread it, Text quotes it as in Go: if the text
// is empty or a dash, or contains a blank, an invisible character, or a character that separates
// texts in what this module prints.
func Text(s string) string {
	odd := func(r rune) bool { return strings.ContainsRune(" \"\\{}[],|=+#", r) || !strconv.IsPrint(r) }
	if s == "" || s == "-" || strings.ContainsFunc(s, odd) || strings.Contains(s, "..") || !utf8.ValidString(s) {
		return strconv.Quote(s)
	}
	return s
}

// Name returns namespace/name. Each part is quoted if necessary. An empty part stays empty.
func Name(namespace, name string) string {
	part := func(s string) string {
		if s == "" {
			return ""
		}
		return Text(s)
	}
	return part(namespace) + "/" + part(name)
}

// Port returns name/protocol, or "TCP without a name" for a port without a name.
func Port(name, protocol string) string {
	if name == "" {
		return Text(protocol) + " without a name"
	}
	return Text(name) + "/" + Text(protocol)
}

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

// Lines prints a line for each of the first twenty elements, and the number of the others.
func Lines[T fmt.Stringer](list []T) string {
	const most = 20
	var lines []string
	for _, element := range list[:min(len(list), most)] {
		lines = append(lines, element.String())
	}
	if more := len(list) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// ServicePorts prints the names and protocols of a Service's ports, for a message.
func ServicePorts(ports []corev1.ServicePort) string {
	texts := make([]string, len(ports))
	for i := range ports {
		texts[i] = Port(ports[i].Name, string(cmp.Or(ports[i].Protocol, corev1.ProtocolTCP)))
	}
	return cmp.Or(Few(texts), "no ports")
}
