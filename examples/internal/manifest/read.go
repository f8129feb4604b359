package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

// Reader reads objects. The zero value is strict.
type Reader struct {
	// Lenient skips fields that the Kubernetes types this module is built with do not have, as the output of a newer
	// API server may contain. Fields of the wrong type and repeated fields are errors all the same.
	Lenient bool
	// Progress, if it is not nil, is called from time to time with how many bytes were read, and how many objects.
	Progress func(read int64, objects int)

	total int64 // the most bytes of all files; 0: mostBytes
}

const (
	mostBytes    = 1 << 30  // of all files together, which are held in memory
	mostDocument = 16 << 20 // bytes of a YAML document, whose reader takes 30 times as much
)

// Files reads all named files, "-" being stdin, in order. The first mistake ends it with an *Error that names the file,
// the document and the field, or with the operating system's error. No name at all is no object.
func (r Reader) Files(stdin io.Reader, names ...string) (*Objects, error) {
	objects := &Objects{}
	for _, name := range names {
		if err := r.open(objects, stdin, name); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// FilesWithProgress is Files for a command: with a line on stderr, if that is a terminal, which says how far reading is.
func (r Reader) FilesWithProgress(stdin io.Reader, stderr io.Writer, names ...string) (*Objects, error) {
	line := commandline.NewProgress(stderr)
	defer line.Clear()
	if line.Seen() {
		r.Progress = func(read int64, objects int) {
			line.Show(fmt.Sprintf("reading: %d MB, %d objects", read/1e6, objects))
		}
	}
	return r.Files(stdin, names...)
}

func (r Reader) open(objects *Objects, stdin io.Reader, name string) error {
	if name == Stdin {
		return r.Stream(objects, "standard input", stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return r.Stream(objects, name, file)
}

// Read adds the objects in data to objects. It is Stream for what is in memory.
func (r Reader) Read(objects *Objects, file string, data []byte) error {
	return r.Stream(objects, file, bytes.NewReader(data))
}

// Stream adds the objects that in has to objects; file is the name that errors give it. Documents are counted from 1, empty
// ones left out. An object that was read before is dropped when it is the same, and an error when it differs.
func (r Reader) Stream(objects *Objects, file string, in io.Reader) error {
	s := &stream{Reader: r, objects: objects, at: place{file: file}, line: 1}
	most := cmp.Or(r.total, mostBytes)
	text, err := io.ReadAll(io.LimitReader(in, most-objects.bytes+1))
	if objects.bytes += int64(len(text)); err != nil {
		return err
	}
	if objects.bytes > most {
		return s.at.problem("", fmt.Sprintf("more than %d MiB in all files", most>>20))
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return s.at.problem("", "is UTF-16, as some shells write it; save it as UTF-8")
	}
	s.rest = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if err := commandline.NotText(s.rest[:min(len(s.rest), 1<<10)]); err != nil {
		return s.at.problem("", err.Error())
	}
	return s.documents()
}

// stream is a file under way.
type stream struct {
	Reader
	objects *Objects
	at      place
	rest    []byte
	line    int // that of rest
}

// take goes past n bytes, and returns them.
func (s *stream) take(n int) []byte {
	text := s.rest[:n]
	s.rest = s.rest[n:]
	s.line += bytes.Count(text, newline)
	return text
}

var newline = []byte("\n")

// lineLength is how long the line at the beginning of a text is, with its end.
func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// documents reads all of the file.
func (s *stream) documents() error {
	for s.start(); len(s.rest) > 0; s.start() {
		s.at.document++
		read := s.yaml
		if looksLikeJSON(bytes.TrimLeft(s.rest, " \t\r")) {
			read = s.json
		}
		if err := read(); err != nil {
			return err
		}
		if s.Progress != nil {
			s.Progress(s.objects.bytes-int64(len(s.rest)), len(s.objects.seen))
		}
	}
	return nil
}

// start goes past blank lines, comments and separators. Blanks before a document stay, because they count in YAML.
func (s *stream) start() {
	for {
		text := bytes.TrimLeft(s.rest, " \t\r")
		blanks := len(s.rest) - len(text)
		switch {
		case len(text) == 0:
			s.take(blanks)
			return
		case text[0] == '\n':
			s.take(blanks + 1)
		case blanks == 0 && isMark(text):
			s.take(3)
		case text[0] == '#':
			s.take(blanks + lineLength(text))
		default:
			return
		}
	}
}

// json reads a JSON object.
func (s *stream) json() error {
	if json.Valid(s.rest) { // one document, which needs no copy
		return s.object(s.at, s.take(len(s.rest)), typeMeta{})
	}
	var raw json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(s.rest))
	err := decoder.Decode(&raw)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return s.at.problem("", fmt.Sprintf("line %d: %v", s.line+bytes.Count(s.rest[:syntax.Offset-1], newline), err))
	case err != nil: // there is no more
		return s.at.problem("", fmt.Sprintf("line %d: %v", s.line+bytes.Count(s.rest, newline), err))
	}
	s.take(int(decoder.InputOffset()))
	return s.object(s.at, raw, typeMeta{})
}

// looksLikeJSON tells JSON from a flow mapping of YAML, such as {kind: Pod}, by the first key.
func looksLikeJSON(text []byte) bool {
	if text[0] != '{' {
		return false
	}
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	return len(rest) == 0 || rest[0] == '"' || rest[0] == '}'
}

// isMark reports whether a line separates YAML documents or ends one.
func isMark(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) &&
		(len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0)
}
