package manifest

import (
	"bytes"
	"encoding/json"
	"iter"
)

// The functions below take valid JSON apart without a copy. Their results share memory with it.

const blanks = " \t\r\n"

// end returns where the JSON value ends with which text begins, after blanks. In text that is not
// valid, it returns some place from which the JSON package finds the mistake.
func end(text []byte) int {
	i := len(text) - len(bytes.TrimLeft(text, blanks))
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = quoted(text, i); depth == 0 {
				return min(i+1, len(text))
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// quoted returns where the string ends whose opening quote is at i.
func quoted(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// next cuts off the first of the values that commas or a colon separate, without blanks around it.
func next(text []byte) (value, rest []byte) {
	text = bytes.TrimLeft(text, blanks+",:")
	n := end(text)
	return text[:n], text[n:]
}

// offset returns where a part of a text begins. The part shares the memory of the text, to its end.
func offset(text, part []byte) int { return cap(text) - cap(part) }

// items returns the values of an array; none for another value.
func items(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if len(array) == 0 || array[0] != '[' {
			return
		}
		for rest := array[1 : len(array)-1]; ; {
			var value []byte
			if value, rest = next(rest); len(value) == 0 || !yield(value) {
				return
			}
		}
	}
}

// members returns the keys and values of an object in their order; none for another value.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if len(object) == 0 || object[0] != '{' {
			return
		}
		for rest := object[1 : len(object)-1]; ; {
			var key, value []byte
			if key, rest = next(rest); len(key) == 0 {
				return
			}
			if value, rest = next(rest); !yield(text(key), value) {
				return
			}
		}
	}
}

// text is what a JSON string says; empty for another value.
func text(value []byte) (s string) {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	if inner := value[1 : len(value)-1]; !bytes.ContainsRune(inner, '\\') {
		return string(inner)
	}
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}
