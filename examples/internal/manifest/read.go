package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

// Reader reads objects. The zero value is strict.
type Reader struct {
	// Lenient skips fields that the Kubernetes types this module is built with do not have, as the
	// output of a newer API server may contain, and objects of other APIs whose kind has the same
	// name. Fields of the wrong type and repeated fields are errors all the same.
	Lenient bool

	most int64 // bytes of a file; 0: mostBytes
}

// mostBytes is how much of a file is read: more than a large cluster has, and less than what never
// ends.
const mostBytes = 1 << 30

// Entry is what a file has next: an object, or the beginning of a list.
type Entry struct {
	At     string         // where it is: "web.json: line 8: items[3]"
	List   bool           // a list begins, whose items follow
	Event  string         // ADDED, MODIFIED or DELETED if the object is of a watch
	Object runtime.Object // a Service, Pod, Node, Endpoints or EndpointSlice; nil for other kinds
	Other  string         // the other kind, as "apps/v1 Deployment"
}

// Files reads all named files into Objects, "-" being stdin, in order. The first mistake ends it
// with an error of one line that names the file, the line, the object and the field.
func (r Reader) Files(stdin io.Reader, names ...string) (*Objects, error) {
	objects := &Objects{}
	for _, name := range names {
		before, read := len(objects.seen), 0
		if err := r.Entries(stdin, name, func(e Entry) error {
			if e.Object != nil {
				read++
			}
			return objects.add(e)
		}); err != nil {
			return nil, err
		}
		if read > 0 && len(objects.seen) == before {
			objects.Repeated = append(objects.Repeated, name)
		}
	}
	return objects, nil
}

// Entries calls visit for each entry of a file, in order, and returns the first error.
func (r Reader) Entries(stdin io.Reader, name string, visit func(Entry) error) error {
	in := stdin
	if name == Stdin {
		name = "standard input"
	} else {
		file, err := os.Open(name)
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			return fmt.Errorf("%s: %w; check the name", name, failed.Err)
		}
		defer file.Close()
		in = file
	}
	most := cmp.Or(r.most, mostBytes)
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return fmt.Errorf("%s: %w; check the name", name, failed.Err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; try again", name, err)
	}
	if int64(len(text)) > most {
		return fmt.Errorf("%s: more than %d MiB; give fewer objects", name, most>>20)
	}
	return r.read(name, text, visit)
}

// stream is a file that is being read.
type stream struct {
	Reader
	visit  func(Entry) error
	size   int // of the file
	weight int // bytes of memory that are left for its objects
}

var newline = []byte("\n")

// read reads a file's text; file is the name that errors give it.
func (r Reader) read(file string, text []byte, visit func(Entry) error) error {
	at := place{file: file}
	if err := notText(at, text); err != nil {
		return err
	}
	at.line = 1
	s := &stream{Reader: r, visit: visit, size: len(text), weight: objectBytes*len(text) + freeObjectBytes}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	begin := 0
	next := 0
	line := 1
	for l := range bytes.Lines(text) {
		if isMark(l) {
			if err := s.document(at, text[begin:next]); err != nil {
				return err
			}
			begin, at.line = next+len("---"), line
		}
		next += len(l)
		line++
	}
	return s.document(at, text[min(begin, len(text)):])
}

// isMark reports whether a line separates YAML documents or ends one.
func isMark(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) &&
		(len(line) == 3 || bytes.IndexByte([]byte(blanks), line[3]) >= 0)
}

// notText refuses a file that is not text.
func notText(at place, text []byte) error {
	control := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) }
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return at.problem("", "is UTF-16, as some shells write it; save it as UTF-8")
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		return at.problem("", "is compressed by gzip; unpack it first")
	case bytes.ContainsFunc(text[:min(len(text), 1<<10)], control):
		return at.problem("", "is not text; give YAML or JSON, as UTF-8")
	}
	return nil
}

// beginsJSON tells JSON from a flow mapping of YAML, such as {kind: Pod}.
var beginsJSON = regexp.MustCompile(`^\s*(?:\{\s*["}]|\[\s*[{\]])`)

// document reads the text between two marks.
func (s *stream) document(at place, text []byte) error {
	switch {
	case onlyComments(text):
		return nil
	case beginsJSON.Match(text):
		return s.json(at, text)
	}
	return s.yaml(at, text)
}

// onlyComments reports whether a document says nothing.
func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// json reads JSON objects, one after the other.
func (s *stream) json(at place, text []byte) error {
	for rest := text; ; {
		begin := len(rest) - len(bytes.TrimLeft(rest, blanks))
		at.line += bytes.Count(rest[:begin], newline)
		if rest = rest[begin:]; len(rest) == 0 {
			return nil
		}
		n := end(rest)
		if !json.Valid(rest[:n]) {
			return jsonError(at, rest, json.Unmarshal(rest[:max(n, 1)], new(any)))
		}
		if err := s.object(at, rest[:n], typeMeta{}); err != nil {
			return err
		}
		at.line += bytes.Count(rest[:n], newline)
		rest = rest[n:]
	}
}
