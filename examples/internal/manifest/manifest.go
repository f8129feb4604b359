//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

// Package manifest reads Kubernetes objects from files for the examples: YAML or JSON, one document or many, single
// objects or lists, whatever kubectl prints.
//
// Decoding is strict, since a typing mistake that is skipped looks like a planner that does the wrong thing. Kinds that
// the examples have no use for are kept aside by name and never decoded; another version of a kind that they read is an
// error, for what is passed over looks like what is not there.
package manifest

import (
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
	// Other are objects of further kinds. Their content was not looked at.
	Other []Other

	seen map[identity]seen
}

// Where says where an object of these lists was read: "web.yaml: document 1: items[3]". It is empty for any other object.
func (o *Objects) Where(object runtime.Object) string {
	for _, s := range o.seen {
		if s.object == object {
			return s.at.String()
		}
	}
	return ""
}

// Other is an object of a kind that nobody here reads.
type Other struct {
	File       string
	Document   int
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
}

// Reader reads objects. The zero value is strict.
type Reader struct {
	// Lenient skips fields that the Kubernetes types this module is built with do not have, as the output of a newer
	// API server may contain. Fields of the wrong type and repeated fields are errors all the same.
	Lenient bool
}
