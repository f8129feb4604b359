package accept

import "strings"

// Most names and labels are plain: a short scan shows that they are valid. The checks of
// apimachinery take about a hundred times as long. They are needed only for texts that are not
// plain, because some of these are valid as well.

// PlainName reports whether a text is certainly a DNS label or, with dots, a DNS subdomain of at
// most 63 characters.
func PlainName(s string, dots bool) bool {
	if len(s) > 63 {
		return false
	}
	last := byte('.')
	for i := range len(s) {
		c := s[i]
		letterOrDigit := c-'a' <= 'z'-'a' || c-'0' <= 9 // c is a byte: below 'a' or '0' the difference is large
		if !letterOrDigit && (c != '-' || last == '.') && (c != '.' || !dots || last == '.' || last == '-') {
			return false
		}
		last = c
	}
	return last != '.' && last != '-'
}

// PlainValue reports whether a text is certainly a valid value of a label.
func PlainValue(s string) bool { return s == "" || plainWord(s) }

// PlainKey reports whether a text is certainly a valid key of a label or annotation, or another
// qualified name.
func PlainKey(s string) bool {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return PlainName(s[:i], true) && plainWord(s[i+1:])
	}
	return plainWord(s)
}

// PlainLabels reports whether labels are certainly valid.
func PlainLabels(labels map[string]string) bool {
	for key, value := range labels {
		if !PlainKey(key) || !PlainValue(value) {
			return false
		}
	}
	return true
}

// plainWord reports whether a text has 1 to 63 letters, digits, dashes, dots and underscores, and
// begins and ends with a letter or digit.
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
