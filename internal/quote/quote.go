// Package quote prints text that comes from objects, such as names and addresses. Any client of the API server can write such
// text, so it may have line breaks, escape sequences and characters that change the direction of writing.
package quote

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns the text as it is, or quoted as in Go if a reader would misread it: if it is empty or a dash, or has a blank, a
// character that cannot be seen, or a character that separates texts in what this module prints.
func Text(s string) string {
	odd := func(r rune) bool { return strings.ContainsRune(" \"\\{}[],|=+#", r) || !strconv.IsPrint(r) }
	if s == "" || s == "-" || strings.ContainsFunc(s, odd) || strings.Contains(s, "..") || !utf8.ValidString(s) {
		return strconv.Quote(s)
	}
	return s
}

// Name is namespace/name. An empty part stays empty.
func Name(namespace, name string) string {
	part := func(s string) string {
		if s == "" {
			return ""
		}
		return Text(s)
	}
	return part(namespace) + "/" + part(name)
}

// Port is name/protocol, and "TCP without a name" for a port that has none.
func Port(name, protocol string) string {
	if name == "" {
		return Text(protocol) + " without a name"
	}
	return Text(name) + "/" + Text(protocol)
}
