// Package quote prints text that comes from objects, such as names and addresses. Any client of the
// API server can write such text. The text may contain line breaks, escape sequences, and
// characters that change the direction of writing.
package quote

import (
	"strconv"
	"strings"
	"unicode/utf8"
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
