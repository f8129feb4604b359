package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

// Files reads all named files, "-" being stdin, in order. The first mistake ends it with an *Error that names the file,
// the document and the field, or with the operating system's error. No name at all is no object.
func (r Reader) Files(stdin io.Reader, names ...string) (*Objects, error) {
	objects := &Objects{}
	for _, name := range names {
		data, label, err := load(stdin, name)
		if err != nil {
			return nil, err
		}
		if err := r.Read(objects, label, data); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

func load(stdin io.Reader, name string) (data []byte, label string, err error) {
	if name == Stdin {
		data, err = io.ReadAll(stdin)
		return data, "standard input", err
	}
	data, err = os.ReadFile(name)
	return data, name, err
}

// Read adds the objects in data to objects; file is the name that errors give it. Documents are counted from 1, empty
// ones left out. An object that was read before is dropped when it is the same, and an error when it differs.
func (r Reader) Read(objects *Objects, file string, data []byte) error {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return &Error{File: file, Problem: "is UTF-16, as some shells write it; save it as UTF-8"}
	}
	documents, err := split(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err != nil {
		return &Error{File: file, Problem: oneLine(err)}
	}
	at := place{file: file}
	for _, document := range documents {
		values, err := parse(document)
		if err != nil {
			at.document++
			return at.problem("", oneLine(err))
		}
		for _, value := range values {
			if string(value) == "null" {
				continue
			}
			at.document++
			if err := r.object(objects, at, value, typeMeta{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// split cuts YAML documents apart. A stream of JSON values stays in one piece.
func split(data []byte) ([][]byte, error) {
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	var documents [][]byte
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
}

// parse turns one YAML document, or one or more JSON values, into JSON values.
func parse(document []byte) ([]json.RawMessage, error) {
	if yaml.IsJSONBuffer(document) {
		values, jsonErr := parseJSON(document)
		if jsonErr == nil {
			return values, nil
		}
		if value, err := parseYAML(document); err == nil { // a flow mapping, such as {kind: Pod}
			return []json.RawMessage{value}, nil
		}
		return nil, jsonErr
	}
	value, err := parseYAML(document)
	return []json.RawMessage{value}, err
}

func parseJSON(document []byte) ([]json.RawMessage, error) {
	var values []json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(document))
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			line := 1 + bytes.Count(document[:min(int(decoder.InputOffset()), len(document))], []byte("\n"))
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				line = 1 + bytes.Count(document[:min(int(syntax.Offset), len(document))], []byte("\n"))
			}
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		values = append(values, value)
	}
}

func parseYAML(document []byte) (json.RawMessage, error) {
	var value any
	if err := yaml.UnmarshalStrict(document, &value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// oneLine makes a parser's message fit a line, without the names of the libraries that it passed through.
func oneLine(err error) string {
	words := strings.Join(strings.Fields(err.Error()), " ")
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors: "} {
		words = strings.TrimPrefix(words, prefix)
	}
	return words
}
