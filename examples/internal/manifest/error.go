package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

const (
	unknownField = "unknown field; check its spelling and place (-lenient takes what a newer API server prints)"
	givenTwice   = "given twice; remove one"
)

// place is where reading is.
type place struct {
	file     string
	document int    // from 1; 0 when the file could not be cut into documents
	path     string // inside lists, such as "items[3]"
	object   string // what the object is, such as "Pod default/web-1"
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

// problem is a mistake in a field of the object, or with no field in the object itself: one line that says where it is, what is
// wrong and what would be right.
func (p place) problem(field, problem string) error {
	if p.path != "" {
		field = strings.TrimSuffix(p.path+"."+field, ".")
	}
	return errors.New(words(p.inFile(), p.object, field, problem))
}

func (p place) String() string { return words(p.inFile(), p.path) }

// inFile is the file and the document, if the file could be cut into documents.
func (p place) inFile() string {
	if p.document == 0 {
		return p.file
	}
	return fmt.Sprintf("%s: document %d", p.file, p.document)
}

// words joins those that are not empty.
func words(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(word string) bool { return word == "" }), ": ")
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
	line := strings.Join(strings.Fields(err.Error()), " ")
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors: "} {
		line = strings.TrimPrefix(line, prefix)
	}
	return line
}
