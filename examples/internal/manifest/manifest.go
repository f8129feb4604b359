//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

// Package manifest reads Kubernetes objects from files for the examples: YAML or JSON, one document or many, single
// objects or lists, whatever kubectl prints.
//
// Decoding is strict, since a typing mistake that is skipped looks like a planner that does the wrong thing. Kinds that
// the examples have no use for are counted and never decoded; another version of a kind that they read is an error, because
// what is passed over looks like what is not there.
//
// Files are held in memory, and a YAML document takes 30 times its size: a large cluster is better printed as JSON.
package manifest

import (
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Objects is what was read, each list in the order of the input. The zero value is ready for use. An object without a
// namespace is put into "default", as kubectl does.
type Objects struct {
	Services       []*corev1.Service
	Pods           []*corev1.Pod
	Nodes          []*corev1.Node
	EndpointSlices []*discoveryv1.EndpointSlice
	Endpoints      []*corev1.Endpoints
	// Others counts objects of further kinds, of which FirstOther is the first, as "apps/v1 Deployment".
	Others     int
	FirstOther string

	seen map[identity]found
}

// Where says where an object of these lists was read: "web.yaml: document 1: items[3]". It is empty for any other object.
func (o *Objects) Where(object runtime.Object) string {
	for _, f := range o.seen {
		if f.object == object {
			return f.at.String()
		}
	}
	return ""
}

// identity tells objects apart. APIVersion is left out: each kind here has one.
type identity struct{ kind, namespace, name string }

// found is an object that was read.
type found struct {
	at     place
	id     identity
	object runtime.Object
}

// add takes over an object that was read.
func (o *Objects) add(f found) error {
	if before, ok := o.seen[f.id]; ok {
		if reflect.DeepEqual(before.object, f.object) {
			return nil
		}
		return f.at.problem("", fmt.Sprintf("differs from the same object in %s", before.at))
	}
	if o.seen == nil {
		o.seen = map[identity]found{}
	}
	f.at.object = "" // its id says it
	o.seen[f.id] = f
	switch object := f.object.(type) {
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

// other takes note of an object of a kind that nobody here reads.
func (o *Objects) other(e envelope) {
	if o.Others == 0 {
		o.FirstOther = e.APIVersion + " " + e.Kind
	}
	o.Others++
}
