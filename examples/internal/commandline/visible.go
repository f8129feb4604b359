package commandline

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Visible returns text as it is when every character of it can be seen, and quoted as in Go when
// one cannot: a line feed that would forge a line, an escape sequence that would steer the
// terminal, a mark that would turn the direction of writing.
func Visible(text string) string {
	for _, r := range text {
		if !strconv.IsPrint(r) {
			return strconv.Quote(text)
		}
	}
	return text
}

// visible makes arguments of Printf visible. Numbers and the like are what they are.
func visible(args []any) []any {
	out := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			out[i] = Visible(arg.Error())
		case fmt.Stringer:
			out[i] = Visible(arg.String())
		default:
			out[i] = arg
			if text := fmt.Sprint(arg); Visible(text) != text {
				out[i] = Visible(text)
			}
		}
	}
	return out
}

// visibleJSON escapes what cannot be seen. JSON has such characters in strings only, line feeds and
// blanks apart.
func visibleJSON(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case strconv.IsPrint(r), r == '\n':
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}
