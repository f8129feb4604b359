package manifest

import (
	"errors"
	"fmt"
)

// json reads a document that begins like JSON.
func (s *stream) json() error {
	if len(s.window.rest()) < s.window.size && !s.window.end {
		if err := s.window.more(); err != nil {
			return err
		}
	}
	p := &s.projector
	p.text, p.at, p.whole, p.depth = s.window.rest(), 0, s.window.end, 0
	raw, err := p.raw()
	size := p.at
	var syntax *syntaxError
	switch {
	case err == nil && Bytes(size) <= s.Limits.Object:
		if err = s.value(s.begin(), raw); err == nil {
			s.window.skip(size)
		}
		return err
	case errors.As(err, &syntax): // a flow mapping of YAML, such as {kind: Pod}?
		return s.yaml(s.syntaxProblem(s.at.next(), syntax))
	case err == nil || errors.Is(err, errMore):
		return s.large()
	}
	return err
}

// syntaxProblem is a mistake in JSON with its line.
func (s *stream) syntaxProblem(at place, err *syntaxError) error {
	return at.problem("", fmt.Sprintf("line %d: %v", s.window.lineOf(err.at), err))
}

// large reads a JSON object of which the window has the beginning: field by field, and where it is a list, item by item.
func (s *stream) large() error {
	d := s.begin()
	head, err := s.fields(d)
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		return s.syntaxProblem(d.at, syntax)
	}
	if err != nil {
		return err
	}
	if d.listed {
		return s.close(d, head)
	}
	return s.value(d, head)
}

// fields goes through the fields of an object, reads the items of a list, and returns the other fields.
func (s *stream) fields(d *document) (head []byte, err error) {
	p := &s.projector
	p.depth = 0
	head = []byte("{")
	mark := byte('{')
	for {
		end, err := s.mark(mark, '}')
		if err != nil || end {
			return append(head, '}'), err
		}
		mark = ','
		var name string
		list := false
		err = s.window.scan(p, func() error {
			key, err := p.key()
			if err != nil {
				return err
			}
			name = string(key)
			c, err := p.next()
			list = c == '['
			return err
		})
		if err != nil {
			return head, err
		}
		if name == "items" && list && !d.listed {
			if err := s.items(d, head); err != nil {
				return head, err
			}
			continue
		}
		if len(head) > 1 {
			head = append(head, ',')
		}
		head = append(append(append(head, '"'), name...), '"', ':')
		if head, err = s.copy(head); err != nil {
			return head, err
		}
	}
}

// mark goes past a bracket or comma. It reports whether it was, or is followed by, the closing one instead.
func (s *stream) mark(want, closing byte) (end bool, err error) {
	p := &s.projector
	err = s.window.scan(p, func() error {
		c, err := p.next()
		if err != nil {
			return err
		}
		if end = c == closing && want == ','; !end && c != want {
			return p.wrong(map[byte]string{'}': "after object key:value pair", ']': "after array element"}[closing])
		}
		p.at++
		if want == ',' {
			return nil
		}
		if c, err = p.next(); err == nil && c == closing {
			end = true
			p.at++
		}
		return err
	})
	return end, err
}

// copy appends the next value to head.
func (s *stream) copy(head []byte) ([]byte, error) {
	p := &s.projector
	p.depth = 1
	size := len(head)
	err := s.window.scan(p, func() error {
		raw, err := p.raw()
		head = append(head[:size], raw...)
		return err
	})
	if err == nil && Bytes(len(head)) > s.Limits.Object {
		err = s.Limits.objectError()
	}
	return head, err
}

// items reads the items of a list; head has the fields before them.
func (s *stream) items(d *document, head []byte) error {
	d.listed = true
	each := typeMeta{}
	if e, err := s.envelope(append(head[:len(head):len(head)], '}')); err == nil && e.Kind != "" && e.APIVersion != "" {
		each, _ = e.list(true)
	} else {
		d.listing = true
	}
	p := &s.projector
	mark := byte('[')
	for i := 0; ; i++ {
		end, err := s.mark(mark, ']')
		if err != nil || end {
			return err
		}
		mark = ','
		var raw []byte
		p.depth = 2
		if err := s.window.scan(p, func() (err error) { raw, err = p.raw(); return err }); err != nil {
			return err
		}
		if err := s.item(d, i, raw, each); err != nil {
			return err
		}
	}
}
