//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

// Package manifest reads Kubernetes objects from files for the examples: YAML or JSON, one document
// or many, single objects, lists or events of a watch, whatever kubectl prints.
//
// Decoding is strict, because a typing mistake that is skipped looks like a planner that does the
// wrong thing. Kinds that the examples have no use for are counted and not decoded. A kind that
// they read is an error in another group, version or case, because what is skipped looks as if it
// did not exist.
//
// Files are held in memory. A file that needs many times its size is refused.
package manifest

import (
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// Objects is what was read, each list in the order of the input. The zero value is ready for use.
// An object without a namespace is put into "default", as kubectl does.
type Objects struct {
	Services       []*corev1.Service
	Pods           []*corev1.Pod
	Nodes          []*corev1.Node
	EndpointSlices []*discoveryv1.EndpointSlice
	Endpoints      []*corev1.Endpoints
	// Others counts objects of further kinds, of which FirstOther is the first, as "apps/v1
	// Deployment".
	Others     int
	FirstOther string
	// Repeated lists the files of which every object was in a file before, as if a file were given
	// twice.
	Repeated []string

	seen map[identity]Entry
}

// identity tells objects apart.
type identity struct {
	kind            reflect.Type
	namespace, name string
}

func identify(object runtime.Object) identity {
	m, err := meta.Accessor(object)
	if err != nil {
		return identity{}
	}
	return identity{reflect.TypeOf(object), m.GetNamespace(), m.GetName()}
}

// Where says where an object of these lists was read: "web.yaml: line 8: items[3]". It is empty for
// any other object.
func (o *Objects) Where(object runtime.Object) string { return o.seen[identify(object)].At }

// add takes an entry of a file. An object that was read before is dropped if it is the same, and an
// error if it differs.
func (o *Objects) add(e Entry) error {
	switch {
	case e.Event != "":
		return fmt.Errorf("%s: an event of a watch; give what kubectl get prints without -w", e.At)
	case e.Other != "":
		if o.Others++; o.Others == 1 {
			o.FirstOther = e.Other
		}
		return nil
	case e.List:
		return nil
	}
	id := identify(e.Object)
	if before, ok := o.seen[id]; ok {
		if !reflect.DeepEqual(before.Object, e.Object) {
			return fmt.Errorf("%s: %s %s differs from the same object in %s; remove one", e.At, id.kind.Elem().Name(),
				id.fullName(), before.At)
		}
		return nil
	}
	if o.seen == nil {
		o.seen = map[identity]Entry{}
	}
	o.seen[id] = e
	switch object := e.Object.(type) {
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

// fullName is the name with the namespace, if there is one.
func (id identity) fullName() string {
	if id.namespace == "" {
		return id.name
	}
	return id.namespace + "/" + id.name
}
