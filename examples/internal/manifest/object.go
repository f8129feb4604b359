package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// mostLists is how many lists may be inside each other.
const mostLists = 8

// typeMeta is what an item of a list such as PodList does not repeat.
type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// kinds are the kinds that the commands read.
var kinds = []typeMeta{
	{"v1", "Service"}, {"v1", "Pod"}, {"v1", "Node"}, {"v1", "Endpoints"}, {"discovery.k8s.io/v1", "EndpointSlice"},
}

// envelope is what must be known of an object before its type is.
type envelope struct {
	typeMeta
	Metadata struct {
		Namespace, Name, Continue string
		RemainingItemCount        int64
	} `json:"metadata"`
	Items   *json.RawMessage `json:"items"`
	Type    string           `json:"type"`
	Object  json.RawMessage  `json:"object"`
	Message string           `json:"message"`
}

// String returns the kind and the name.
func (e envelope) String() string {
	return strings.TrimSpace(e.Kind + " " + strings.TrimPrefix(e.Metadata.Namespace+"/"+e.Metadata.Name, "/"))
}

// envelope reads as much of an object as any kind has. each is the type of an object that does not
// say it.
func (r *reader) envelope(at place, raw []byte, each typeMeta) (e envelope, err error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return e, at.problem("want an object with apiVersion and kind, or a list of kind List; correct it")
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, at.problem("%s", mistyped(err))
	}
	if e.APIVersion == "" && e.Kind == "" {
		e.typeMeta = each
	}
	switch {
	case e.Kind == "" && e.Type != "" && len(e.Object) > 0:
		return e, at.problem("an event of a watch; give what kubectl get prints without -w")
	case e.Kind == "":
		return e, at.problem("kind: missing; give each object a kind, and get a file again that is cut off")
	case e.APIVersion == "":
		return e, at.problem("%v: apiVersion: missing; give each object an apiVersion and a kind", e)
	case e.Kind == "Status":
		return e, at.problem("the API server answered with an error, %q; get the objects again", e.Message)
	}
	return e, r.misnamed(at, e)
}

// misnamed refuses what seems to be one of the kinds, or a list of one, but has another group,
// version or case: if it were skipped, it would look as if it were not there. Another API may have a
// kind of the same name.
func (r *reader) misnamed(at place, e envelope) error {
	if e.Kind != "List" && strings.EqualFold(e.Kind, "List") {
		return at.problem("%v: want kind List; correct it", e)
	}
	for _, want := range kinds {
		if strings.EqualFold(e.Kind, want.Kind+"List") {
			want.Kind += "List"
		}
		group, _, named := strings.Cut(e.APIVersion, "/")
		foreign := named && strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
		switch {
		case !strings.EqualFold(e.Kind, want.Kind), e.typeMeta == want, foreign && r.lenient:
		case foreign:
			return at.problem("%v: want apiVersion %s, got %s; correct it, or skip objects of other APIs with "+
				"-lenient", e, want.APIVersion, e.APIVersion)
		default:
			return at.problem("%v: want apiVersion %s and kind %s, got %s and %s; correct it, or get the object from "+
				"a cluster that has this version", e, want.APIVersion, want.Kind, e.APIVersion, e.Kind)
		}
	}
	return nil
}

// list returns what the items of a list are if they do not say it, and whether the object is a list.
// A list that is not whole is an error.
func (e envelope) list(at place) (each typeMeta, ok bool, err error) {
	item, ok := strings.CutSuffix(e.Kind, "List")
	each = typeMeta{e.APIVersion, item}
	switch {
	case !ok || e.Items == nil && item != "" && !slices.Contains(kinds, each):
		return each, false, nil
	case at.lists >= mostLists:
		err = at.problem("more than %d lists inside each other; give the innermost alone", mostLists)
	case e.Metadata.Continue != "":
		err = at.problem("%s: metadata.continue: one page of a longer list, of which %d objects are missing or more; "+
			"get the whole list, as kubectl get does", e.Kind, max(1, e.Metadata.RemainingItemCount))
	case e.Items == nil:
		err = at.problem("%s: items: missing; a list needs items, even if only []: check the spelling", e.Kind)
	case item == "":
		each = typeMeta{}
	}
	return each, true, err
}

