//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

package manifest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// typeMeta is what an item of a list such as PodList does not repeat.
type typeMeta struct{ APIVersion, Kind string }

// envelope is as much of any object as must be known before its type is.
type envelope struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Metadata   names           `json:"metadata"`
	Items      json.RawMessage `json:"items"`
}

type names struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

func readEnvelope(raw []byte) (e envelope, err error) {
	return e, utiljson.Unmarshal(raw, &e)
}

// typed refuses what does not say its type.
func (e envelope) typed(at place) error {
	const missing = "missing; every object needs apiVersion and kind"
	switch {
	case e.Kind == "":
		return at.problem("kind", missing)
	case e.APIVersion == "":
		return at.problem("apiVersion", missing)
	}
	return nil
}

// list returns what the items of a list are that do not say it. It reports whether the object is a list.
func (e envelope) list() (each typeMeta, ok bool) {
	item, ok := strings.CutSuffix(e.Kind, "List")
	if !ok || e.Items == nil && item != "" && empty(e.APIVersion, item) == nil {
		return typeMeta{}, false
	}
	if item == "" {
		return typeMeta{}, true
	}
	return typeMeta{e.APIVersion, item}, true
}

// object reads one JSON value: an object, or a list of them. each is what an item of the list around it is that does not say
// it.
func (s *stream) object(at place, raw []byte, each typeMeta) error {
	e, err := readEnvelope(raw)
	if err != nil {
		return at.mistyped(err)
	}
	if e.APIVersion == "" && e.Kind == "" {
		e.APIVersion, e.Kind = each.APIVersion, each.Kind
	}
	if err := e.typed(at); err != nil {
		return err
	}
	if each, ok := e.list(); ok {
		return s.list(at, e.Items, each)
	}
	return s.single(at.of(e), raw, e)
}

// list reads the items of a list.
func (s *stream) list(at place, items []byte, each typeMeta) error {
	var list []json.RawMessage
	if items == nil {
		return at.problem("items", "missing; a list needs items, if only []")
	}
	if err := json.Unmarshal(items, &list); err != nil {
		return at.problem("items", "want a list")
	}
	for i, item := range list {
		if err := s.object(at.item(i), item, each); err != nil {
			return err
		}
	}
	return nil
}

// single reads an object that is no list.
func (s *stream) single(at place, raw []byte, e envelope) error {
	into := empty(e.APIVersion, e.Kind)
	if want := ours(e.APIVersion, e.Kind); into == nil && want != "" {
		return at.problem("apiVersion", fmt.Sprintf("want %s, got %s; convert it, or get it from a cluster that has %[1]s",
			want, e.APIVersion))
	}
	if status := (metav1.Status{}); e.APIVersion == "v1" && e.Kind == "Status" && json.Unmarshal(raw, &status) == nil {
		return at.problem("", fmt.Sprintf("the API server did not answer with objects but with %q", cmp.Or(status.Message, status.Status)))
	}
	if into == nil {
		s.objects.other(e)
		return nil
	}
	if err := s.decode(at, raw, runtimeschema.FromAPIVersionAndKind(e.APIVersion, e.Kind), into); err != nil {
		return err
	}
	object, err := meta.Accessor(into)
	if err != nil {
		return at.problem("metadata", oneLine(err))
	}
	if object.GetName() == "" {
		return at.problem("metadata.name", "missing; only named objects can be planned for")
	}
	if _, cluster := into.(*corev1.Node); !cluster && object.GetNamespace() == "" {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	object.SetManagedFields(nil)                                               // they say nothing of the object, and two prints of them differ in white space
	into.GetObjectKind().SetGroupVersionKind(runtimeschema.GroupVersionKind{}) // items of a PodList have none
	return s.objects.add(found{at, identity{e.Kind, object.GetNamespace(), object.GetName()}, into})
}

// empty returns an object of the kinds that Objects holds, nil for all others.
func empty(apiVersion, kind string) runtime.Object {
	switch apiVersion + "/" + kind {
	case "v1/Service":
		return &corev1.Service{}
	case "v1/Pod":
		return &corev1.Pod{}
	case "v1/Node":
		return &corev1.Node{}
	case "v1/Endpoints":
		return &corev1.Endpoints{}
	case "discovery.k8s.io/v1/EndpointSlice":
		return &discoveryv1.EndpointSlice{}
	}
	return nil
}

// ours returns the version in which Objects holds a kind that apiVersion has in another one, "" if it holds none.
func ours(apiVersion, kind string) string {
	group, _, named := strings.Cut(apiVersion, "/")
	want := "v1"
	if named {
		want = group + "/v1"
	}
	if apiVersion == want || empty(want, kind) == nil {
		return ""
	}
	return want
}

var strict = func() runtime.Decoder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, discoveryv1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: true})
}()

// decode fills into from raw, which need not say its kind.
func (s *stream) decode(at place, raw []byte, kind runtimeschema.GroupVersionKind, into runtime.Object) error {
	_, _, err := strict.Decode(raw, &kind, into)
	if err == nil {
		return nil
	}
	if !runtime.IsStrictDecodingError(err) {
		return at.mistyped(err)
	}
	for _, field := range strictErrors(err) {
		if s.Lenient && strings.HasPrefix(field.Error(), "unknown field") {
			continue
		}
		return at.strictProblem(field)
	}
	return nil
}

// strictErrors takes apart what a strict decoder found.
func strictErrors(err error) []error {
	var several interface{ Errors() []error }
	if errors.As(err, &several) {
		return several.Errors()
	}
	return []error{err}
}
