package commandline

import (
	"bytes"
	"errors"
)

// NotText says what a file is that begins like this and is no text; nil: it may be text.
func NotText(begin []byte) error {
	switch {
	case bytes.HasPrefix(begin, []byte("\x1f\x8b")):
		return errors.New("it is compressed by gzip: unpack it first")
	case bytes.ContainsFunc(begin, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' }):
		return errors.New("it is no text: give YAML, JSON or a trace, as UTF-8")
	}
	return nil
}
