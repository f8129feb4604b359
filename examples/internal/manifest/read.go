package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

// Reader reads objects. The zero value is strict.
type Reader struct {
	// Lenient skips fields that the Kubernetes types this module is built with do not have, as the output of a newer
	// API server may contain. Fields of the wrong type and repeated fields are errors all the same.
	Lenient bool
}

// Files reads all named files, "-" being stdin, in order. The first mistake ends it with an error of one line that names
// the file, the document and the field, or with the operating system's error. No name at all is no object.
func (r Reader) Files(stdin io.Reader, names ...string) (*Objects, error) {
	objects := &Objects{}
	for _, name := range names {
		var text []byte
		var err error
		if name == Stdin {
			name = "standard input"
			text, err = io.ReadAll(stdin)
		} else {
			text, err = os.ReadFile(name)
		}
		if err == nil {
			err = r.Read(objects, name, text)
		}
		if err != nil {
			return nil, err
		}
	}
	return objects, nil
}

var (
	mark       = regexp.MustCompile(`(?m)^(?:---|\.\.\.)(?:[ \t\r\n]|\z)`) // between YAML documents
	beginsJSON = regexp.MustCompile(`^\s*{\s*["}]`)                        // and no flow mapping of YAML, such as {kind: Pod}
	lineNumber = regexp.MustCompile(`\bline \d+\b`)
)

// Read adds the objects in a file's text to objects; file is the name that errors give it. Documents are counted from 1, empty
// ones left out. An object that was read before is dropped when it is the same, and an error when it differs.
func (r Reader) Read(objects *Objects, file string, text []byte) error {
	s := &stream{Reader: r, objects: objects, at: place{file: file}}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return s.at.problem("", "is UTF-16, as some shells write it; save it as UTF-8")
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if err := notText(text[:min(len(text), 1<<10)]); err != nil {
		return s.at.problem("", err.Error())
	}
	begin, line := 0, 1
	for _, between := range append(mark.FindAllIndex(text, -1), []int{len(text), len(text)}) {
		document, read := text[begin:between[0]], s.yaml
		if beginsJSON.Match(document) {
			read = s.json
		}
		if err := read(document, line); err != nil {
			return err
		}
		line += bytes.Count(text[begin:between[1]], newline)
		begin = between[1]
	}
	return nil
}

// notText says what a file is that begins like this and is no text; nil: it may be text.
func notText(begin []byte) error {
	control := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) }
	switch {
	case bytes.HasPrefix(begin, []byte("\x1f\x8b")):
		return errors.New("it is compressed by gzip: unpack it first")
	case bytes.ContainsFunc(begin, control):
		return errors.New("it is no text: give YAML or JSON, as UTF-8")
	}
	return nil
}

// stream is a file under way.
type stream struct {
	Reader
	objects *Objects
	at      place
}

const blanks = " \t\r\n"

var newline = []byte("\n")

// json reads JSON objects, one after the other. line is that of the text's beginning.
func (s *stream) json(text []byte, line int) error {
	for rest := bytes.TrimLeft(text, blanks); len(rest) > 0; {
		s.at.document++
		var raw json.RawMessage
		decoder := json.NewDecoder(bytes.NewReader(rest))
		if err := decoder.Decode(&raw); err != nil {
			left := 0 // lines after the mistake, none where the text is cut off
			if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
				left = bytes.Count(rest[syntax.Offset-1:], newline)
			}
			return s.at.problem("", fmt.Sprintf("line %d: %v", line+bytes.Count(text, newline)-left, err))
		}
		if err := s.object(s.at, raw, typeMeta{}); err != nil {
			return err
		}
		rest = bytes.TrimLeft(rest[decoder.InputOffset():], blanks)
	}
	return nil
}

// yaml reads a YAML document. line is that of the text's beginning.
func (s *stream) yaml(text []byte, line int) error {
	s.at.document++
	var value any
	if err := yaml.UnmarshalStrict(text, &value); err != nil {
		return s.at.problem("", lineNumber.ReplaceAllStringFunc(oneLine(err), func(text string) string {
			n, _ := strconv.Atoi(strings.TrimPrefix(text, "line "))
			return "line " + strconv.Itoa(n+line-1) // of the file
		}))
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
