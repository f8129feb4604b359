package manifest

import (
	"bytes"
	"encoding/json"
	"iter"
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
	i := -1
	for text := range l.items() {
		i++
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
	outside []byte // the document with blank lines in place of the items
	inside  []byte // the items
	width   int    // of the blanks before the dash of each
	line    int    // lines before the first item
}

// items returns the items, each with its dash. A file may have so many that a list of them takes
// several times its size.
func (l list) items() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begin, at := 0, 0
		for line := range bytes.Lines(l.inside) {
			if indent, says := indentation(line); says && indent == l.width && at > begin {
				if !yield(l.inside[begin:at]) {
					return
				}
				begin = at
			}
			at += len(line)
		}
		yield(l.inside[begin:])
	}
}

// indentation returns the number of blanks before a line. It reports whether there is more than a
// comment.
func indentation(line []byte) (blanks int, says bool) {
	content := bytes.TrimLeft(line, " ")
	return len(line) - len(content), len(bytes.TrimSpace(content)) > 0 && content[0] != '#'
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
	l := list{width: m[3] - m[2], line: bytes.Count(text[:m[2]], newline)}
	begin, at := m[2], m[2]
	for line := range bytes.Lines(text[begin:]) {
		indent, says := indentation(line)
		if says && (indent < l.width || indent == l.width && line[indent] != '-') {
			break
		}
		at += len(line)
	}
	l.inside = text[begin:at]
	blank := bytes.Repeat(newline, bytes.Count(text[m[0]:at], newline))
	l.outside = bytes.Join([][]byte{text[:m[0]], blank, text[at:]}, nil)
	return l, true
}
