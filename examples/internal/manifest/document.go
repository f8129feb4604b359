package manifest

import (
	"k8s.io/apimachinery/pkg/runtime"
)

// document is one YAML document or JSON value under way. Its objects are taken over when all of it is read, because only
// then it is known for certain that it is what it looks like.
type document struct {
	at      place
	found   []found
	others  []Other
	listed  bool // its items were read one by one
	listing bool // they come before the kind

	// Where the items of a list come before its kind, items without a kind wait here for it, and the first mistake in an
	// item does, since the document may be no list.
	waiting []waiting
	failed  error
}

// found is an object that was read.
type found struct {
	at     place
	id     identity
	object runtime.Object
}

// waiting is an item whose kind is its list's.
type waiting struct {
	at  place
	raw []byte
}

// begin starts a document at the window's line.
func (s *stream) begin() *document {
	s.at.document++
	return &document{at: s.at}
}

// end takes over what a document has.
func (s *stream) end(d *document) error {
	s.under = 0
	for _, f := range d.found {
		if err := s.objects.add(f); err != nil {
			return err
		}
	}
	s.objects.Other = append(s.objects.Other, d.others...)
	return nil
}

// value reads a document that is in memory.
func (s *stream) value(d *document, raw []byte) error {
	if string(raw) == "null" {
		s.at.document--
		return nil
	}
	if err := s.object(d, d.at, raw, typeMeta{}); err != nil {
		return err
	}
	return s.end(d)
}

// item reads an item of a list whose fields are not all known yet.
func (s *stream) item(d *document, i int, raw []byte, each typeMeta) error {
	if d.failed != nil {
		return nil
	}
	err := s.object(d, d.at.item(i), raw, each)
	if d.listing {
		d.failed, err = err, nil
	}
	return err
}

// close ends a document of which the items are read: head is the JSON of its other fields.
func (s *stream) close(d *document, head []byte) error {
	e, err := s.envelope(head)
	if err != nil {
		return d.at.envelopeProblem(head, err)
	}
	each, ok := e.list(true)
	switch {
	case e.Kind == "":
		return d.at.problem("kind", missingType)
	case e.APIVersion == "":
		return d.at.problem("apiVersion", missingType)
	case !ok && empty(e.APIVersion, e.Kind) == nil:
		return s.end(&document{others: []Other{d.at.other(e)}})
	case !ok:
		return d.at.of(e).problem("items", unknownField)
	}
	if err := s.listFields(d.at, head); err != nil {
		return err
	}
	if d.failed != nil {
		return d.failed
	}
	d.listing = false
	for _, item := range d.waiting {
		if err := s.object(d, item.at, item.raw, each); err != nil {
			return err
		}
	}
	return s.end(d)
}
