package manifest

import (
	"bytes"
	"errors"
	"io"
)

// windowSize is how much is read at once.
const windowSize = 1 << 20

// window is the part of a file that is looked at. What was looked at is let go.
type window struct {
	in     io.Reader
	size   int // how much is read at once
	limits Limits
	total  *Bytes // of all files so far
	report func(read Bytes)

	buffer []byte
	at     int  // where the unread part begins
	end    bool // the file has no more than the buffer
	line   int  // the number of the line at which the unread part begins, from 1
}

// rest is the unread part. It is valid until the next call of more.
func (w *window) rest() []byte { return w.buffer[w.at:] }

// more reads on, io.EOF if there is nothing more.
func (w *window) more() error {
	if w.end {
		return io.EOF
	}
	if w.at > 0 {
		w.buffer = w.buffer[:copy(w.buffer, w.buffer[w.at:])]
		w.at = 0
	}
	if len(w.buffer)+w.size > cap(w.buffer) {
		w.buffer = append(make([]byte, 0, 2*cap(w.buffer)+w.size), w.buffer...)
	}
	n, err := io.ReadFull(w.in, w.buffer[len(w.buffer):len(w.buffer)+w.size])
	w.buffer = w.buffer[:len(w.buffer)+n]
	if *w.total += Bytes(n); *w.total > w.limits.Total {
		return w.limits.totalError()
	}
	if w.report != nil {
		w.report(*w.total)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		w.end = true
		return nil
	}
	return err
}

// skip lets go of the first n bytes of the unread part.
func (w *window) skip(n int) {
	w.line += bytes.Count(w.buffer[w.at:w.at+n], []byte("\n"))
	w.at += n
}

// lineOf is the number of the line with the n-th byte of the unread part.
func (w *window) lineOf(n int) int {
	rest := w.rest()
	return w.line + bytes.Count(rest[:min(n, len(rest))], []byte("\n"))
}

// peek returns the unread part's first line with its end, "" at the end of the file, without letting it go.
func (w *window) peek() ([]byte, error) {
	for searched := 0; ; {
		rest := w.rest()
		if n := bytes.IndexByte(rest[searched:], '\n'); n >= 0 {
			return rest[:searched+n+1], nil
		}
		if w.end {
			return rest, nil
		}
		if searched = len(rest); Bytes(searched) > w.limits.Object {
			return nil, w.limits.objectError()
		}
		if err := w.more(); err != nil {
			return nil, err
		}
	}
}

// scan runs a scanner over the unread part, again with more of it where it ends too early, and lets go of what the scanner
// went through.
func (w *window) scan(p *projector, through func() error) error {
	for {
		depth, copied := p.depth, len(p.out)
		p.text, p.at, p.whole = w.rest(), 0, w.end
		err := through()
		size := p.at
		if errors.Is(err, errMore) {
			size = len(p.text)
		}
		if Bytes(size) > w.limits.Object && (err == nil || errors.Is(err, errMore)) {
			return w.limits.objectError()
		}
		if err == nil {
			w.skip(p.at)
			return nil
		}
		if !errors.Is(err, errMore) {
			return err
		}
		p.depth, p.out = depth, p.out[:copied]
		if err := w.more(); err != nil {
			return err
		}
	}
}
