package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

// listed gives what was read, as kind and name, for comparison.
func listed(o *Objects) string {
	var all []string
	for _, s := range o.Services {
		all = append(all, "service "+s.Namespace+"/"+s.Name)
	}
	for _, p := range o.Pods {
		all = append(all, "pod "+p.Namespace+"/"+p.Name)
	}
	for _, n := range o.Nodes {
		all = append(all, "node "+n.Name)
	}
	for _, s := range o.EndpointSlices {
		all = append(all, "slice "+s.Namespace+"/"+s.Name)
	}
	for _, e := range o.Endpoints {
		all = append(all, "endpoints "+e.Namespace+"/"+e.Name)
	}
	if o.Others > 0 {
		all = append(all, fmt.Sprintf("%d other, first %s", o.Others, o.FirstOther))
	}
	return strings.Join(all, ", ")
}

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: shop}\n"

func TestRead(t *testing.T) {
	for _, c := range []struct{ why, in, want string }{
		{"an empty file is no mistake", "", ""},
		{"kubectl takes a missing namespace as default", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n",
			"service default/web"},
		{"a Node has no namespace to default", "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n", "node n1"},
		{"several documents", "---\n" + pod + "---\n" + strings.Replace(pod, "name: a", "name: b", 1), "pod shop/a, pod shop/b"},
		{"Windows line ends", strings.ReplaceAll(pod, "\n", "\r\n"), "pod shop/a"},
		{"a byte order mark", "\ufeff" + pod, "pod shop/a"},
		{"kubectl get of several kinds prints kind List",
			"apiVersion: v1\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}}\n" +
				"- {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, endpoints: [], ports: " +
				"[], metadata: {name: s, namespace: shop}}\n" +
				"kind: List\nmetadata: {resourceVersion: \"\"}\n",
			"pod shop/a, slice shop/s"},
		{"items of a typed list, as the API server prints them, have no kind of their own",
			`{"kind":"EndpointSliceList","apiVersion":"discovery.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"s","namespace":"shop"},"addressType":"IPv4","endpoints":null,"ports":null}]}`,
			"slice shop/s"},
		{"items that refer to each other", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: &m {name: n1}}\n- {apiVersion: v1, kind: Node, metadata: *m}\n", "node n1"},
		{"an empty list", "apiVersion: v1\nkind: List\nitems: []\n", ""},
		{"a nil list, as Go prints it", `{"kind":"PodList","apiVersion":"v1","items":null}`, ""},
		{"JSON values one after the other", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}` + "\n" +
			`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n2"}}`, "node n1, node n2"},
		{"JSON among YAML documents", pod + "---\n" + `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}`,
			"pod shop/a, node n1"},
		{"a YAML flow mapping looks like JSON at first", "{apiVersion: v1, kind: Node, metadata: {name: n1}}", "node n1"},
		{"other kinds are kept aside, unread",
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {nonsense: 1}\n",
			"1 other, first apps/v1 Deployment"},
		{"a list of other kinds is kept aside item by item",
			"apiVersion: apps/v1\nkind: DeploymentList\nitems: [{metadata: {name: web}}, {metadata: {name: db}}]\n",
			"2 other, first apps/v1 Deployment"},
		{"the same object twice is one", pod + "---\n" + pod, "pod shop/a"},
		{"the same object printed twice, with managed fields in other white space",
			`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","managedFields":[{"manager":"a","fieldsV1":{"f:x":{}}}]}}` +
				`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","managedFields":[{"manager":"a","fieldsV1":{ "f:x": {} }}]}}`, "node n1"},
	} {
		var objects Objects
		if err := (Reader{}).read("in.yaml", []byte(c.in), objects.add); err != nil {
			t.Errorf("%s: %v", c.why, err)
		} else if got := listed(&objects); got != c.want {
			t.Errorf("%s: got %q, want %q", c.why, got, c.want)
		}
	}
}

func problem(text string) string {
	if err := (Reader{}).read("in", []byte(text), (&Objects{}).add); err != nil {
		return strings.TrimPrefix(err.Error(), "in: ")
	}
	return "no error"
}

