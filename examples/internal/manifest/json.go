package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// json reads a JSON object: field by field, and where it is a list, item by item.
func (s *stream) json() error {
	d := &jsonDocument{stream: s, decoder: json.NewDecoder(&s.source), began: s.source.taken, head: []byte("{")}
	err := d.fields()
	rest, _ := io.ReadAll(d.decoder.Buffered())
	s.source.back(rest)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return s.at.problem("", fmt.Sprintf("line %d: %v", s.source.line+linesBefore(rest), err))
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return s.at.problem("", fmt.Sprintf("line %d: %v", s.source.line+bytes.Count(rest, newline), io.ErrUnexpectedEOF))
	case err != nil:
		return err
	}
	return d.close()
}

// linesBefore counts the lines before the mistake in a text that begins with a value or, if the value is right, behind it.
// The decoder's own offset does not count what it has read as tokens.
func linesBefore(text []byte) int {
	var syntax *json.SyntaxError
	end := 1 + len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	if err := json.Unmarshal(text, new(json.RawMessage)); errors.As(err, &syntax) {
		end = int(syntax.Offset)
	}
	return bytes.Count(text[:min(max(end-1, 0), len(text))], newline)
}

// jsonDocument is a JSON object under way.
type jsonDocument struct {
	*stream
	decoder *json.Decoder
	began   int64  // how many bytes the source had given before it
	head    []byte // its fields, without the items of a list
	listed  bool   // its items were read one by one
	each    typeMeta
	buffer  json.RawMessage
}

// fields reads the document, and keeps all of it but the items of a list.
func (d *jsonDocument) fields() error {
	if _, err := d.decoder.Token(); err != nil { // the brace
		return err
	}
	for d.decoder.More() {
		key, err := d.decoder.Token()
		if err != nil {
			return err
		}
		name, err := json.Marshal(key)
		if err != nil {
			return err
		}
		if len(d.head) > 1 {
			d.head = append(d.head, ',')
		}
		d.head = append(append(d.head, name...), ':')
		if key == "items" {
			err = d.items()
		} else if err = d.next(); err == nil {
			d.head = append(d.head, d.buffer...)
		}
		if err == nil && len(d.head) > mostObject {
			err = errLargeObject
		}
		if err != nil {
			return err
		}
	}
	_, err := d.decoder.Token()
	d.head = append(d.head, '}')
	return err
}

// next reads a value into the buffer.
func (d *jsonDocument) next() error {
	if err := d.decoder.Decode(&d.buffer); err != nil {
		return err
	}
	if len(d.buffer) > mostObject {
		return errLargeObject
	}
	d.source.mark = d.began + d.decoder.InputOffset()
	return nil
}

// items reads the items of a list one by one. In the head the list is empty. Items that do not say what they are must come after
// the kind of their list.
func (d *jsonDocument) items() error {
	token, err := d.decoder.Token()
	if err != nil {
		return err
	}
	switch {
	case token == nil:
		d.head = append(d.head, "null"...)
		return nil
	case token != json.Delim('['):
		return d.at.problem("items", "want a list")
	case d.listed:
		return d.at.problem("items", givenTwice)
	}
	d.listed = true
	if e, err := readEnvelope(append(d.head[:len(d.head):len(d.head)], "[]}"...)); err == nil {
		d.each, _ = e.list()
	}
	for i := 0; d.decoder.More(); i++ {
		if err := d.next(); err != nil {
			return err
		}
		if err := d.object(d.at.item(i), d.buffer, d.each); err != nil {
			return err
		}
	}
	d.head = append(d.head, "[]"...)
	_, err = d.decoder.Token()
	return err
}

// close takes over a document of which all is read.
func (d *jsonDocument) close() error {
	if !d.listed {
		return d.object(d.at, d.head, typeMeta{})
	}
	e, err := readEnvelope(d.head)
	if err != nil {
		return d.at.mistyped(err)
	}
	if err := e.typed(d.at); err != nil {
		return err
	}
	if _, ok := e.list(); !ok {
		return d.at.of(e).problem("items", "only a list has items")
	}
	return d.listFields(d.at, d.head)
}
