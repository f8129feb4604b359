package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// byLibrary is what the library reads in a text.
func byLibrary(t testing.TB, text []byte) (any, error) {
	t.Helper()
	var value any
	if err := yaml.UnmarshalStrict(text, &value); err != nil {
		return nil, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, data), nil
}

func decoded(t testing.TB, data []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		t.Fatalf("%s is no JSON: %v", data, err)
	}
	return value
}

// agree fails if a text is read otherwise than by the library. It reports whether it was read.
func agree(t testing.TB, text []byte) bool {
	t.Helper()
	y := blockText{text: bytes.Clone(text), limits: DefaultLimits}
	if y.convert() != nil {
		return false
	}
	want, err := byLibrary(t, text)
	if err != nil {
		t.Fatalf("%q: the library says %v, and we read %s", text, err, y.out)
	}
	if got := decoded(t, y.out); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q:\n got %v\nwant %v", text, got, want)
	}
	return true
}

// TestBlockText reads each form that kubectl and people write.
func TestBlockText(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"a: b", `{"a":"b"}`},
		{"a:\n  b: c\n  d:\n  - e\n  - f: 1\n    g: 2\nh:\n", `{"a":{"b":"c","d":["e",{"f":1,"g":2}]},"h":null}`},
		{"  a: 1\n  b: 2\n", `{"a":1,"b":2}`},
		{"- - a\n  - b\n-\n  - c\n- d: e\n", `[["a","b"],["c"],{"d":"e"}]`},
		{"a: true\nb: null\nc: ~\nd: -5\ne: 0\nf: 500m\ng: 10.0.0.1\nh: 2Gi\n", `{"a":true,"b":null,"c":null,"d":-5,"e":0,"f":"500m","g":"10.0.0.1","h":"2Gi"}`},
		{"a: \"b\\n\\\"c\\\"\"\n'd': 'it''s \"x\" \\'\n", `{"a":"b\n\"c\"","d":"it's \"x\" \\"}`},
		{"a: {b: [1, x, \"y\"], c: {}, d: []} # flow\n", `{"a":{"b":[1,"x","y"],"c":{},"d":[]}}`},
		{"# c\na: b # c\n\n# c\nc: d#e\n", `{"a":"b","c":"d#e"}`},
		{"a: |\n  x\n    y\n\n  z\nb: |-\n  x\nc: |+\n  x\n\nd: 1\n", `{"a":"x\n  y\n\nz\n","b":"x","c":"x\n\n","d":1}`},
		{"a: &x {b: 1}\nc: *x\nd: &y\n  e: f\ng: [*y, *x]\n", `{"a":{"b":1},"c":{"b":1},"d":{"e":"f"},"g":[{"e":"f"},{"b":1}]}`},
		{"plain\n", `"plain"`},
		{"", `null`},
	} {
		y := blockText{text: []byte(row.text), limits: DefaultLimits}
		if err := y.convert(); err != nil || string(y.out) != row.want {
			t.Errorf("%q: got %s (%v), want %s", row.text, y.out, err, row.want)
		}
		agree(t, []byte(row.text))
	}
}

// TestBlockTextUnread leaves to the library what could be read in another way.
func TestBlockTextUnread(t *testing.T) {
	for _, text := range []string{
		"a: yes", "a: 0x10", "a: 1.5", "a: 1_000", "a: 2026-11-20", "a: .5", "a: 0777", "a: 12345678901234567890", "y: 1", "1: a", "true: 1",
		"a: b\n  c", "a: \"b\n  c\"", "a: >\n  b", "a: |2\n   b", "a: !!str 1", "? a\n: b", "a: <<", "<<: {a: 1}", "a: b: c", "a: - b",
		"a: 1\na: 2", "a: *none", "a: {b: c,\n d: e}", "a: {\"b\":1}", "a: [b:c]", "a:\tb", "a: b\r\n", "a: \x1b", "a: ü", "a: \"\\x1b\"", "a: @b", "a: %b",
		"a: b\n c: d", "- a\nb: c", "a: |\n  b", "a: '", "a: [", "{", "&x a: b", "- &x a: b\n- *x", "a: |\n\nb: c\n", "%YAML 1.1\n", "a: 'b'c",
	} {
		y := blockText{text: []byte(text), limits: DefaultLimits}
		if err := y.convert(); !errors.Is(err, errUnread) {
			t.Errorf("%q is read as %s (%v)", text, y.out, err)
		}
	}
}

// TestBlockTextReadsManifests: of what kubectl prints, next to nothing is left to the library.
func TestBlockTextReadsManifests(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/manifests/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests (%v)", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, document := range bytes.Split(data, []byte("\n---\n")) {
			if !agree(t, append(document, '\n')) {
				t.Errorf("%s: document %d is not read", file, i+1)
			}
		}
	}
}

func FuzzBlockText(f *testing.F) {
	for _, text := range []string{
		"a: b\nc:\n- d\n- e: 1\n  f: |\n    x\n     y\n\n", "a: {b: [c, 'd', \"e\\n\"], f: {}}", "- &x a\n- *x\n- - b\n", "a: 0x1p2 # c\n'b': 1e5\n\"c\": 0o7",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { agree(t, text) })
}