// object reads one object or a list of them.
func (r *reader) object(at place, raw []byte, each typeMeta) error {
	e, err := r.envelope(at, raw, each)
	if err != nil {
		return err
	}
	each, ok, err := e.list(at)
	if err != nil {
		return err
	} else if !ok {
		return r.single(at, raw, e)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(*e.Items, &all); err != nil {
		return at.problem("%s: items: want a list; correct it", e.Kind)
	}
	for i, item := range all {
		inside := at
		inside.path = strings.TrimPrefix(fmt.Sprintf("%s.items[%d]", at.path, i), ".")
		inside.lists++
		if err := r.object(inside, item, each); err != nil {
			return err
		}
	}
	return nil
}

// single reads an object that is not a list.
func (r *reader) single(at place, raw []byte, e envelope) error {
	if !slices.Contains(kinds, e.typeMeta) {
		r.Others[e.APIVersion+" "+e.Kind]++
		return nil
	}
	if count(raw, "{[,") > mostValues {
		return at.problem("%v: more than %d values in one object; no cluster stores it: check it", e, mostValues)
	}
	decoder := strict
	if r.lenient {
		decoder = lax
	}
	kind := schema.FromAPIVersionAndKind(e.APIVersion, e.Kind)
	into, _, err := decoder.Decode(raw, &kind, nil)
	if err != nil {
		return at.problem("%v: %s", e, mistyped(err))
	}
	object := into.(metav1.Object)
	switch {
	case object.GetName() == "":
		return at.problem("%v: metadata.name: missing; give the object as the API server has it", e)
	case strings.Contains(object.GetName()+object.GetNamespace(), "{{"):
		return at.problem("%v: a template that was not rendered; render it first, for example by helm template", e)
	}
	if _, cluster := into.(*corev1.Node); !cluster && object.GetNamespace() == "" {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	object.SetManagedFields(nil)                                        // two prints of them differ in white space
	into.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{}) // items of a PodList have none
	if r.memory -= size(reflect.ValueOf(into)); r.memory < 0 {
		return at.problem("%v: the file takes many times its size in memory up to here; leave empty entries out", e)
	}
	return r.add(at.String(), object)
}

// strict refuses unknown and repeated fields, and lax skips them.
var strict, lax = decoders()

func decoders() (strict, lax runtime.Decoder) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, discoveryv1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer(),
		serializer.NewCodecFactory(scheme).UniversalDeserializer()
}

var goField = regexp.MustCompile(`json: cannot unmarshal (.+?) into Go (?:struct field [^. ]*\.|)`)

// mistyped words an error of a decoder for somebody who does not know Go.
func mistyped(err error) string {
	text := strings.ReplaceAll(oneLine(err), "strict decoding error: ", "")
	switch {
	case goField.MatchString(text):
		return goField.ReplaceAllString(text, "$1 does not fit ") + "; correct it, and put yes or 7 as a text in quotes"
	case strings.Contains(text, ".topology\""):
		return text + "; it is of an older API: write zone and nodeName, or get the slice as discovery.k8s.io/v1"
	case strings.Contains(text, "unknown field"):
		return text + "; check its spelling and place (-lenient skips what a newer API server prints)"
	}
	return text + "; correct it"
}

// size is the memory that a value takes besides itself.
func size(v reflect.Value) (n int) {
	if v.Type() == reflect.TypeFor[metav1.Time]() {
		return 0 // it points to the time zone, which all times share
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			n = int(v.Type().Elem().Size()) + size(v.Elem())
		}
	case reflect.String:
		n = v.Len()
	case reflect.Slice:
		n = v.Len() * int(v.Type().Elem().Size())
		for i := range v.Len() {
			n += size(v.Index(i))
		}
	case reflect.Map:
		n = v.Len() * 2 * int(v.Type().Key().Size()+v.Type().Elem().Size())
		for at := v.MapRange(); at.Next(); {
			n += size(at.Key()) + size(at.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += size(v.Field(i))
		}
	}
	return n
}
