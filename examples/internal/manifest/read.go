package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

// Reader reads objects. The zero value is strict.
type Reader struct {
	// Lenient skips fields that the Kubernetes types this module is built with do not have, as the output of a newer
	// API server may contain. Fields of the wrong type and repeated fields are errors all the same.
	Lenient bool
	// Progress, if it is not nil, is told from time to time how many bytes were read, and how many objects.
	Progress func(read int64, objects int)

	total int64 // the most bytes of all files; 0: mostBytes
}

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

// FilesWithProgress is Files for a command: with a line on stderr, if that is a terminal, which says how far reading is, and
// with a garbage collector that rather takes time than memory.
func (r Reader) FilesWithProgress(stdin io.Reader, stderr io.Writer, names ...string) (*Objects, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
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
	s := &stream{Reader: r, objects: objects, at: place{file: file}}
	s.source = source{in: in, total: &objects.bytes, mostTotal: cmp.Or(r.total, mostBytes), line: 1}
	if r.Progress != nil {
		s.source.report = func(read int64) { r.Progress(read, len(objects.seen)) }
	}
	err := s.documents()
	var limit limitError
	if errors.As(err, &limit) {
		return s.at.problem("", fmt.Sprintf("line %d: %v", s.source.line, err))
	}
	return err
}

// stream is a file under way.
type stream struct {
	Reader
	objects *Objects
	source  source
	at      place
}

// documents reads all of the file.
func (s *stream) documents() error {
	begin, err := s.source.peek(lookahead)
	if err != nil {
		return err
	}
	switch start := begin[:min(3, len(begin))]; {
	case bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")):
		return &Error{File: s.at.file, Problem: "is UTF-16, as some shells write it; save it as UTF-8"}
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		s.source.skip(3)
	default:
		if err := commandline.NotText(begin); err != nil {
			return &Error{File: s.at.file, Problem: err.Error()}
		}
	}
	for {
		isJSON, err := s.start()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		s.at.document++
		if isJSON {
			err = s.json()
		} else {
			err = s.yaml()
		}
		if err != nil {
			return err
		}
	}
}

// start goes past blank lines, comments and separators, and reports whether the next document is JSON. It returns io.EOF at
// the end of the file. Blanks before the document stay, because they count in YAML.
func (s *stream) start() (isJSON bool, err error) {
	for {
		s.source.mark = s.source.taken
		line, err := s.source.peek(lookahead)
		if err != nil {
			return false, err
		}
		text := bytes.TrimLeft(line, " \t\r")
		blanks := len(line) - len(text)
		switch {
		case len(line) == 0:
			return false, io.EOF
		case len(text) == 0:
			s.source.skip(blanks)
		case text[0] == '\n':
			s.source.skip(blanks + 1)
		case blanks == 0 && isMark(text):
			s.source.skip(3)
		case text[0] == '#':
			for whole := false; !whole; {
				if _, whole, err = s.source.piece(); err != nil {
					return false, err
				}
			}
		default:
			return looksLikeJSON(text), nil
		}
	}
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
