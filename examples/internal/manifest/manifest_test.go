package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		{"one object", pod, "pod shop/a"},
		{"kubectl takes a missing namespace as default", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n",
			"service default/web"},
		{"a Node has no namespace to default", "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n", "node n1"},
		{"several documents", "---\n" + pod + "---\n" + strings.Replace(pod, "name: a", "name: b", 1), "pod shop/a, pod shop/b"},
		{"Windows line ends", strings.ReplaceAll(pod, "\n", "\r\n"), "pod shop/a"},
		{"a byte order mark", "\ufeff" + pod, "pod shop/a"},
		{"kubectl get of several kinds prints kind List",
			"apiVersion: v1\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}}\n" +
				"- {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, endpoints: [], ports: [], metadata: {name: s, namespace: shop}}\n" +
				"kind: List\nmetadata: {resourceVersion: \"\"}\n",
			"pod shop/a, slice shop/s"},
		{"items of a typed list, as the API server prints them, have no kind of their own",
			`{"kind":"EndpointSliceList","apiVersion":"discovery.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"s","namespace":"shop"},"addressType":"IPv4","endpoints":null,"ports":null}]}`,
			"slice shop/s"},
		{"an empty list", "apiVersion: v1\nkind: List\nitems: []\n", ""},
		{"a nil list, as Go prints it", `{"kind":"PodList","apiVersion":"v1","items":null}`, ""},
		{"JSON values one after the other", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}` + "\n" +
			`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n2"}}`, "node n1, node n2"},
		{"JSON among YAML documents", pod + "---\n" + `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}`,
			"pod shop/a, node n1"},
		{"a YAML flow mapping looks like JSON at first", "{apiVersion: v1, kind: Node, metadata: {name: n1}}", "node n1"},
		{"other kinds are kept aside, unread", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {nonsense: 1}\n",
			"1 other, first apps/v1 Deployment"},
		{"a list of other kinds is kept aside item by item",
			"apiVersion: apps/v1\nkind: DeploymentList\nitems: [{metadata: {name: web}}, {metadata: {name: db}}]\n",
			"2 other, first apps/v1 Deployment"},
		{"the same object twice is one", pod + "---\n" + pod, "pod shop/a"},
		{"managed fields have any shape", "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  managedFields:\n" +
			"  - {manager: kubelet, operation: Update, fieldsType: FieldsV1, fieldsV1: {\"f:status\": {\"k:{\\\"type\\\":1}\": {}}}}\n", "node n1"},
		{"the same object printed twice, with managed fields in other white space",
			`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","managedFields":[{"manager":"a","fieldsV1":{"f:x":{}}}]}}` +
				`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","managedFields":[{"manager":"a","fieldsV1":{ "f:x": {} }}]}}`, "node n1"},
	} {
		var objects Objects
		if err := (Reader{}).Read(&objects, "in.yaml", []byte(c.in)); err != nil {
			t.Errorf("%s: %v", c.why, err)
		} else if got := listed(&objects); got != c.want {
			t.Errorf("%s: got %q, want %q", c.why, got, c.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ why, in, want string }{
		{"a misspelt field, with its index", "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec:\n  ports:\n  - port: 80\n  - prot: 81\n",
			"in.yaml: document 1: Service shop/web: spec.ports[1].prot: unknown field; check its spelling and place (-lenient takes what a newer API server prints)"},
		{"a wrong type", pod + "---\n" + strings.Replace(pod, "kind: Pod", "kind: Service", 1) + "spec: {ports: [{port: 80}, {port: http}]}\n",
			`in.yaml: document 2: Service shop/a: spec.ports.port: want int32, got string`},
		{"a number that does not fit", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 8000000000}]}\n",
			"in.yaml: document 1: Service web: spec.ports.port: want int32, got number 8000000000"},
		{"YAML takes yes for true", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {app: yes}}\n",
			"in.yaml: document 1: Pod a: metadata.labels: want string, got bool"},
		{"decoders give no field for times", pod[:len(pod)-2] + ", deletionTimestamp: soon}\n",
			`in.yaml: document 1: Pod shop/a: parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"`},
		{"a mapping where a list belongs", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: {port: 80}}\n",
			"in.yaml: document 1: Service web: spec.ports: want a list, got object"},
		{"inside a list the item counts", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: n1}}\n- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {nodename: n1}}\n",
			"in.yaml: document 1: Pod a: items[1].spec.nodename: unknown field; check its spelling and place (-lenient takes what a newer API server prints)"},
		{"JSON says a field twice", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","name":"b"}}`,
			"in.yaml: document 1: Pod b: metadata.name: given twice; remove one"},
		{"YAML says a field twice", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  name: b\n",
			`in.yaml: document 1: line 5: key "name" already set in map`},
		{"broken YAML", pod + "---\nkind: [Pod\n", "in.yaml: document 2: line 5: did not find expected ',' or ']'"},
		{"broken JSON", "{\"kind\": \"Pod\",\n\"apiVersion\" \"v1\"}", "in.yaml: document 1: line 2: expected colon after object key"},
		{"JSON cut off", `{"kind": "Pod",`, "in.yaml: document 1: line 1: unexpected EOF"},
		{"no kind", "metadata: {name: a}\n", "in.yaml: document 1: kind: missing; every object needs apiVersion and kind"},
		{"no version", "kind: Pod\n", "in.yaml: document 1: apiVersion: missing; every object needs apiVersion and kind"},
		{"no name", "apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n",
			"in.yaml: document 1: Pod: metadata.name: missing; only named objects can be planned for"},
		{"no object", "- a\n- b\n", "in.yaml: document 1: want an object with apiVersion and kind, got array"},
		{"plain text", "hello\n", `in.yaml: document 1: want an object with apiVersion and kind, got string`},
		{"kind of the wrong type", "apiVersion: v1\nkind: 7\n", "in.yaml: document 1: kind: want string, got number"},
		{"an older version of a kind that counts is not passed over", "apiVersion: discovery.k8s.io/v1beta1\nkind: EndpointSlice\nmetadata: {name: s}\n",
			"in.yaml: document 1: EndpointSlice s: apiVersion: want discovery.k8s.io/v1, got discovery.k8s.io/v1beta1; convert it, or get it from a cluster that has discovery.k8s.io/v1"},
		{"nor in a list", "apiVersion: discovery.k8s.io/v1beta1\nkind: EndpointSliceList\nitems: [{metadata: {name: s}}]\n",
			"in.yaml: document 1: EndpointSlice s: items[0].apiVersion: want discovery.k8s.io/v1, got discovery.k8s.io/v1beta1; convert it, or get it from a cluster that has discovery.k8s.io/v1"},
		{"a list without items hides a misspelling", "apiVersion: v1\nkind: List\nitmes: []\n",
			"in.yaml: document 1: items: missing; a list needs items, if only []"},
		{"a list with more than items", "apiVersion: v1\nkind: List\nitems: []\nitem: []\n",
			"in.yaml: document 1: item: unknown field; check its spelling and place (-lenient takes what a newer API server prints)"},
		{"items that are no list", "apiVersion: v1\nkind: List\nitems: {}\n", "in.yaml: document 1: items: want a list"},
		{"one name, two contents", pod + "---\n" + pod + "spec: {nodeName: n1}\n",
			"in.yaml: document 2: Pod shop/a: differs from the same object in in.yaml: document 1"},
		{"what the API server says instead of objects", `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}`,
			`in.yaml: document 1: Status: the API server did not answer with objects but with "Unauthorized"`},
		{"UTF-16", "\xff\xfek\x00", "in.yaml: is UTF-16, as some shells write it; save it as UTF-8"},
	} {
		err := (Reader{}).Read(&Objects{}, "in.yaml", []byte(c.in))
		if err == nil {
			t.Errorf("%s: no error, want %q", c.why, c.want)
			continue
		}
		if got := err.Error(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.why, got, c.want)
		}
		if where := new(Error); !errors.As(err, &where) || where.File != "in.yaml" {
			t.Errorf("%s: %T does not name the file", c.why, err)
		}
	}
}

