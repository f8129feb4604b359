package accept

import "strings"

// Most names and labels are plain: a glance shows that they are valid, and the checks of apimachinery, which take a hundred times
// as long, need not be asked. What is not plain may be valid too.

// PlainName reports whether a text is surely a DNS label or, with dots, a DNS subdomain of at most 63 characters.
func PlainName(s string, dots bool) bool {
	if len(s) > 63 {
		return false
	}
	last := byte('.')
	for i := range len(s) {
		c := s[i]
		if c-'a' > 'z'-'a' && c-'0' > 9 && (c != '-' || last == '.') && (c != '.' || !dots || last == '.' || last == '-') {
			return false
		}
		last = c
	}
	return last != '.' && last != '-'
}

// PlainValue reports whether a text is surely the value of a label.
func PlainValue(s string) bool { return s == "" || plainWord(s) }

// PlainKey reports whether a text is surely the key of a label or annotation, or another qualified name.
func PlainKey(s string) bool {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return PlainName(s[:i], true) && plainWord(s[i+1:])
	}
	return plainWord(s)
}

// PlainLabels reports whether labels surely are some.
func PlainLabels(labels map[string]string) bool {
	for key, value := range labels {
		if !PlainKey(key) || !PlainValue(value) {
			return false
		}
	}
	return true
}

// plainWord reports whether a text has at most 63 letters, digits, dashes, dots and underscores, and begins and ends with a letter
// or digit.
func plainWord(s string) bool {
	if s == "" || len(s) > 63 || !alphanumeric(s[0]) || !alphanumeric(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool { return c|0x20-'a' <= 'z'-'a' || c-'0' <= 9 }
