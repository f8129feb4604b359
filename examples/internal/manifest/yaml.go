package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// yaml reads a YAML document in whole.
func (s *stream) yaml() error {
	line := s.source.line
	text, err := s.document()
	if err != nil {
		return err
	}
	if mayExpand(text, mostObject) {
		return s.at.problem("", fmt.Sprintf("more than %d MiB with its aliases expanded", mostObject>>20))
	}
	var value any
	if err := yaml.UnmarshalStrict(text, &value); err != nil {
		return s.at.problem("", fileLines(err, line))
	}
	if value == nil {
		s.at.document--
		return nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return s.at.problem("", oneLine(err))
	}
	return s.object(s.at, raw, typeMeta{})
}

// document takes the text up to the next separator. It keeps it in parts, so that one that is too large costs no more than
// its size.
func (s *stream) document() ([]byte, error) {
	var parts [][]byte
	size := 0
	for lineBegins := true; ; {
		next, err := s.source.peek(len("---\n"))
		if err != nil {
			return nil, err
		}
		if len(next) == 0 || lineBegins && isMark(next) {
			return bytes.Join(parts, nil), nil
		}
		piece, whole, err := s.source.piece()
		if err != nil {
			return nil, err
		}
		lineBegins = whole
		if size += len(piece); size > mostObject {
			return nil, limitError(fmt.Sprintf("a YAML document of more than %d MiB; use kubectl get -o json", mostObject>>20))
		}
		if last := len(parts) - 1; last < 0 || len(parts[last])+len(piece) > cap(parts[last]) {
			parts = append(parts, make([]byte, 0, max(len(piece), min(size, 1<<20))))
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], piece...)
	}
}

// mayExpand reports whether the aliases of a text may make more than most bytes of it. The library has a bound for their number,
// not for the bytes. What an anchor stands for ends before its first alias.
func mayExpand(text []byte, most int) bool {
	type anchor struct{ begin, size int } // in the expanded text
	anchors := map[string]anchor{}
	extra := 0
	for _, m := range anchorOrAlias.FindAllSubmatchIndex(text, -1) {
		name, at := string(text[m[2]:m[3]]), m[0]+extra
		if text[m[0]] == '&' {
			anchors[name] = anchor{at, -1}
			continue
		}
		a, ok := anchors[name]
		if !ok {
			continue
		}
		if a.size < 0 {
			a.size = at - a.begin
			anchors[name] = a
		}
		if extra += a.size; extra > most {
			return true
		}
	}
	return false
}

var anchorOrAlias = regexp.MustCompile(`[&*]([0-9A-Za-z_-]+)`)

// fileLines words a library's message, with lines that count from the file's beginning; line is that of the text's
// beginning.
func fileLines(err error, line int) string {
	return lineNumber.ReplaceAllStringFunc(oneLine(err), func(text string) string {
		n, _ := strconv.Atoi(strings.TrimPrefix(text, "line "))
		return "line " + strconv.Itoa(n+line-1)
	})
}

var lineNumber = regexp.MustCompile(`\bline \d+\b`)

// oneLine makes a parser's message fit a line, without the names of the libraries that it passed through.
func oneLine(err error) string {
	words := strings.Join(strings.Fields(err.Error()), " ")
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors: "} {
		words = strings.TrimPrefix(words, prefix)
	}
	return words
}
