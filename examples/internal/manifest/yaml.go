package manifest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// yaml reads a YAML document in whole.
func (s *stream) yaml() error {
	line, end := s.line, 0
	for end == 0 || end < len(s.rest) && !isMark(s.rest[end:]) {
		end += lineLength(s.rest[end:])
	}
	if end > mostDocument {
		return s.at.problem("", fmt.Sprintf("line %d: a YAML document of more than %d MiB; use kubectl get -o json", line, mostDocument>>20))
	}
	text := s.take(end)
	if mayExpand(text, mostDocument) {
		return s.at.problem("", fmt.Sprintf("more than %d MiB with its aliases expanded", mostDocument>>20))
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
