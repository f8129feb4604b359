package manifest

import (
	"fmt"
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

// TestNoText: what a file is that is no text. All other mistakes stand in testdata/plan/reading.txt.
func TestNoText(t *testing.T) {
	for in, want := range map[string]string{
		"\x1f\x8b\x08":  "in.yaml: it is compressed by gzip: unpack it first",
		"kind: \x01":    "in.yaml: it is no text: give YAML or JSON, as UTF-8",
		"\xff\xfek\x00": "in.yaml: is UTF-16, as some shells write it; save it as UTF-8",
	} {
		if err := (Reader{}).Read(&Objects{}, "in.yaml", []byte(in)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
}

// TestLineNumbers: mistakes in YAML and JSON are on the lines of the file, wherever the document begins.
func TestLineNumbers(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
	for _, row := range []struct{ text, want string }{
		{node + "---\n# comment\n\n" + node + "kind: Pod\n", "line 10"},
		{"\n\n{\"kind\":\n\"Node\"\n\"metadata\": 1}", "line 5"},
	} {
		if err := (Reader{}).Read(&Objects{}, "in", []byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, want %s", err, row.want)
		}
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
