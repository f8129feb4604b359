package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

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

// FilesWithProgress is Files with a line on stderr, if that is a terminal, which says how far reading is.
func (r Reader) FilesWithProgress(stdin io.Reader, stderr io.Writer, names ...string) (*Objects, error) {
	line := commandline.NewProgress(stderr)
	defer line.Clear()
	if line.Seen() {
		r.Progress = func(read Bytes, objects int) {
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

// Stream adds the objects that in has to objects, without holding more of in than an object; file is the name that errors
// give it. Documents are counted from 1, empty ones left out. An object that was read before is dropped when it is the
// same, and an error when it differs.
func (r Reader) Stream(objects *Objects, file string, in io.Reader) error {
	r.Limits = r.Limits.withDefaults()
	s := &stream{Reader: r, objects: objects, at: place{file: file}}
	s.window = window{in: in, size: cmp.Or(r.window, windowSize), limits: r.Limits, total: &objects.bytes, line: 1}
	if r.Progress != nil {
		s.window.report = func(read Bytes) { r.Progress(read, len(objects.seen)+s.under) }
	}
	s.projector = projector{scanner: scanner{limits: r.Limits}, lenient: r.Lenient}
	err := s.documents()
	var limit limitError
	if errors.As(err, &limit) {
		return s.at.problem("", fmt.Sprintf("line %d: %v", s.window.line, err))
	}
	return err
}

// stream is a file under way.
type stream struct {
	Reader
	objects   *Objects
	window    window
	projector projector
	converted []byte // the JSON of the YAML under way
	at        place
	under     int // objects of the document under way
}

// documents reads all of the file.
func (s *stream) documents() error {
	if err := s.window.more(); err != nil {
		return err
	}
	switch text := s.window.rest(); {
	case bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")):
		return &Error{File: s.at.file, Problem: "is UTF-16, as some shells write it; save it as UTF-8"}
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		s.window.skip(3)
	}
	for {
		first, err := s.start()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && first == '{' {
			err = s.json()
		} else if err == nil {
			err = s.yaml(nil)
		}
		if err != nil {
			return err
		}
	}
}

// start goes past blank lines, comments and separators and returns the next document's first character, io.EOF at the end
// of the file. Blanks before the character stay, because they count in YAML.
func (s *stream) start() (byte, error) {
	for {
		rest := s.window.rest()
		blanks := len(rest) - len(bytes.TrimLeft(rest, " \t\r"))
		if len(rest)-blanks < len("---\n") && !s.window.end {
			if err := s.window.more(); err != nil {
				return 0, err
			}
			continue
		}
		switch {
		case blanks == len(rest):
			s.window.skip(blanks)
			return 0, io.EOF
		case rest[blanks] == '\n':
			s.window.skip(blanks + 1)
		case blanks == 0 && isMark(rest):
			s.window.skip(3)
		case rest[blanks] == '#':
			line, err := s.window.peek()
			if err != nil {
				return 0, err
			}
			s.window.skip(len(line))
		default:
			return rest[blanks], nil
		}
	}
}

// isMark reports whether a line separates YAML documents or ends one.
func isMark(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) &&
		(len(line) == 3 || strings.IndexByte(" \t\r\n", line[3]) >= 0)
}
