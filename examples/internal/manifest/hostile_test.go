package manifest

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// allocated is how many bytes f takes in all.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

const node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"

// TestHostile reads files that are made to cost much. Each ends with an error that says why, or is read, at a cost that its
// size explains.
func TestHostile(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	annotations := func(n int, text string) string {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, "    a%d: %s\n", i, text)
		}
		return all.String()
	}
	nested := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	const (
		depth    = "exceeded max depth"
		yaml     = "a YAML document of more than 16 MiB; use kubectl get -o json"
		aliases  = "aliases expanded"
		noKind   = "kind: missing"
		lists    = `{"apiVersion":"v1","kind":"List","items":[`
		laughs   = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n"
		annotate = "  annotations:\n"
		named    = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n"
	)
	for _, row := range []struct {
		why, text, want string
		most            int64 // bytes allocated for each byte of the text
	}{
		{"aliases of a long string", named + annotate + "    first: &x " + long + "\n" + annotations(20_000, "*x"), aliases, 16},
		{"a few of them", named + annotate + "    first: &x " + long + "\n" + annotations(20, "*x"), "", 400},
		{"aliases of aliases", laughs, aliases, 16},
		{"a level less of them", strings.Replace(laughs, ",*f", ",*a", -1), "excessive aliasing", 16},
		{"aliases that are few", "apiVersion: v1\nkind: Node\nmetadata: {name: &n n1, uid: *n, labels: {a: *n, b: *n}}\nspec: !!map {}\n", "", 16},
		{"an alias of itself", "a: &a [*a]\n", "contains itself", 16},
		{"Lists in Lists as JSON", nested(4000, lists, "", "]}"), "more than 50 lists inside each other", 600},
		{"Lists in Lists as YAML in flow style", nested(4000, strings.ReplaceAll(lists, ":", ": "), "", "]}"), "more than 50 lists", 600},
		{"the same, without quotes", nested(4000, "{apiVersion: v1, kind: List, items: [", "", "]}"), "more than 50 lists", 800},
		{"Lists in Lists, as deep as they may be", nested(49, lists, "", "]}"), "", 16},
		{"brackets", nested(100_000, "[", "", "]"), depth, 200},
		{"brackets in an object of another kind", `{"apiVersion":"v1","kind":"Odd","spec":` + nested(100_000, "[", "", "]") + "}", depth, 200},
		{"brackets where the items belong", `{"apiVersion":"v1","kind":"List","items":{"a":` + nested(100_000, "[", "", "]") + "}}", depth, 200},
		{"indentation", func() string {
			var all strings.Builder
			for i := range 2000 {
				all.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return all.String()
		}(), noKind, 100},
		{"dashes", strings.Repeat("- ", 100_000) + "a\n", depth, 400},
		{"a long line", "a: " + strings.Repeat("x", 17<<20), yaml, 8},
		{"many lines", strings.Repeat("a: b\n", 4<<20), yaml, 8},
		{"a long string that ends", `{"apiVersion":"` + strings.Repeat("x", 12<<20), "unexpected EOF", 16},
		{"a large list in flow style", "# no JSON\n- [" + strings.Repeat("a,\n", 1_000_000) + "]", "got array", 500},
		{"empty containers", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[` + strings.Repeat("{},", 300_000) + `{}]}}`, "", 2000},
		{"a list as large as it likes", `{"kind":"List","apiVersion":"v1","items":[` + strings.Repeat(`{"kind":"Odd","apiVersion":"v1","metadata":{}},`, 50_000) + `{"kind":"Node","apiVersion":"v1","metadata":{"name":"a"}}]}`, "", 32},
		{"in block style too", "kind: List\napiVersion: v1\nitems:\n" + strings.Repeat("- kind: Odd\n  apiVersion: v1\n", 50_000), "", 300},
	} {
		var err error
		cost := allocated(func() { err = Reader{}.Read(&Objects{}, "in", []byte(row.text)) })
		text := fmt.Sprint(err)
		if (err == nil) != (row.want == "") || !strings.Contains(text, row.want) || len(text) > 1000 {
			t.Errorf("%s: %.300s", row.why, text)
		}
		if bound := row.most*int64(len(row.text)) + 8<<20; cost > bound {
			t.Errorf("%s: %d MB for a file of %d kB", row.why, cost>>20, len(row.text)>>10)
		}
	}
}

// endless gives one text for ever.
type endless struct {
	text string
	rest string
}

func forever(text string) *endless { return &endless{text: text} }

func (e *endless) Read(into []byte) (int, error) {
	if e.rest == "" {
		e.rest = strings.Repeat(e.text, 1+100_000/len(e.text))
	}
	n := copy(into, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestTotal: what never ends is read to its limit only, with the memory of an object.
func TestTotal(t *testing.T) {
	for why, in := range map[string]io.Reader{
		"a list":    io.MultiReader(strings.NewReader(`{"kind":"List","items":[`), forever(`{"kind":"A","apiVersion":"b"},`)),
		"documents": forever(node + "  # " + strings.Repeat("x", 1000) + "\n---\n"),
		"blanks":    forever("          \n"),
		"comments":  forever("# comment\n"),
		"nothing":   forever("\x00"),
		"one line":  forever("a"),
	} {
		const total = 20 << 20
		cost := allocated(func() {
			err := Reader{total: total}.Stream(&Objects{}, "in", in)
			if err == nil || !strings.Contains(err.Error(), "more than 20 MiB in all files") && !strings.Contains(err.Error(), "use kubectl get -o json") && !strings.Contains(err.Error(), "it is no text") {
				t.Errorf("%s: %v", why, err)
			}
		})
		if cost > 64*total {
			t.Errorf("%s: %d MB", why, cost>>20)
		}
	}
}

// TestReaderFails: an error of the file is told, whatever was read before.
func TestReaderFails(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, text := range []string{"", node, `{"kind":`, "kind: List\nitems:\n- a: b\n"} {
		in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		if err := (Reader{}).Stream(&Objects{}, "in", in); !errors.Is(err, broken) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestLineNumbers: mistakes in YAML and JSON are on the lines of the file, wherever the document or item begins.
func TestLineNumbers(t *testing.T) {
	item := "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: n%d\n"
	var list strings.Builder
	list.WriteString("# comment\n---\n---\napiVersion: v1\nkind: List\nitems:\n")
	for i := range 2000 { // more than is read in whole
		fmt.Fprintf(&list, item, i)
	}
	for _, row := range []struct{ why, text, want string }{
		{"in a document", node + "---\n# comment\n\n" + node + "spec:\n  a: 'b\n", "line 1"},
		{"twice", node + "---\n" + node + "kind: Node\n", "line 8"},
		{"in a list that is large", list.String() + "- apiVersion: v1\n  apiVersion: v1\n", "line 8008"},
		{"in JSON", "\n\n{\"kind\":\n\"Node\"\n\"metadata\": 1}", "line 5"},
		{"in a large list of JSON", "\n{\"items\":[" + strings.Repeat("{\"kind\":\n\"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"a\"}},\n", 2000) + "\n x", "line 4003"},
	} {
		err := Reader{}.Read(&Objects{}, "in", []byte(row.text))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", row.why, err, row.want)
		}
	}
}

// TestListsAlike: a list is read the same in JSON and YAML, whatever field comes first.
func TestListsAlike(t *testing.T) {
	var items []string
	for i := range 1000 {
		items = append(items, fmt.Sprintf(`{"metadata": {"name": "n%d", "labels": {"a": "%s"}}}`, i, strings.Repeat("x", 50)))
	}
	joined := strings.Join(items, ",\n")
	kind := `"kind": "NodeList", "apiVersion": "v1"`
	var want string
	for i, text := range []string{
		`{` + kind + `, "items": [` + joined + `]}`,
		`{"apiVersion": "v1", "items": [` + strings.ReplaceAll(joined, `{"metadata"`, `{"kind": "Node", "apiVersion": "v1", "metadata"`) + `], "kind": "List"}`,
		"items:\n- " + strings.Join(items, "\n- ") + "\nkind: NodeList\napiVersion: v1\n",
		"apiVersion: v1\nkind: NodeList\nitems:\n  # here\n  - " + strings.Join(items, "\n  - ") + "\n",
	} {
		var objects Objects
		if err := (Reader{}).Read(&objects, "in", []byte(text)); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		got := listed(&objects)
		if i == 0 {
			want = got
		}
		if got != want || len(objects.Nodes) != 1000 {
			t.Errorf("%d: %d Nodes", i, len(objects.Nodes))
		}
		if where := objects.Where(objects.Nodes[7]); where != "in: document 1: items[7]" {
			t.Errorf("%d: %s", i, where)
		}
	}
}
