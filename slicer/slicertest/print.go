package slicertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/kit"
)

// at returns a write of a run, if there is one.
func at(writes []string, i int) string {
	return append(slices.Clone(writes), "nothing")[min(i, len(writes))]
}

// tell adds a write to the printed history, and to the list for the comparison of two runs.
func (r *replay) tell(q *request) {
	if !q.writes() {
		return
	}
	done := *q // a copy, because the request may change before it is printed
	r.log.Line("      %s", kit.Text(func() string {
		text := done.text()
		if done.err != nil {
			text += " ! " + reason(done.err)
		}
		return text
	}))
	if r.kit.Judges("deterministic") {
		whole, _ := json.Marshal(q.sent) // a slice can always be encoded
		r.writes = append(r.writes, fmt.Sprintf("%s %s%s", q.text(), whole, q.patch))
	}
}

// text prints the request in short form.
func (q *request) text() string {
	verb := q.verb + " "
	if q.namespace == otherNamespace {
		verb += otherNamespace + "/"
	}
	switch {
	case q.stored != nil && q.err == nil:
		text := sliceText(q.stored)
		if q.old != nil && text == sliceText(q.old) {
			text += ", changed" + kit.Difference(bare(q.old), bare(q.stored))
		}
		return verb + text
	case q.sent != nil:
		return verb + sliceText(q.sent)
	}
	return verb + q.name
}

// bare returns a slice without what each write changes.
func bare(s *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	c := s.DeepCopy()
	c.ResourceVersion, c.Generation, c.ManagedFields = "", 0, nil
	return c
}

// subject returns the name of the slice, or the prefix of a generated name.
func (q *request) subject() string {
	if q.name == "" && q.sent != nil {
		return nameOf(q.sent)
	}
	return q.name
}

// sliceText prints a slice: its name, address type and ports, and the addresses, conditions and
// hints of each endpoint.
func sliceText(s *discoveryv1.EndpointSlice) string {
	list := make([]discoveryv1.Endpoint, len(s.Endpoints))
	for i := range s.Endpoints {
		e := plain(&s.Endpoints[i])
		list[i] = discoveryv1.Endpoint{Addresses: s.Endpoints[i].Addresses, Hints: e.Hints}
		if !*e.Conditions.Ready {
			list[i].Conditions.Ready = e.Conditions.Ready
		}
		if *e.Conditions.Terminating {
			list[i].Conditions.Terminating = e.Conditions.Terminating
		}
	}
	return fmt.Sprintf("%s = %s [%s] %s", nameOf(s), notation.AddressType(s.AddressType), notation.Ports(s.Ports),
		notation.Endpoints(notation.Sorted(list), s.Namespace))
}

// cause returns the text of an error in short form, without the parts that differ from slice to
// slice.
func cause(err error) string {
	var status apierrors.APIStatus
	switch {
	case errors.Is(err, errLost), errors.Is(err, errKilled):
		return strings.TrimPrefix(err.Error(), "slicertest: ")
	case apierrors.IsConflict(err):
		return "conflict"
	case apierrors.IsAlreadyExists(err):
		return "already exists"
	case apierrors.IsNotFound(err):
		return "not found"
	case errors.As(err, &status) && status.Status().Details != nil && len(status.Status().Details.Causes) > 0:
		if c := status.Status().Details.Causes[0]; c.Field != "" {
			return indexes.ReplaceAllString(c.Field, "[]") + " is refused: " + string(c.Type)
		}
	}
	return varying.ReplaceAllString(firstLine(err), "…")
}

// reason returns the text of an error in short form, with the field and its value.
func reason(err error) string {
	var status apierrors.APIStatus
	if apierrors.IsInvalid(err) && errors.As(err, &status) && status.Status().Details != nil {
		if causes := status.Status().Details.Causes; len(causes) > 0 {
			return causes[0].Field + " is refused: " + causes[0].Message
		}
	}
	text := cause(err)
	if strings.Contains(text, "…") {
		return firstLine(err)
	}
	return text
}

// firstLine returns the first line of an error, cut to 160 characters.
func firstLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Sprintf("%.160s", first)
}

var (
	indexes = regexp.MustCompile(`\[[0-9]+\]`)
	varying = regexp.MustCompile(`"[^"]*"|\b[0-9a-f.:]*[0-9][0-9a-f.:]*\b|\bweb-[-a-z0-9]+`)
)
