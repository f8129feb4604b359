//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
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

// identity tells objects apart. APIVersion is left out: each kind here has one.
type identity struct{ kind, namespace, name string }

type seen struct {
	at     place
	object runtime.Object
}

var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, discoveryv1.AddToScheme} {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	return s
}()

// object reads one JSON value: an object, or a list of them. items are the kind and version of a list's items where the
// list says them.
func (r Reader) object(objects *Objects, at place, raw json.RawMessage, items typeMeta) error {
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		return at.envelopeProblem(raw, err)
	}
	if e.APIVersion == "" && e.Kind == "" {
		e.APIVersion, e.Kind = items.APIVersion, items.Kind
	}
	switch {
	case e.Kind == "":
		return at.problem("kind", "missing; every object needs apiVersion and kind")
	case e.APIVersion == "":
		return at.problem("apiVersion", "missing; every object needs apiVersion and kind")
	}
	if item, ok := strings.CutSuffix(e.Kind, "List"); ok && (e.Items != nil || item == "" || empty(e.APIVersion, item) != nil) {
		return r.list(objects, at, raw, e.Items, typeMeta{e.APIVersion, item})
	}
	return r.single(objects, at.of(e), raw, e)
}

func (r Reader) list(objects *Objects, at place, list, items json.RawMessage, each typeMeta) error {
	if items == nil {
		return at.problem("items", "missing; a list needs items, if only []")
	}
	var values []json.RawMessage
	if json.Unmarshal(items, &values) != nil {
		return at.problem("items", "want a list, got "+brief(items))
	}
	if err := r.listFields(at, list); err != nil {
		return err
	}
	if each.Kind == "" {
		each = typeMeta{}
	}
	for i, item := range values {
		if err := r.object(objects, at.item(i), item, each); err != nil {
			return err
		}
	}
	return nil
}

// listFields refuses what no list has beside its items.
func (r Reader) listFields(at place, list json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(list, &fields); err != nil || r.Lenient {
		return err
	}
	for _, known := range []string{"apiVersion", "kind", "metadata", "items"} {
		delete(fields, known)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		return at.problem(name, unknownField)
	}
	return nil
}

func (r Reader) single(objects *Objects, at place, raw json.RawMessage, e envelope) error {
	into := empty(e.APIVersion, e.Kind)
	if want := ours(e.APIVersion, e.Kind); into == nil && want != "" {
		return at.problem("apiVersion", fmt.Sprintf("want %s, got %s; convert it, or get it from a cluster that has %[1]s",
			want, e.APIVersion))
	}
	if into == nil {
		objects.Other = append(objects.Other, Other{
			File: at.file, Document: at.document,
			APIVersion: e.APIVersion, Kind: e.Kind, Namespace: e.Metadata.Namespace, Name: e.Metadata.Name,
		})
		return nil
	}
	if err := r.decode(at, raw, into); err != nil {
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
	return objects.add(at, identity{e.Kind, object.GetNamespace(), object.GetName()}, into)
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

// decode fills into from raw by apimachinery's own decoder.
func (r Reader) decode(at place, raw json.RawMessage, into runtime.Object) error {
	kinds, _, err := scheme.ObjectKinds(into)
	if err != nil {
		return at.problem("", oneLine(err))
	}
	decoder := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme,
		serializer.SerializerOptions{Strict: true})
	_, _, err = decoder.Decode(raw, &kinds[0], into)
	if err == nil {
		return nil
	}
	if !runtime.IsStrictDecodingError(err) {
		path, problem := mistyped(reflect.TypeOf(into), raw, "", err)
		return at.problem(path, problem)
	}
	for _, field := range strictErrors(err) {
		if r.Lenient && strings.HasPrefix(field.Error(), "unknown field") {
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

func (o *Objects) add(at place, id identity, object runtime.Object) error {
	if before, ok := o.seen[id]; ok {
		if reflect.DeepEqual(before.object, object) {
			return nil
		}
		return at.problem("metadata.name", fmt.Sprintf("differs from the same object in %s", before.at))
	}
	if o.seen == nil {
		o.seen = map[identity]seen{}
	}
	o.seen[id] = seen{at: at, object: object}
	switch object := object.(type) {
	case *corev1.Service:
		o.Services = append(o.Services, object)
	case *corev1.Pod:
		o.Pods = append(o.Pods, object)
	case *corev1.Node:
		o.Nodes = append(o.Nodes, object)
	case *discoveryv1.EndpointSlice:
		o.EndpointSlices = append(o.EndpointSlices, object)
	case *corev1.Endpoints:
		o.Endpoints = append(o.Endpoints, object)
	}
	return nil
}