// TestNotText: the answer to a file that is not text says what it is. Other mistakes are in
// testdata/plan/reading.txt.
func TestNotText(t *testing.T) {
	for in, want := range map[string]string{
		"\x1f\x8b\x08":  "is compressed by gzip; unpack it first",
		"kind: \x01":    "is not text; give YAML or JSON, as UTF-8",
		"\xff\xfek\x00": "is UTF-16, as some shells write it; save it as UTF-8",
	} {
		if got := problem(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

// TestLine: a mistake is on its line of the file, wherever the document or the item begins.
func TestLine(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
	const items = "# comment\n---\n---\napiVersion: v1\nitems:\n# comment\n- apiVersion: v1\n  kind: Node\n  " +
		"metadata:\n    name: n1\n"
	for _, row := range []struct{ text, want string }{
		{node + "---\n# comment\n\n" + node + "kind: Pod\n", `line 10: key "kind": given twice; remove one`},
		{"a:\n  b: 1\n c: 2\n", "line 3: this does not fit what is above it; check the indentation and the quotes"},
		{"a: {\n  b: 1\nc: 2\n", "line 2: no } or comma where one must be; close the object that begins with {"},
		{"a: [b\n\n", "line 1: no ] or comma where one must be; close the list that begins with ["},
		{"kind: 'Node\n", "line 1: a text in quotes has no end; add the quote"},
		{"a: b\nc: \"d\ne: f\n", "line 2: a text in quotes has no end; add the quote"},
		{"a: b\n\tc: d\n", "line 2: a tab before the text; indent with blanks"},
		{"a: b: c\n", "line 1: a colon where no key can be; put the value in quotes, or check the indentation"},
		{"a: b\nc: @d\n", "line 2: a value cannot begin with this character; put it in quotes"},
		{"a: b\nc\nd: e\n", "line 2: a key without a colon; add it, or put the text in quotes"},
		{"a: b\n{c: d}: e\n", "line 2: a list or an object as a key; put the key in quotes"},
		{"a: b\nc: *d\n", "line 2: unknown anchor 'd' referenced; correct it"},
		{"a: [}\n", "line 1: no value where one must be; add it, or remove a bracket"},
		{"a: b\n%c", "line 2: a value cannot begin with this character; put it in quotes"},
		{items + "- apiVersion: v1\n  apiVersion: v1\nkind: List\n", `line 12: key "apiVersion": given twice; remove one`},
		{items + "- apiVersion: v1\n  kind: Node\n  metadata: {nmae: a}\nkind: List\n", "line 11: Node: items[1].metadata.nmae: " + unknownField},
		{items + "kind: List\nkind: List\n", `line 12: key "kind": given twice; remove one`},
		{items + "kind: List\nitems: []\n", "line 4: items: given twice; remove one"},
		{strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, 9) + strings.Repeat("]}", 9),
			"line 1: " + strings.TrimSuffix(strings.Repeat("items[0].", 8), ".") + ": more than 8 lists inside each other; give the innermost alone"},
		{items, "line 4: kind: missing; give each object an apiVersion and a kind"},
		{"\n\n{\"kind\":\n\"Node\"\n\"metadata\": 1}", "line 5: invalid character '\"' after object key:value pair; correct it, or get the object as JSON again"},
		{"{\"a\":\n\n{\"b\"\n\n", "line 3: the last JSON object has no end; remove it, or get it again"},
		{"\n{\"items\":\n[{\"kind\":\"Node\",\n\"apiVersion\": \"v1\", \"metadata\": {\"name\": " +
			"\"a\"}},\n\n{\"kind\": \"Pod\"}],\"kind\":\"List\",\"apiVersion\":\"v1\"}",
			"line 6: items[1].apiVersion: missing; give each object an apiVersion and a kind"},
	} {
		if got := problem(row.text); got != row.want {
			t.Errorf("%s\n--- got\n%s\n--- want\n%s", row.text, got, row.want)
		}
	}
}

// entries lists what a text has, with the places.
func entries(read func(visit func(Entry) error) error) (string, error) {
	var all strings.Builder
	err := read(func(e Entry) error {
		object, err := json.Marshal(e.Object)
		fmt.Fprintf(&all, "%s %v %s %s %s\n", e.At, e.List, e.Event, e.Other, object)
		return err
	})
	return all.String(), err
}

// TestCut: a list in block style is read item by item as it is read as a whole.
func TestCut(t *testing.T) {
	item := "apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a%d\n    annotations:\n      text: |\n        - " +
		"b\n\n        items:\n        - c\n"
	for _, row := range []struct{ begin, before, after string }{
		{"apiVersion: v1\nkind: List\nitems:\n", "", ""},
		{"apiVersion: v1\nitems: # comment\n# comment\n\n", "", "kind: List\nmetadata:\n  resourceVersion: \"\"\n"},
		{"kind: PodList\r\napiVersion: v1\r\nitems:\r\n", "    ", "# comment\n"},
		{"kind: Odd\napiVersion: v1\nitems:\n", "", ""},
	} {
		var text strings.Builder
		text.WriteString(row.begin)
		for i := range 3 {
			one := strings.ReplaceAll("- "+fmt.Sprintf(item, i), "\n", "\n"+row.before)
			text.WriteString(row.before + strings.TrimSuffix(one, row.before))
		}
		text.WriteString(row.after)
		l, ok := cut([]byte(text.String()))
		items := 0
		for range l.items() {
			items++
		}
		if !ok || items != 3 {
			t.Errorf("%q is cut into %d items", text.String(), items)
		}
		comparison(t, text.String())
	}
}

// comparison reads a YAML document in both ways.
func comparison(t *testing.T, text string) {
	inLines := regexp.MustCompile(`line \d+`)
	reading := func(read func(s *stream, at place, text []byte) error) (string, error) {
		return entries(func(visit func(Entry) error) error {
			s := &stream{visit: visit, size: len(text), weight: freeObjectBytes}
			return read(s, place{file: "in", line: 1}, []byte(text))
		})
	}
	got, err := reading((*stream).yaml)
	want, wantErr := reading((*stream).whole)
	if (err == nil) != (wantErr == nil) ||
		err == nil && inLines.ReplaceAllString(got, "") != inLines.ReplaceAllString(want, "") {
		t.Errorf("%q\n--- in parts\n%s%v\n--- as a whole\n%s%v", text, got, err, want, wantErr)
	}
}

// FuzzRead: every mistake is one line, nothing panics, and a list is the same in parts.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		pod + "---\n" + `{"kind":"List","apiVersion":"v1","items":[{"kind":"Node"}]}`,
		`{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"},"spec":{"containers":[{"ports":[{"containerPort":"x"}]}]}}]}`,
		`{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}}`,
		"kind: List\napiVersion: v1\nitems:\n- &a\n  kind: Node\n- *a\n  # b\n- 'c'\nmetadata: {}\n",
		"kind: PodList\napiVersion: v1\nitems:\n  - metadata: {name: \"{{ .Name }}\"}\n  -\n   spec: |\n    - a\n",
		"{{- if .Values.web }}\na: {{ .b }}\n{{- end }}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := problem(text); strings.Contains(got, "\n") {
			t.Errorf("more than a line: %q", got)
		}
		if _, ok := cut([]byte(text)); ok {
			comparison(t, text)
		}
	})
}

// TestReaderFails: an error of standard input is reported, whatever was read before.
func TestReaderFails(t *testing.T) {
	in := io.MultiReader(strings.NewReader(pod), iotest.ErrReader(errors.New("broken pipe")))
	_, err := Reader{}.Files(in, Stdin)
	if want := "standard input: broken pipe; try again"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// endless is text that never ends.
type endless struct{}

func (endless) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = '\n'
	}
	return len(into), nil
}

// TestEndless: what never ends is read to a limit.
func TestEndless(t *testing.T) {
	_, err := Reader{most: 1 << 20}.Files(endless{}, Stdin)
	if want := "standard input: more than 1 MiB; give fewer objects"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
