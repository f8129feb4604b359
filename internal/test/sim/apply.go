package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Server-side apply (https://kubernetes.io/docs/reference/using-api/server-side-apply/). Each
// label, annotation, owner and finalizer is a field of its own; addressType, endpoints and ports
// are one field each.

// owners are the fields that each manager owns; "" stands for clients that write without apply.
type owners map[string]map[string]bool

func (o owners) clone() owners {
	c := owners{}
	for manager, set := range o {
		c[manager] = maps.Clone(set)
	}
	return c
}

// others reports whether another manager owns the field. With drop, only this manager owns it
// afterwards.
func (o owners) others(manager, f string, drop bool) bool {
	found := false
	for m, set := range o {
		if m != manager && set[f] {
			found = true
			if drop {
				delete(set, f)
			}
		}
	}
	return found
}

// Apply merges what a manager wants of a slice into it, takes back what that manager wanted before
// and wants no more, and returns the slice as stored. A field that another manager owns with
// another value is a conflict, or is taken with force.
func (s *Server) Apply(at types.NamespacedName, manager string, config []byte,
	force bool) (*discoveryv1.EndpointSlice, error) {
	name := at.Name
	var object map[string]any
	if err := json.Unmarshal(config, &object); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	strict := json.NewDecoder(bytes.NewReader(config))
	strict.DisallowUnknownFields()
	meta, _ := object["metadata"].(map[string]any)
	switch {
	case manager == "":
		return nil, apierrors.NewInvalid(kind, name,
			field.ErrorList{field.Required(field.NewPath("fieldManager"), "is needed to apply")})
	case object["kind"] != kind.Kind || object["apiVersion"] != discoveryv1.SchemeGroupVersion.String():
		return nil, apierrors.NewBadRequest("the kind or apiVersion is missing or another")
	case meta["name"] != nil && meta["name"] != name, meta["namespace"] != nil && meta["namespace"] != at.Namespace:
		return nil, apierrors.NewBadRequest("the name is another")
	}
	if err := strict.Decode(&discoveryv1.EndpointSlice{}); err != nil {
		return nil, storageError(err.Error())
	}
	old, owned := s.Get(name), s.owners[name].clone()
	base, live := map[string]any{}, map[string]any{}
	if old != nil {
		base = generic(old)
		live = flat(base)
		if len(owned) == 0 {
			owned[""] = keys(live)
		}
	}
	fields := flat(object)
	for f, value := range fields {
		if was, there := live[f]; there && !reflect.DeepEqual(was, value) && owned.others(manager, f, force) && !force {
			return nil, apierrors.NewConflict(resource, name, errors.New("another manager owns a field"))
		}
		live[f] = value
	}
	for f := range owned[manager] {
		if _, wanted := fields[f]; !wanted && !owned.others(manager, f, false) {
			delete(live, f)
		}
	}
	owned[manager] = keys(fields)
	c := typed(base, live, object)
	c.Name, c.Namespace = name, at.Namespace
	return s.applied(old, c, owned)
}

// applied stores an applied slice, and who owns its fields, which is a write of its own where
// nothing else changes.
func (s *Server) applied(old, c *discoveryv1.EndpointSlice, owned owners) (*discoveryv1.EndpointSlice, error) {
	if old == nil {
		if c.UID != "" {
			return nil, apierrors.NewConflict(resource, c.Name, errors.New("there is no slice"))
		}
		c.ResourceVersion = ""
		out, err := s.Create(c)
		if err == nil {
			s.own(c.Name, owned)
		}
		return out, err
	}
	if c.UID != "" && c.UID != old.UID {
		return nil, apierrors.NewInvalid(kind, c.Name,
			field.ErrorList{field.Forbidden(field.NewPath("metadata", "uid"), "is another")})
	}
	out, err := s.Update(c)
	if err != nil {
		return nil, err
	}
	if out.ResourceVersion == old.ResourceVersion && !reflect.DeepEqual(owned, s.owners[c.Name]) {
		out.ResourceVersion = s.next()
		s.record(c.Name, out.DeepCopy())
	}
	s.own(c.Name, owned)
	return out, nil
}

func (s *Server) own(name string, owned owners) {
	if s.Get(name) == nil {
		return
	}
	if s.owners == nil {
		s.owners = map[string]owners{}
	}
	s.owners[name] = owned
}

// written notes that a client has written a slice without apply. It alone owns what has changed.
func (s *Server) written(name string, old, c *discoveryv1.EndpointSlice) {
	owned := s.owners[name]
	if owned == nil {
		return
	}
	if c == nil || old == nil {
		delete(s.owners, name)
		return
	}
	was := flat(generic(old))
	is := flat(generic(c))
	changed := owned[""]
	if changed == nil {
		changed = map[string]bool{}
		owned[""] = changed
	}
	for f, value := range is {
		if before, there := was[f]; !there || !reflect.DeepEqual(before, value) {
			owned.others("", f, true)
			changed[f] = true
		}
	}
	for f := range was {
		if _, there := is[f]; !there {
			owned.others("nobody", f, true)
		}
	}
}

// generic is a slice as JSON has it.
func generic(slice *discoveryv1.EndpointSlice) map[string]any {
	var o map[string]any
	data, err := json.Marshal(slice)
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil {
		panic(err) // a slice can always be encoded
	}
	return o
}

// lists are those of the metadata whose elements are fields of their own, each with what names an
// element.
var lists = map[string]func(any) string{
	"ownerReferences": func(v any) string { o, _ := v.(map[string]any); uid, _ := o["uid"].(string); return uid },
	"finalizers":      func(v any) string { text, _ := v.(string); return text },
}

// flat returns the values of all fields that have owners.
func flat(o map[string]any) map[string]any {
	fields := map[string]any{}
	for _, key := range []string{"addressType", "endpoints", "ports"} {
		if value, there := o[key]; there {
			fields[key] = value
		}
	}
	meta, _ := o["metadata"].(map[string]any)
	for _, key := range []string{"labels", "annotations"} {
		values, _ := meta[key].(map[string]any)
		for k, v := range values {
			fields[key+"/"+k] = v
		}
	}
	for key, named := range lists {
		values, _ := meta[key].([]any)
		for _, v := range values {
			fields[key+"/"+named(v)] = v
		}
	}
	return fields
}

func keys(fields map[string]any) map[string]bool {
	set := map[string]bool{}
	for f := range fields {
		set[f] = true
	}
	return set
}

// typed is the base with these fields instead of its own, and the UID and resourceVersion that are
// asked for. Elements of lists stay in the order of the base, and new ones come in the order in
// which they are applied.
func typed(base, fields, applied map[string]any) *discoveryv1.EndpointSlice {
	old, _ := base["metadata"].(map[string]any)
	asked, _ := applied["metadata"].(map[string]any)
	meta := maps.Clone(old)
	if meta == nil {
		meta = map[string]any{}
	}
	for _, key := range []string{"uid", "resourceVersion", "labels", "annotations"} {
		delete(meta, key)
	}
	for _, key := range []string{"uid", "resourceVersion"} {
		if value, there := asked[key]; there {
			meta[key] = value
		}
	}
	o := map[string]any{"metadata": meta}
	for f, value := range fields {
		key, k, deep := strings.Cut(f, "/")
		switch {
		case !deep:
			o[key] = value
		case lists[key] == nil:
			values, _ := meta[key].(map[string]any)
			if values == nil {
				values = map[string]any{}
			}
			values[k] = value
			meta[key] = values
		}
	}
	for key, named := range lists {
		was, _ := old[key].([]any)
		add, _ := asked[key].([]any)
		meta[key] = elements(fields, slices.Concat(was, add), func(v any) string { return key + "/" + named(v) })
	}
	c := &discoveryv1.EndpointSlice{}
	data, err := json.Marshal(o)
	if err == nil {
		err = json.Unmarshal(data, c)
	}
	if err != nil {
		panic(err) // both parts have been slices
	}
	return c
}

// elements are the values that the fields have for the elements of a list, each once.
func elements(fields map[string]any, list []any, named func(any) string) (out []any) {
	for _, v := range list {
		if value, there := fields[named(v)]; there {
			out = append(out, value)
			delete(fields, named(v))
		}
	}
	return out
}
