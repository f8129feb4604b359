package manifest

import (
	"errors"
	"reflect"
	"strconv"
)

// errStrange says that a value is not as its schema has it. What is wrong with it is for a slower reader to say.
var errStrange = errors.New("not as the type has it")

// projector goes through an object and checks everything in it as a strict decoder would: fields that do not exist, fields
// that are there twice, values of another type. It copies what is needed.
type projector struct {
	scanner
	lenient bool
	out     []byte
	fits    map[string]bool // values that types read by themselves, such as times and quantities, by type and text
}

// mostFits bounds the memory for values that are known.
const mostFits = 1 << 14

// project checks a value, and copies it if it is needed.
func (p *projector) project(s *schema, k keep) error {
	c, err := p.next()
	if err != nil {
		return err
	}
	start := p.at
	switch {
	case c == 'n':
		err = p.word("null")
	case k == parts && s.kind == reflect.Struct && c == '{':
		return p.members(s, k)
	case k == parts && s.kind == reflect.Slice && c == '[':
		return p.items(s, k)
	default:
		err = p.check(s, c)
	}
	if err == nil && k != drop {
		p.out = append(p.out, p.text[start:p.at]...)
	}
	return err
}

// check goes through a value that is copied whole or not at all.
func (p *projector) check(s *schema, c byte) error {
	start := p.at
	switch s.kind {
	case reflect.Struct:
		if c == '{' {
			return p.members(s, drop)
		}
	case reflect.Slice:
		if c == '[' {
			return p.items(s, drop)
		}
	case reflect.Map:
		if c == '{' {
			return p.entries(s)
		}
	case reflect.String:
		if c == '"' {
			_, err := p.quoted()
			return err
		}
	case reflect.Bool:
		if c == 't' {
			return p.word("true")
		}
		if c == 'f' {
			return p.word("false")
		}
	case reflect.Interface:
		return p.value()
	case reflect.Invalid:
		if err := p.value(); err != nil || p.known(s, p.text[start:p.at]) {
			return err
		}
	default:
		if err := p.value(); err != nil || number(s.t, p.text[start:p.at]) {
			return err
		}
	}
	return errStrange
}

// members goes through a struct. Where nothing of it is copied, its fields are not either.
func (p *projector) members(s *schema, k keep) error {
	var seen [8]uint64
	first := true
	if k == parts {
		p.out = append(p.out, '{')
	}
	err := p.object(func(key []byte) error {
		m := s.fields[string(key)]
		if m == nil {
			if p.lenient && !hasEscape(key) {
				return p.value()
			}
			return errStrange
		}
		if bit := uint64(1) << (m.number % 64); m.number/64 >= len(seen) || seen[m.number/64]&bit != 0 {
			return errStrange
		} else {
			seen[m.number/64] |= bit
		}
		if k != parts || m.keep == drop {
			return p.project(m.schema, drop)
		}
		if !first {
			p.out = append(p.out, ',')
		}
		first = false
		p.out = append(append(append(p.out, '"'), key...), '"', ':')
		return p.project(m.schema, m.keep)
	})
	if k == parts {
		p.out = append(p.out, '}')
	}
	return err
}

// items goes through a list.
func (p *projector) items(s *schema, k keep) error {
	if k == parts {
		p.out = append(p.out, '[')
	}
	err := p.array(func(i int) error {
		if k == parts && i > 0 {
			p.out = append(p.out, ',')
		}
		return p.project(s.item, k)
	})
	if k == parts {
		p.out = append(p.out, ']')
	}
	return err
}

// entries goes through a map. A decoder would take the last of two equal keys in silence.
func (p *projector) entries(s *schema) error {
	var few [16]string
	seen, many := few[:0], map[string]bool(nil)
	return p.object(func(key []byte) error {
		if hasEscape(key) {
			return errStrange
		}
		for _, k := range seen {
			if k == string(key) {
				return errStrange
			}
		}
		switch {
		case many[string(key)]:
			return errStrange
		case len(seen) < cap(few):
			seen = append(seen, string(key))
		default:
			if many == nil {
				many = map[string]bool{}
			}
			many[string(key)] = true
		}
		return p.project(s.item, drop)
	})
}

func hasEscape(key []byte) bool {
	for _, c := range key {
		if c == '\\' {
			return true
		}
	}
	return false
}

// known reports whether a type can read a value, and remembers those that it can, since they come again and again.
func (p *projector) known(s *schema, raw []byte) bool {
	if len(raw) > 64 {
		return s.fit(raw)
	}
	key := append([]byte(s.t.Name()+" "), raw...)
	if p.fits[string(key)] {
		return true
	}
	if !s.fit(raw) {
		return false
	}
	if p.fits == nil || len(p.fits) == mostFits {
		p.fits = map[string]bool{}
	}
	p.fits[string(key)] = true
	return true
}

// number reports whether raw is a number of the type.
func number(t reflect.Type, raw []byte) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		_, err := strconv.ParseInt(string(raw), 10, t.Bits())
		return err == nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		_, err := strconv.ParseUint(string(raw), 10, t.Bits())
		return err == nil
	case reflect.Float32, reflect.Float64:
		return isNumber(raw)
	}
	return false
}
