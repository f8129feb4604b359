package manifest

import (
	"bytes"
	"errors"
	"fmt"
)

// errMore says that the text ends before the value does, and that there may be more of it.
var errMore = errors.New("more to read")

// syntaxError is a mistake in JSON.
type syntaxError struct {
	at      int // position in the text
	problem string
}

func (e *syntaxError) Error() string { return e.problem }

// scanner goes through JSON and checks that it is some. It keeps nothing.
type scanner struct {
	text   []byte
	at     int
	whole  bool // nothing follows the text
	depth  int  // lists and mappings around
	limits Limits
}

// next skips white space and returns the character behind it.
func (s *scanner) next() (byte, error) {
	for s.at < len(s.text) {
		c := s.text[s.at]
		if c > ' ' {
			return c, nil
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, nil
		}
		s.at++
	}
	return 0, s.ended()
}

func (s *scanner) ended() error {
	if s.whole {
		return &syntaxError{len(s.text), "unexpected EOF"}
	}
	return errMore
}

func (s *scanner) wrong(context string) error {
	return &syntaxError{s.at, fmt.Sprintf("invalid character %q %s", s.text[s.at], context)}
}

// expect skips white space and one character.
func (s *scanner) expect(want byte, context string) error {
	c, err := s.next()
	if err == nil && c != want {
		err = s.wrong(context)
	}
	s.at++
	return err
}

// value skips a value.
func (s *scanner) value() error {
	c, err := s.next()
	if err != nil {
		return err
	}
	switch c {
	case '{':
		return s.object(func([]byte) error { return s.value() })
	case '[':
		return s.array(func(int) error { return s.value() })
	case '"':
		_, err := s.quoted()
		return err
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

// raw skips a value and returns its text.
func (s *scanner) raw() ([]byte, error) {
	if _, err := s.next(); err != nil {
		return nil, err
	}
	start := s.at
	err := s.value()
	return s.text[start:min(s.at, len(s.text))], err
}

// object goes through a mapping. each gets a key's text as it is between the quotes, and must go through the value.
func (s *scanner) object(each func(key []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	c, err := s.next()
	if err == nil && c == '}' {
		return s.leave()
	}
	for {
		key, err := s.key()
		if err != nil {
			return err
		}
		if err := each(key); err != nil {
			return err
		}
		c, err := s.next()
		if err != nil {
			return err
		}
		if c == '}' {
			return s.leave()
		}
		if c != ',' {
			return s.wrong("after object key:value pair")
		}
		s.at++
	}
}

// key goes through a key and its colon.
func (s *scanner) key() ([]byte, error) {
	c, err := s.next()
	if err != nil {
		return nil, err
	}
	if c != '"' {
		return nil, s.wrong("looking for beginning of object key string")
	}
	key, err := s.quoted()
	if err != nil {
		return nil, err
	}
	return key, s.expect(':', "after object key")
}

// array goes through a list. each gets the index, and must go through the value.
func (s *scanner) array(each func(i int) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	c, err := s.next()
	if err == nil && c == ']' {
		return s.leave()
	}
	for i := 0; ; i++ {
		if err := each(i); err != nil {
			return err
		}
		c, err := s.next()
		if err != nil {
			return err
		}
		if c == ']' {
			return s.leave()
		}
		if c != ',' {
			return s.wrong("after array element")
		}
		s.at++
	}
}

// enter goes past an opening bracket.
func (s *scanner) enter() error {
	s.at++
	s.depth++
	if s.depth > s.limits.Depth {
		return s.limits.depthError()
	}
	return nil
}

// leave goes past a closing bracket.
func (s *scanner) leave() error {
	s.at++
	s.depth--
	return nil
}

// quoted goes through a string and returns its text as it is between the quotes.
func (s *scanner) quoted() ([]byte, error) {
	start := s.at + 1
	for at := start; ; at++ {
		n := bytes.IndexByte(s.text[at:], '"')
		if n < 0 {
			if err := s.characters(start, len(s.text)); err != nil {
				return nil, err
			}
			return nil, s.ended()
		}
		at += n
		if !escaped(s.text[start:at]) {
			s.at = at + 1
			return s.text[start:at], s.characters(start, at)
		}
	}
}

// escaped reports whether text ends in an odd number of backslashes.
func escaped(text []byte) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}

// characters checks a string's text: no control characters, and escapes that exist.
func (s *scanner) characters(from, to int) error {
	for at := from; at < to; at++ {
		switch c := s.text[at]; {
		case c < ' ':
			s.at = at
			return s.wrong("in string literal")
		case c == '\\':
			if at++; at == to {
				return nil // the text ends here
			}
			if bytes.IndexByte([]byte(`"\/bfnrtu`), s.text[at]) < 0 {
				s.at = at
				return s.wrong("in string escape code")
			}
			if s.text[at] == 'u' {
				for end := at + 4; at < end; {
					if at++; at == len(s.text) {
						return nil
					}
					if bytes.IndexByte([]byte("0123456789abcdefABCDEF"), s.text[at]) < 0 {
						s.at = at
						return s.wrong(`in \u hexadecimal character escape`)
					}
				}
			}
		}
	}
	return nil
}

// word goes through true, false or null.
func (s *scanner) word(word string) error {
	for i := range len(word) {
		if s.at == len(s.text) {
			return s.ended()
		}
		if s.text[s.at] != word[i] {
			return s.wrong(fmt.Sprintf("in literal %s (expecting %q)", word, word[i]))
		}
		s.at++
	}
	return nil
}

// number goes through a number, as RFC 8259 has it.
func (s *scanner) number() error {
	start := s.at
	for s.at < len(s.text) && bytes.IndexByte([]byte("+-.0123456789eE"), s.text[s.at]) >= 0 {
		s.at++
	}
	if s.at == len(s.text) && !s.whole {
		return errMore
	}
	if !isNumber(s.text[start:s.at]) {
		s.at = start
		return s.wrong("looking for beginning of value")
	}
	return nil
}

// isNumber says whether a text is a number in JSON.
func isNumber(text []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && '0' <= text[n] && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	if len(text) > 0 && text[0] == '0' {
		text = text[1:]
	} else if !digits() {
		return false
	}
	if len(text) > 0 && text[0] == '.' {
		if text = text[1:]; !digits() {
			return false
		}
	}
	if len(text) > 0 && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(text) == 0
}
