package manifest

import (
	"bytes"
	"strings"
)

// inline reads a value that begins on this line. column is that of what it belongs to.
func (y *blockText) inline(column int) error {
	if y.text[y.at] == '|' {
		return y.literal(column)
	}
	if err := y.flow(false); err != nil {
		return err
	}
	if !y.ended() {
		return errUnread
	}
	return nil
}

// flow reads a value on one line; inside says that a bracket is around it.
func (y *blockText) flow(inside bool) error {
	switch c := y.text[y.at]; c {
	case '{', '[':
		return y.brackets(c)
	case '"':
		return y.doubleQuoted()
	case '\'':
		return y.singleQuoted()
	case '*':
		return y.alias()
	}
	return y.plain(inside)
}

// brackets reads a list or mapping in flow style.
func (y *blockText) brackets(open byte) error {
	y.depth++
	defer func() { y.depth-- }()
	if y.depth > y.limits.Depth {
		return y.limits.depthError()
	}
	closing := open + 2 // in ASCII, of both
	keys := keySet{}
	y.at++
	y.out = append(y.out, open)
	for first := true; ; first = false {
		y.blanks()
		if y.text[y.at] == closing && first {
			break
		}
		if !first {
			y.out = append(y.out, ',')
		}
		if open == '{' {
			key, err := y.key()
			if err != nil || y.text[y.at] != ' ' || string(key) == "<<" || !keys.add(key) {
				return errUnread
			}
			y.out = append(append(append(y.out, '"'), key...), '"', ':')
			y.blanks()
		}
		if err := y.flow(true); err != nil {
			return err
		}
		y.blanks()
		if y.text[y.at] == closing {
			break
		}
		if y.text[y.at] != ',' {
			return errUnread
		}
		y.at++
	}
	y.at++
	y.out = append(y.out, closing)
	return nil
}

func (y *blockText) blanks() {
	for y.text[y.at] == ' ' {
		y.at++
	}
}

// alias copies what has a name.
func (y *blockText) alias() error {
	y.at++
	node, ok := y.anchors[y.name()]
	if !ok || strings.IndexByte(" \n,]}", y.text[y.at]) < 0 {
		return errUnread
	}
	if y.out = append(y.out, node...); Bytes(len(y.out)) > y.limits.Object {
		return y.limits.objectError()
	}
	return nil
}

// doubleQuoted reads a string with escapes, on one line.
func (y *blockText) doubleQuoted() error {
	y.out = append(y.out, '"')
	for y.at++; ; y.at++ {
		switch c := y.text[y.at]; c {
		case '"':
			y.at++
			y.out = append(y.out, '"')
			return nil
		case '\n':
			return errUnread
		case '\\':
			y.at++
			if strings.IndexByte(`"\/bfnrt`, y.text[y.at]) < 0 {
				return errUnread
			}
			y.out = append(y.out, c, y.text[y.at])
		default:
			y.out = append(y.out, c)
		}
	}
}

// singleQuoted reads a string in which two quotes are one, on one line.
func (y *blockText) singleQuoted() error {
	y.out = append(y.out, '"')
	for y.at++; ; y.at++ {
		c := y.text[y.at]
		if c == '\n' {
			return errUnread
		}
		if c == '\'' {
			if y.at++; y.text[y.at] != '\'' {
				y.out = append(y.out, '"')
				return nil
			}
		}
		y.character(c)
	}
}

// character adds one of a string.
func (y *blockText) character(c byte) {
	switch c {
	case '"', '\\':
		y.out = append(y.out, '\\', c)
	case '\n':
		y.out = append(y.out, `\n`...)
	default:
		y.out = append(y.out, c)
	}
}

// literal reads the lines behind "|", which are indented more than column.
func (y *blockText) literal(column int) error {
	chomp := y.text[y.at+1]
	if y.at++; chomp == '-' || chomp == '+' {
		y.at++
	}
	if y.text[y.at] != '\n' {
		return errUnread
	}
	y.at++
	indent, feeds := -1, 0
	y.out = append(y.out, '"')
	for y.at < len(y.text) {
		end := y.at + bytes.IndexByte(y.text[y.at:], '\n')
		line := y.text[y.at:end]
		blanks := len(line) - len(bytes.TrimLeft(line, " "))
		if blanks == len(line) && (indent < 0 || blanks <= indent) {
			if indent < 0 && blanks > 0 {
				return errUnread
			}
			feeds++
			y.at = end + 1
			continue
		}
		if indent < 0 {
			indent = blanks
		}
		if blanks < indent || blanks <= column {
			if blanks > column {
				return errUnread
			}
			break
		}
		for range feeds {
			y.character('\n')
		}
		for _, c := range line[indent:] {
			y.character(c)
		}
		feeds = 1
		y.at = end + 1
	}
	if indent <= column {
		return errUnread // nothing but blank lines
	}
	if chomp == '-' {
		feeds = 0
	} else if chomp != '+' {
		feeds = min(feeds, 1)
	}
	for range feeds {
		y.character('\n')
	}
	y.out = append(y.out, '"')
	return nil
}

// plain reads a value without quotes, on one line.
func (y *blockText) plain(inside bool) error {
	start := y.at
	for {
		c := y.text[y.at]
		if c == '\n' || inside && (c == ',' || c == '}' || c == ']') {
			break
		}
		if c == '#' && y.text[y.at-1] == ' ' {
			if inside {
				return errUnread
			}
			break
		}
		if c == ':' && (inside || y.text[y.at+1] == ' ' || y.text[y.at+1] == '\n') || inside && strings.IndexByte("{[?&*", c) >= 0 {
			return errUnread
		}
		y.at++
	}
	word := bytes.TrimRight(y.text[start:y.at], " ")
	y.at = start + len(word)
	switch text := string(word); {
	case text == "true" || text == "false" || text == "null" || isInteger(word):
		y.out = append(y.out, word...)
	case text == "~":
		y.out = append(y.out, "null"...)
	case isString(word):
		y.out = append(y.out, '"')
		for _, c := range word {
			y.character(c)
		}
		y.out = append(y.out, '"')
	default:
		return errUnread
	}
	return nil
}

// isInteger reports whether a word is a whole number in its shortest form, and within 64 bits.
func isInteger(word []byte) bool {
	digits := bytes.TrimPrefix(word, []byte("-"))
	return len(digits) > 0 && len(digits) <= 18 && bytes.Trim(digits, "0123456789") == nil && (digits[0] != '0' || len(word) == 1)
}

// isString reports whether a word without quotes is a string for certain. YAML has many ways to write something else.
func isString(word []byte) bool {
	if len(word) == 0 {
		return false
	}
	switch c := word[0]; {
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		if len(word) > 5 {
			return true
		}
		switch strings.ToLower(string(word)) {
		case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
			return false
		}
		return true
	case c == '/' || c == '_':
		return true
	case '0' <= c && c <= '9':
		// A number has no letters but in exponents, and behind a zero that begins it, and one dot, dash or colon at most.
		letters := "abcdfghijklmnopqrstuvwxyzABCDFGHIJKLMNOPQRSTUVWXYZ/"
		if c == '0' {
			letters = "ghijklmnpqrstuvwyzGHIJKLMNPQRSTUVWYZ/"
		}
		return bytes.ContainsAny(word, letters) || bytes.Count(word, []byte(".")) >= 2 || bytes.Contains(word, []byte("::")) ||
			bytes.Count(word, []byte("-")) == 4
	}
	return false
}
