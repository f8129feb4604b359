package manifest

import (
	"bytes"
	"encoding/json"
	"regexp"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// yaml reads a YAML document, which begins at a place. A list as kubectl prints it is read item by
// item, because the library takes thirty times the memory of the text.
func (s *stream) yaml(at place, text []byte) error {
	if l, ok := cut(text); ok {
		return s.yamlList(at, text, l)
	}
	return s.whole(at, text)
}

// whole reads a YAML document at once.
func (s *stream) whole(at place, text []byte) error {
	raw, err := s.toJSON(at, text)
	if err != nil || string(raw) == "null" {
		return err
	}
	at.line += firstLine(text)
	return s.object(at, raw, typeMeta{})
}

// toJSON converts a text of YAML.
func (s *stream) toJSON(at place, text []byte) (json.RawMessage, error) {
	if err := s.affordable(at, text); err != nil {
		return nil, err
	}
	raw := json.RawMessage("null")
	if err := yaml.UnmarshalStrict(text, &raw); err != nil {
		return nil, syntaxError(at, text, err)
	}
	return raw, nil
}

// firstLine returns how many lines are before the first that is not blank and not a comment.
func firstLine(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return n
		}
		n++
	}
	return 0
}

// yamlList reads a list that was cut.
func (s *stream) yamlList(at place, whole []byte, l list) error {
	header, err := s.toJSON(at, l.outside)
	if err != nil {
		return err
	}
	if string(header) == "null" {
		header = []byte("{}")
	}
	outer := at
	outer.line += firstLine(whole)
	e, err := readEnvelope(outer, header, typeMeta{})
	if err != nil {
		return err
	}
	if e.items != nil {
		return outer.problem("items", givenTwice)
	}
	e.items = []byte("[]")
	if err := e.typed(outer); err != nil {
		return err
	}
	each, ok := e.list()
	if !ok { // an object of another kind that has a field of this name
		return s.whole(at, whole)
	}
	if err := s.listBegins(outer, e); err != nil {
		return err
	}
	at.line += l.line
	for i, text := range l.items {
		raw, err := s.toJSON(at, text)
		if err != nil {
			return err
		}
		for item := range items(raw) {
			inside := outer.item(i)
			inside.line = at.line
			if err := s.object(inside, item, each); err != nil {
				return err
			}
		}
		at.line += bytes.Count(text, newline)
	}
	return nil
}

// list is a YAML document with a list in block style.
type list struct {
	outside []byte   // the document with blank lines in place of the items
	items   [][]byte // each with its dash
	line    int      // lines before the first item
}

var (
	itemsBegin = regexp.MustCompile(`(?m)^items:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)-[ \t\r\n]`)
	usesAlias  = regexp.MustCompile(`[\s,\[{:-]\*[0-9A-Za-z_-]`)
)

// cut takes a document apart. It reports whether that is possible: items that refer to each other
// by aliases must be read together.
func cut(text []byte) (list, bool) {
	m := itemsBegin.FindSubmatchIndex(text)
	if m == nil || usesAlias.Match(text) {
		return list{}, false
	}
	width := m[3] - m[2] // of the blanks before each dash
	l := list{line: bytes.Count(text[:m[2]], newline)}
	begin, at := m[2], m[2]
	for line := range bytes.Lines(text[begin:]) {
		content := bytes.TrimLeft(line, " ")
		indent := len(line) - len(content)
		if len(bytes.TrimSpace(content)) > 0 && content[0] != '#' {
			if indent < width || indent == width && content[0] != '-' {
				break
			}
			if indent == width && at > begin {
				l.items = append(l.items, text[begin:at])
				begin = at
			}
		}
		at += len(line)
	}
	l.items = append(l.items, text[begin:at])
	blank := bytes.Repeat(newline, bytes.Count(text[m[0]:at], newline))
	l.outside = bytes.Join([][]byte{text[:m[0]], blank, text[at:]}, nil)
	return l, true
}
