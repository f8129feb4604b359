package manifest

import (
	"bytes"
	"errors"
	"slices"
)

// blockText turns YAML into JSON: YAML as people and kubectl write it, in ASCII, with mappings and lists in block style or
// in flow style on one line, strings that are quoted or not, texts behind "|", anchors and aliases. All else ends it with
// errUnread, and goes to a library that reads all of YAML, in eight times the time and fifty times the memory. Where both
// read a text, they agree; FuzzBlockText compares them.
type blockText struct {
	text   []byte
	at     int
	limits Limits
	depth  int

	out      []byte
	anchors  map[string][]byte // the JSON of nodes that have a name
	merges   bool              // there are merge keys, which are for the library
	measured bool              // the whole text was read, if only to see how large it is
}

// errUnread says that a text is YAML that blockText does not read, or none.
var errUnread = errors.New("not the YAML that is read here")

// convert reads all of the text. On success, out is its JSON.
func (y *blockText) convert() error {
	for _, c := range y.text {
		if c < ' ' && c != '\n' || c > '~' {
			return errUnread
		}
	}
	if len(y.text) > 0 && y.text[len(y.text)-1] != '\n' {
		if bytes.IndexByte(y.text, '|') >= 0 {
			return errUnread // a text's last line feed would be made up
		}
		y.text = append(slices.Clip(y.text), '\n')
	}
	column := y.line()
	if column < 0 {
		y.out = append(y.out, "null"...)
		return nil
	}
	if err := y.block(column); err != nil {
		return err
	}
	if y.line() >= 0 {
		return errUnread
	}
	y.measured = true
	if y.merges {
		return errUnread
	}
	return nil
}

// line goes to the content of the next line that has some and returns its column, -1 at the end. At content, it stays.
func (y *blockText) line() int {
	for y.at < len(y.text) {
		start := bytes.LastIndexByte(y.text[:y.at], '\n') + 1
		for y.at < len(y.text) && y.text[y.at] == ' ' {
			y.at++
		}
		switch y.text[y.at] {
		case '\n':
			y.at++
		case '#':
			y.endLine()
		default:
			return y.at - start
		}
	}
	return -1
}

// endLine goes to the next line's beginning.
func (y *blockText) endLine() { y.at += bytes.IndexByte(y.text[y.at:], '\n') + 1 }

// ended reports whether the line has no more content than a comment, and then goes past it.
func (y *blockText) ended() bool {
	at := y.at
	for y.text[at] == ' ' {
		at++
	}
	if y.text[at] != '\n' && (y.text[at] != '#' || at == y.at) {
		return false
	}
	y.at = at
	y.endLine()
	return true
}

// block reads a mapping, a list or a scalar that begins here, in this column.
func (y *blockText) block(column int) error {
	y.depth++
	defer func() { y.depth-- }()
	switch {
	case y.depth > y.limits.Depth:
		return y.limits.depthError()
	case Bytes(len(y.out)) > y.limits.Object:
		return y.limits.objectError()
	case y.dash():
		return y.list(column)
	case y.isKey():
		return y.mapping(column)
	}
	return y.inline(column - 1)
}

// dash reports whether a list's item begins here.
func (y *blockText) dash() bool {
	return y.text[y.at] == '-' && (y.text[y.at+1] == ' ' || y.text[y.at+1] == '\n')
}

// isKey reports whether a key begins here: a word or a quoted string with a colon behind it.
func (y *blockText) isKey() bool {
	probe := blockText{text: y.text, at: y.at}
	_, err := probe.key()
	return err == nil
}

// key reads a key and its colon and returns the key's text, in which nothing is escaped.
func (y *blockText) key() ([]byte, error) {
	start := y.at
	if quote := y.text[y.at]; quote == '"' || quote == '\'' {
		n := bytes.IndexByte(y.text[start+1:], quote)
		if n < 0 || bytes.ContainsAny(y.text[start+1:start+1+n], "\\\n") || y.text[start+n+2] != ':' {
			return nil, errUnread
		}
		key := y.text[start+1 : start+1+n]
		if bytes.IndexByte(key, '"') >= 0 {
			return nil, errUnread
		}
		y.at += n + 2
		return key, y.colon()
	}
	for y.text[y.at] != ':' {
		if c := y.text[y.at]; !isWord(c) {
			return nil, errUnread
		}
		y.at++
	}
	key := y.text[start:y.at]
	if string(key) != "<<" && !isString(key) {
		return nil, errUnread
	}
	return key, y.colon()
}

