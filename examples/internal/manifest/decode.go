//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

package manifest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/json"
)

// identity tells objects apart. APIVersion is left out: each kind here has one.
type identity struct{ kind, namespace, name string }

var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, discoveryv1.AddToScheme} {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	return s
}()

// single reads an object that is no list.
func (s *stream) single(d *document, at place, raw []byte, e envelope) error {
	into := empty(e.APIVersion, e.Kind)
	if want := ours(e.APIVersion, e.Kind); into == nil && want != "" {
		return at.problem("apiVersion", fmt.Sprintf("want %s, got %s; convert it, or get it from a cluster that has %[1]s",
			want, e.APIVersion))
	}
	if into == nil {
		d.others = append(d.others, at.other(e))
		return nil
	}
	if err := s.decode(at, raw, into); err != nil {
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
	into.GetObjectKind().SetGroupVersionKind(runtimeschema.GroupVersionKind{}) // items of a PodList have none
	s.under++
	d.found = append(d.found, found{at, identity{e.Kind, object.GetNamespace(), object.GetName()}, into})
	return nil
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

// decode fills into from raw: the parts of it that are needed, after a check of all of it. What does not pass the check
// goes to apimachinery's own decoder, which is slower and knows the reason.
func (s *stream) decode(at place, raw []byte, into runtime.Object) error {
	p := &s.projector
	p.text, p.at, p.whole, p.depth, p.out = raw, 0, true, 0, p.out[:0]
	if p.project(schemas[reflect.TypeOf(into).Elem()], parts) == nil && json.Unmarshal(p.out, into) == nil {
		return nil
	}
	return s.decodeStrictly(at, raw, into)
}

// decodeStrictly fills into from raw by apimachinery's own decoder.
func (s *stream) decodeStrictly(at place, raw []byte, into runtime.Object) error {
	reflect.ValueOf(into).Elem().SetZero()
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
