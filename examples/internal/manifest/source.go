package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	chunk      = 64 << 10 // how much is read at once
	lookahead  = 1 << 10  // how much of a document's beginning is looked at
	mostObject = 16 << 20 // bytes of an object, and of a YAML document
	mostBytes  = 4 << 30  // bytes of all files together
)

var newline = []byte("\n")

// limitError is a limit that was hit.
type limitError string

func (e limitError) Error() string { return string(e) }

// source is the text of a file. It counts lines, and refuses what is too large before it is in memory.
type source struct {
	in        io.Reader
	report    func(read int64) // may be nil
	total     *int64           // bytes read, of all files
	mostTotal int64
	buffer    []byte // what was read and not taken
	ended     bool

	line  int   // that of the next byte
	taken int64 // bytes that were taken
	mark  int64 // how many that were where the object under way began
}

// fill reads more. At the end of the file it reads nothing.
func (s *source) fill() error {
	if s.ended {
		return nil
	}
	s.buffer = append(make([]byte, 0, len(s.buffer)+chunk), s.buffer...)
	n, err := s.in.Read(s.buffer[len(s.buffer):cap(s.buffer)])
	s.buffer = s.buffer[:len(s.buffer)+n]
	before := *s.total
	*s.total += int64(n)
	if s.report != nil && before>>20 != *s.total>>20 {
		s.report(*s.total)
	}
	switch {
	case *s.total > s.mostTotal:
		return limitError(fmt.Sprintf("more than %d MiB in all files", s.mostTotal>>20))
	case errors.Is(err, io.EOF):
		s.ended = true
		return nil
	}
	return err
}

// peek returns the next bytes without taking them: n of them, or all that there are.
func (s *source) peek(n int) ([]byte, error) {
	for len(s.buffer) < n && !s.ended {
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
	return s.buffer[:min(n, len(s.buffer))], nil
}

// skip takes n bytes that peek has shown.
func (s *source) skip(n int) []byte {
	text := s.buffer[:n]
	s.buffer = s.buffer[n:]
	s.line += bytes.Count(text, newline)
	s.taken += int64(n)
	return text
}

// piece takes a line or a part of one, and reports whether the line ends with it.
func (s *source) piece() (text []byte, whole bool, err error) {
	if _, err := s.peek(1); err != nil {
		return nil, false, err
	}
	if i := bytes.IndexByte(s.buffer, '\n'); i >= 0 {
		return s.skip(i + 1), true, nil
	}
	text = s.skip(len(s.buffer))
	return text, s.ended, nil
}

// Read takes bytes for a decoder, at most twice what an object may have, since decoders read ahead.
func (s *source) Read(into []byte) (int, error) {
	if s.taken-s.mark > 2*mostObject {
		return 0, errLargeObject
	}
	if _, err := s.peek(1); err != nil {
		return 0, err
	}
	if len(s.buffer) == 0 {
		return 0, io.EOF
	}
	return copy(into, s.skip(min(len(into), len(s.buffer)))), nil
}

var errLargeObject = limitError(fmt.Sprintf("an object of more than %d MiB", mostObject>>20))

// back gives back the last bytes that were taken.
func (s *source) back(text []byte) {
	s.buffer = append(text[:len(text):len(text)], s.buffer...)
	s.line -= bytes.Count(text, newline)
	s.taken -= int64(len(text))
}
