package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// syntaxError says what is wrong in a text of YAML that begins at a place, where the library
// returned err. The library names the line where a construct begins, or the line before it, or
// none.
func syntaxError(at place, text []byte, err error) error {
	message, n := unprefixed(oneLine(err)), 0
	if m := saysLine.FindStringSubmatch(message); m != nil {
		n, _ = strconv.Atoi(m[1])
		message = m[2]
	}
	lines := bytes.SplitAfter(text, newline)
	if !strings.HasPrefix(message, "key ") { // of which the library knows the line
		n = firstWrong(lines, message)
	}
	n = min(max(n, 1), len(lines))
	for i, line := range lines[:min(n+1, len(lines))] {
		if template.Match(line) {
			at.line += i
			return at.problem("", short(bytes.TrimSpace(line))+" is "+unrendered)
		}
	}
	at.line += n - 1
	return at.problem("", yamlProblem(message, lines[n-1]))
}

// template is a line of a template that is not inside a text.
var template = regexp.MustCompile(`^\s*(?:- +)*(?:[\w./-]+: +)?\{\{`)

// saysLine takes a message of the library apart, of which only the first problem is shown.
var saysLine = regexp.MustCompile(`^line (\d+): (.*?)(?: line \d+: .*)?$`)

// unprefixed cuts off the names of the libraries that a message passed through.
func unprefixed(message string) string {
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors: "} {
		message = strings.TrimPrefix(message, prefix)
	}
	return message
}

// firstWrong returns the number of the first line, from 1, up to which the text has the same
// mistake.
func firstWrong(lines [][]byte, message string) int {
	return 1 + sort.Search(len(lines)-1, func(i int) bool {
		var raw json.RawMessage
		err := yaml.UnmarshalStrict(bytes.Join(lines[:i+1], nil), &raw)
		return err != nil && strings.HasSuffix(oneLine(err), message)
	})
}

// yamlProblem words what the library says of a line.
func yamlProblem(message string, line []byte) string {
	switch {
	case bytes.HasPrefix(bytes.TrimLeft(line, " -"), []byte("\t")):
		return "a tab before the text; indent with blanks"
	case strings.HasPrefix(message, "did not find expected key"),
		strings.HasPrefix(message, "did not find expected '-'"):
		return "this does not fit what is above it; check the indentation and the quotes"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		return "a colon where no key can be; put the value in quotes, or check the indentation"
	case strings.HasPrefix(message, "found character that cannot start"),
		strings.HasPrefix(message, "found unknown directive"):
		return "a value cannot begin with this character; put it in quotes"
	case strings.HasPrefix(message, "did not find expected ',' or ']'"):
		return "no ] or comma where one must be; close the list that begins with ["
	case strings.HasPrefix(message, "did not find expected ',' or '}'"):
		return "no } or comma where one must be; close the object that begins with {"
	case strings.HasPrefix(message, "found unexpected end of stream"),
		strings.HasPrefix(message, "found unexpected document indicator"):
		return "a text in quotes has no end; add the quote"
	case strings.HasPrefix(message, "could not find expected ':'"):
		return "a key without a colon; add it, or put the text in quotes"
	case strings.HasPrefix(message, "invalid map key"):
		return "a list or an object as a key; put the key in quotes"
	case strings.HasPrefix(message, "did not find expected node content"):
		return "no value where one must be; add it, or remove a bracket"
	case strings.HasPrefix(message, "exceeded max depth"):
		return "more than 10000 levels inside each other; leave them out"
	}
	if key, ok := strings.CutSuffix(message, " already set in map"); ok {
		return key + ": " + givenTwice
	}
	return message + "; correct it"
}

// jsonError says what is wrong in a text of JSON that begins at a place.
func jsonError(at place, text []byte, err error) error {
	problem := fmt.Sprintf("%v; correct it, or get the object as JSON again", err)
	before := bytes.TrimRight(text, blanks)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) && int(syntax.Offset) < len(text) {
		before = text[:syntax.Offset-1]
	} else {
		problem = "the last JSON object has no end; remove it, or get it again"
	}
	at.line += bytes.Count(before, newline)
	return at.problem("", problem)
}