func TestLenient(t *testing.T) {
	for _, c := range []struct {
		why, in string
		ok      bool
	}{
		{"a field of a newer API server", pod + "spec: {fromTheFuture: 1}\n", true},
		{"a wrong type stays wrong", pod + "spec: {nodeName: 1}\n", false},
		{"a repeated field stays ambiguous", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","name":"b"}}`, false},
	} {
		if err := (Reader{Lenient: true}).Read(&Objects{}, "in.yaml", []byte(c.in)); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}

func TestFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "node.yaml")
	if err := os.WriteFile(file, []byte("{apiVersion: v1, kind: Node, metadata: {name: n1}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	objects, err := Reader{}.Files(strings.NewReader(pod), file, Stdin)
	if err != nil || listed(objects) != "pod shop/a, node n1" {
		t.Errorf("a file and standard input: %v, %v", listed(objects), err)
	}
	if _, err := (Reader{}).Files(nil, file+".missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
	_, err = Reader{}.Files(strings.NewReader("kind: Pod"), Stdin)
	if err == nil || !strings.HasPrefix(err.Error(), "standard input: document 1: ") {
		t.Errorf("a mistake in standard input: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(pod + "---\n" + `{"kind":"List","apiVersion":"v1","items":[{"kind":"Node"}]}`))
	f.Add([]byte(`{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"},"spec":{"containers":[{"ports":[{"containerPort":"x"}]}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		err := (Reader{}).Read(&Objects{}, "in", data)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %q", err)
		}
	})
}
