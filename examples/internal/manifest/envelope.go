package manifest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

const missingType = "missing; every object needs apiVersion and kind"

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

// envelope reads that of an object.
func (s *stream) envelope(raw []byte) (e envelope, err error) {
	scan := &scanner{text: raw, whole: true, limits: s.Limits}
	plain := true
	text := func(into *string) error {
		c, err := scan.next()
		if err != nil || c != '"' {
			plain = false
			return scan.value()
		}
		quoted, err := scan.quoted()
		plain = plain && *into == "" && !hasEscape(quoted)
		*into = string(quoted)
		return err
	}
	if c, err := scan.next(); err != nil || c != '{' {
		return e, json.Unmarshal(raw, &e)
	}
	err = scan.object(func(key []byte) (err error) {
		switch string(key) {
		case "apiVersion":
			return text(&e.APIVersion)
		case "kind":
			return text(&e.Kind)
		case "items":
			plain = plain && e.Items == nil
			e.Items, err = scan.raw()
			return err
		case "metadata":
			if c, err := scan.next(); err != nil || c != '{' {
				plain = false
				return scan.value()
			}
			return scan.object(func(key []byte) error {
				switch string(key) {
				case "namespace":
					return text(&e.Metadata.Namespace)
				case "name":
					return text(&e.Metadata.Name)
				}
				return scan.value()
			})
		}
		return scan.value()
	})
	if err == nil && !plain { // twice, with escapes, or of another type
		e = envelope{}
		err = json.Unmarshal(raw, &e)
	}
	return e, err
}

// list returns what the items of a list are that do not say it. It reports whether the object is a list.
func (e envelope) list(items bool) (each typeMeta, ok bool) {
	item, ok := strings.CutSuffix(e.Kind, "List")
	if !ok || !items && item != "" && empty(e.APIVersion, item) == nil {
		return typeMeta{}, false
	}
	if item == "" {
		return typeMeta{}, true
	}
	return typeMeta{e.APIVersion, item}, true
}

// object reads one JSON value: an object, or a list of them. list are the kind and version of the items of the list
// around it, where that says them.
func (s *stream) object(d *document, at place, raw []byte, list typeMeta) error {
	e, err := s.envelope(raw)
	if err != nil {
		if limit, ok := err.(limitError); ok {
			return at.problem("", limit.Error())
		}
		return at.envelopeProblem(raw, err)
	}
	if e.APIVersion == "" && e.Kind == "" && d.listing {
		d.waiting = append(d.waiting, waiting{at, slices.Clone(raw)})
		return nil
	}
	if e.APIVersion == "" && e.Kind == "" {
		e.APIVersion, e.Kind = list.APIVersion, list.Kind
	}
	switch {
	case e.Kind == "":
		return at.problem("kind", missingType)
	case e.APIVersion == "":
		return at.problem("apiVersion", missingType)
	}
	if each, ok := e.list(e.Items != nil); ok {
		return s.list(d, at, raw, e.Items, each)
	}
	return s.single(d, at.of(e), raw, e)
}

// list reads the items of a list in memory.
func (s *stream) list(d *document, at place, raw, items []byte, each typeMeta) error {
	if items == nil {
		return at.problem("items", "missing; a list needs items, if only []")
	}
	if items[0] != '[' && string(items) != "null" {
		return at.problem("items", "want a list, got "+brief(items))
	}
	if err := s.listFields(at, raw); err != nil || items[0] != '[' {
		return err
	}
	scan := &scanner{text: items, whole: true, limits: s.Limits}
	return scan.array(func(i int) error {
		item, err := scan.raw()
		if err != nil {
			return err
		}
		return s.object(d, at.item(i), item, each)
	})
}

// listFields refuses what no list has beside its items.
func (s *stream) listFields(at place, list []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(list, &fields); err != nil || s.Lenient {
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