// colon goes past a key's colon, which a blank or the line's end follows.
func (y *blockText) colon() error {
	y.at++
	if c := y.text[y.at]; c != ' ' && c != '\n' {
		return errUnread
	}
	return nil
}

// isWord reports whether a key without quotes may have this character.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c == '/' || c == '<'
}

// mapping reads the keys of a column.
func (y *blockText) mapping(column int) error {
	y.out = append(y.out, '{')
	keys := keySet{}
	for first := true; ; first = false {
		key, err := y.key()
		if err != nil {
			return err
		}
		if string(key) == "<<" {
			y.merges = true
		} else if !keys.add(key) {
			return errUnread
		}
		if !first {
			y.out = append(y.out, ',')
		}
		y.out = append(append(append(y.out, '"'), key...), '"', ':')
		if err := y.value(column, true); err != nil {
			return err
		}
		switch next := y.line(); {
		case next < column:
			y.out = append(y.out, '}')
			return nil
		case next > column:
			return errUnread
		}
	}
}

// list reads the items of a column.
func (y *blockText) list(column int) error {
	y.out = append(y.out, '[')
	for first := true; ; first = false {
		if !first {
			y.out = append(y.out, ',')
		}
		y.at++ // the dash
		if err := y.element(column); err != nil {
			return err
		}
		switch next := y.line(); {
		case next < column || next == column && !y.dash():
			y.out = append(y.out, ']')
			return nil
		case next > column:
			return errUnread
		}
	}
}

// element reads what follows a dash: a list or mapping that begins on the same line, or any value.
func (y *blockText) element(column int) error {
	start := bytes.LastIndexByte(y.text[:y.at], '\n') + 1
	at := y.at
	for y.text[at] == ' ' {
		at++
	}
	if y.text[at] != '\n' && y.text[at] != '#' {
		here := *y
		here.at = at
		if here.dash() || here.isKey() {
			y.at = at
			return y.block(at - start)
		}
	}
	return y.value(column, false)
}

// value reads what follows a key or dash in this column, on the line or below.
func (y *blockText) value(column int, ofKey bool) error {
	for y.text[y.at] == ' ' && y.text[y.at+1] == ' ' {
		y.at++
	}
	name := ""
	if bytes.HasPrefix(y.text[y.at:], []byte(" &")) {
		y.at += 2
		if name = y.name(); name == "" || y.text[y.at] != ' ' && y.text[y.at] != '\n' {
			return errUnread
		}
	}
	start := len(y.out)
	err := y.unnamed(column, ofKey)
	if name != "" && err == nil {
		if y.anchors == nil {
			y.anchors = map[string][]byte{}
		}
		y.anchors[name] = slices.Clone(y.out[start:])
	}
	return err
}

// name reads that of an anchor or alias.
func (y *blockText) name() string {
	start := y.at
	for c := y.text[y.at]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'; c = y.text[y.at] {
		y.at++
	}
	return string(y.text[start:y.at])
}

func (y *blockText) unnamed(column int, ofKey bool) error {
	if !y.ended() {
		for y.text[y.at] == ' ' {
			y.at++
		}
		if y.dash() {
			return errUnread
		}
		return y.inline(column)
	}
	switch next := y.line(); {
	case next > column, next == column && ofKey && y.dash():
		return y.block(next)
	}
	y.out = append(y.out, "null"...)
	return nil
}

// keySet are the keys of a mapping.
type keySet struct {
	few  [][]byte
	many map[string]bool
}

// add reports whether a key is new.
func (s *keySet) add(key []byte) bool {
	if s.many == nil {
		for _, k := range s.few {
			if bytes.Equal(k, key) {
				return false
			}
		}
		if s.few = append(s.few, key); len(s.few) < 16 {
			return true
		}
		s.many = map[string]bool{}
		for _, k := range s.few {
			s.many[string(k)] = true
		}
		return true
	}
	if s.many[string(key)] {
		return false
	}
	s.many[string(key)] = true
	return true
}
