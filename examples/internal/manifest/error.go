package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Error is a mistake in a file. Its text is one line.
type Error struct {
	File     string
	Document int    // from 1; 0 when the file could not be cut into documents
	Object   string // what the document or list item is, such as "Pod default/web-1"; may be empty
	Field    string // path from the object, such as "spec.ports[0].port", or from the list, "items[3]"; may be empty
	Problem  string // what is wrong and what would be right
}

// Error gives file, document, object, field and problem, those that are known, in this order.
func (e *Error) Error() string {
	parts := []string{e.File}
	if e.Document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", e.Document))
	}
	for _, part := range []string{e.Object, e.Field} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(append(parts, e.Problem), ": ")
}

const (
	unknownField = "unknown field; check its spelling and place (-lenient takes what a newer API server prints)"
	givenTwice   = "given twice; remove one"
)

// place is where reading is.
type place struct {
	file     string
	document int
	path     string // inside lists, such as "items[3]"
	object   string // what the object is
}

func (p place) item(i int) place {
	p.path = strings.TrimPrefix(fmt.Sprintf("%s.items[%d]", p.path, i), ".")
	return p
}

func (p place) of(e envelope) place {
	name := e.Metadata.Name
	if e.Metadata.Namespace != "" {
		name = e.Metadata.Namespace + "/" + name
	}
	p.object = strings.TrimSpace(e.Kind + " " + name)
	return p
}

func (p place) problem(path, problem string) error {
	if p.path != "" {
		path = strings.TrimSuffix(p.path+"."+path, ".")
	}
	return &Error{File: p.file, Document: p.document, Object: p.object, Field: path, Problem: problem}
}

func (p place) String() string {
	if p.path != "" {
		return fmt.Sprintf("%s: document %d: %s", p.file, p.document, p.path)
	}
	return fmt.Sprintf("%s: document %d", p.file, p.document)
}

// strictProblem words what the strict decoder calls `unknown field "spec.prots"`.
func (p place) strictProblem(err error) error {
	var field interface{ FieldPath() string }
	if !errors.As(err, &field) {
		return p.problem("", oneLine(err))
	}
	path := field.FieldPath()
	switch what := strings.TrimSuffix(err.Error(), fmt.Sprintf(" %q", path)); what {
	case "unknown field":
		return p.problem(path, unknownField)
	case "duplicate field":
		return p.problem(path, givenTwice)
	default:
		return p.problem(path, what)
	}
}

// mistyped words a value of the wrong type, of which the decoder says the field and the types.
func (p place) mistyped(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return p.problem("", oneLine(err))
	}
	want := wrong.Type.String()
	switch wrong.Type.Kind() {
	case reflect.Slice:
		want = "a list"
	case reflect.Struct, reflect.Map:
		want = "an object"
	}
	if wrong.Type == reflect.TypeFor[envelope]() {
		want = "an object with apiVersion and kind"
	}
	return p.problem(wrong.Field, fmt.Sprintf("want %s, got %s", want, wrong.Value))
}

// oneLine makes a parser's message fit a line, without the names of the libraries that it passed through.
func oneLine(err error) string {
	words := strings.Join(strings.Fields(err.Error()), " ")
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors: "} {
		words = strings.TrimPrefix(words, prefix)
	}
	return words
}
