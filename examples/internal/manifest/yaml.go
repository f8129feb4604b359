package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// yaml reads a YAML document: in whole, or if it is a list in block style, as kubectl prints it, item by item. Where that
// fails the document is read in whole, if it is not too large for that, because then an item may need another one's
// anchors. notJSON is the reason why a document that begins like JSON is none; nil for others.
func (s *stream) yaml(notJSON error) error {
	d := s.begin()
	c := &cutter{stream: s, d: d, first: s.window.line}
	failed, err := c.cut()
	if err == nil && failed == nil && c.items {
		failed = c.end()
	}
	switch {
	case err != nil:
		return err
	case failed == nil && c.items:
		return nil
	case c.large && (failed == nil || errors.Is(failed, errShape)):
		return s.Limits.documentError()
	case c.large:
		return failed
	}
	return s.wholeYAML(&document{at: d.at}, c.text, c.first, notJSON)
}

// wholeYAML reads a document from its text, which begins on a line of the file.
func (s *stream) wholeYAML(d *document, text []byte, line int, notJSON error) error {
	raw, err := s.toJSON(text, line)
	var limit limitError
	switch {
	case err == nil:
		return s.value(d, raw)
	case notJSON != nil && !errors.As(err, &limit):
		return notJSON
	}
	return d.at.problem("", oneLine(err))
}

// toJSON converts YAML that begins on a line of the file.
func (s *stream) toJSON(text []byte, line int) ([]byte, error) {
	block := blockText{text: text, limits: s.Limits, out: s.converted[:0]}
	err := block.convert()
	s.converted = block.out
	var limit limitError
	switch {
	case err == nil:
		return block.out, nil
	case errors.As(err, &limit):
		return nil, err
	case !block.measured && mayExpand(text, s.Limits.Object):
		return nil, s.Limits.aliasError()
	}
	var value any
	if err := yaml.UnmarshalStrict(text, &value); err != nil {
		return nil, fileLines(err, line)
	}
	return json.Marshal(value)
}

// fileLines counts the lines in a library's message from the file's beginning; line is that of the text's beginning.
func fileLines(err error, line int) error {
	return errors.New(lineNumber.ReplaceAllStringFunc(oneLine(err), func(text string) string {
		n, _ := strconv.Atoi(strings.TrimPrefix(text, "line "))
		return "line " + strconv.Itoa(n+line-1)
	}))
}

var lineNumber = regexp.MustCompile(`\bline \d+\b`)

// mayExpand reports whether aliases may make more of a text than most, as far as can be told without reading it as YAML:
// each alias may stand for all that is before it.
func mayExpand(text []byte, most Bytes) bool {
	size := Bytes(len(text))
	for _, m := range alias.FindAllSubmatch(text, -1) {
		if !bytes.Contains(text, append([]byte("&"), m[1]...)) {
			continue
		}
		if size *= 2; size > most {
			return true
		}
	}
	return false
}

var alias = regexp.MustCompile(`\*([0-9A-Za-z_-]+)`)

// oneLine makes a parser's message fit a line, without the names of the libraries that it passed through.
func oneLine(err error) string {
	words := strings.Join(strings.Fields(err.Error()), " ")
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors: "} {
		words = strings.TrimPrefix(words, prefix)
	}
	return words
}
