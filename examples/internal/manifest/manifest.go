//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

// Package manifest reads Kubernetes objects from files for the examples: YAML or JSON, one document or many, single
// objects or lists, whatever kubectl prints.
//
// Decoding is strict, since a typing mistake that is skipped looks like a planner that does the wrong thing. Kinds that
// the examples have no use for are kept aside by name and never decoded; another version of a kind that they read is an
// error, because what is passed over looks like what is not there.
//
// Of Pods and Nodes, the fields are decoded that the commands need; all others are checked, and nil. Files are read as a
// stream: a cluster's list costs the memory of one object, and of what is kept.
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
	// Other are objects of further kinds. Their content was not looked at.
	Other []Other

	seen  map[identity]found
	bytes Bytes // of all files
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

// add takes over an object that was read.
func (o *Objects) add(f found) error {
	if before, ok := o.seen[f.id]; ok {
		if reflect.DeepEqual(before.object, f.object) {
			return nil
		}
		return f.at.problem("metadata.name", fmt.Sprintf("differs from the same object in %s", before.at))
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
	// Limits bound what reading costs. Zero fields are those of DefaultLimits.
	Limits Limits
	// Progress, if it is not nil, is told from time to time how many bytes were read, and how many objects.
	Progress func(read Bytes, objects int)

	window int // how much is read at once; 0: windowSize
}
