package manifest

import (
	"encoding/json"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// schema is what a Go type looks like in JSON, and which parts of it the example commands need.
type schema struct {
	t      reflect.Type
	kind   reflect.Kind // Struct, Map, Slice, String, Bool, Int64 and so on; Interface for anything; Invalid for a type that reads itself
	fields map[string]*member
	item   *schema // of a list or a map
}

// member is a field of a struct.
type member struct {
	schema *schema
	number int
	keep   keep
}

// keep says what becomes of a field.
type keep uint8

const (
	drop  keep = iota // it is checked, and not decoded
	whole             // it is decoded
	parts             // of its own fields, some are decoded
)

// kept lists what is decoded of Pods and Nodes, of which a cluster has many and the commands need little. Of the other
// kinds, everything is.
var kept = map[reflect.Type]string{
	reflect.TypeFor[corev1.Pod](): `kind apiVersion
		metadata.name metadata.namespace metadata.uid metadata.resourceVersion metadata.labels metadata.annotations
		metadata.creationTimestamp metadata.deletionTimestamp
		spec.nodeName spec.hostname spec.subdomain spec.hostNetwork
		spec.containers.name spec.containers.ports spec.containers.restartPolicy
		spec.initContainers.name spec.initContainers.ports spec.initContainers.restartPolicy
		status.phase status.podIP status.podIPs
		status.conditions.type status.conditions.status status.conditions.lastTransitionTime`,
	reflect.TypeFor[corev1.Node](): `kind apiVersion
		metadata.name metadata.uid metadata.resourceVersion metadata.labels metadata.annotations metadata.creationTimestamp
		metadata.deletionTimestamp
		spec status.allocatable status.capacity status.conditions status.addresses`,
}

// schemas has those of the kinds that Objects holds. They are built once.
var schemas = func() map[reflect.Type]*schema {
	all := map[reflect.Type]*schema{}
	for _, object := range []runtime.Object{
		&corev1.Service{}, &corev1.Pod{}, &corev1.Node{}, &discoveryv1.EndpointSlice{},
		&corev1.Endpoints{}, //lint:ignore SA1019 mirrors start from Endpoints
	} {
		t := reflect.TypeOf(object).Elem()
		all[t] = builder{}.build(t)
		for path := range strings.FieldsSeq(kept[t]) {
			all[t].need(strings.Split(path, "."))
		}
		if kept[t] == "" {
			for _, m := range all[t].fields {
				m.keep = whole
			}
		}
	}
	return all
}()

// need marks what a path leads to.
func (s *schema) need(path []string) {
	for s.kind == reflect.Slice {
		s = s.item
	}
	m := s.fields[path[0]]
	if len(path) == 1 {
		m.keep = whole
		return
	}
	if m.keep == drop {
		// Marks belong to this path alone: other fields may have the same type.
		m.schema = builder{}.build(m.schema.t)
		m.keep = parts
	}
	m.schema.need(path[1:])
}

// builder remembers types under way, which may contain themselves.
type builder map[reflect.Type]*schema

func (b builder) build(t reflect.Type) *schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, ok := b[t]; ok {
		return s
	}
	s := &schema{t: t, kind: t.Kind()}
	b[t] = s
	switch {
	case t == reflect.TypeFor[metav1.FieldsV1]():
		s.kind = reflect.Interface
	case reflect.PointerTo(t).Implements(unmarshaler) || t == reflect.TypeFor[[]byte]():
		s.kind = reflect.Invalid
	case s.kind == reflect.Struct:
		s.fields = map[string]*member{}
		b.members(s, t)
	case s.kind == reflect.Slice || s.kind == reflect.Map:
		s.item = b.build(t.Elem())
	}
	return s
}

// members adds a struct's fields, those of inlined structs too.
func (b builder) members(s *schema, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported():
		case field.Anonymous && name == "":
			b.members(s, field.Type)
		default:
			if name == "" {
				name = field.Name
			}
			s.fields[name] = &member{schema: b.build(field.Type), number: len(s.fields)}
		}
	}
}

// fit reports whether a value that a type reads by itself, such as a time, can be read.
func (s *schema) fit(raw []byte) bool {
	return json.Unmarshal(raw, reflect.New(s.t).Interface()) == nil
}
