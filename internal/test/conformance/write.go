package conformance

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/slicer"
)

// Write is one request to the API server.
type Write struct {
	Verb string
	Name string // of an existing slice; empty for a create
	// Slice is the object sent, nil for a delete.
	Slice *discoveryv1.EndpointSlice
}

// After returns the slices as they are once all writes are applied by an API server that refuses
// nothing. Created ones are named new-1, new-2 and so on.
func After(existing []*discoveryv1.EndpointSlice, writes []Write) []*discoveryv1.EndpointSlice {
	written := map[string]*discoveryv1.EndpointSlice{}
	var created []*discoveryv1.EndpointSlice
	for _, w := range writes {
		if w.Verb != slicer.Create {
			written[w.Name] = w.Slice
			continue
		}
		s := w.Slice.DeepCopy()
		s.Name = fmt.Sprintf("new-%d", len(created)+1)
		created = append(created, s)
	}
	var after []*discoveryv1.EndpointSlice
	for _, s := range existing {
		if w, ok := written[s.Name]; !ok {
			after = append(after, s)
		} else if w != nil {
			after = append(after, w)
		}
	}
	return append(after, created...)
}

// Describe prints writes for failures, a line each.
func Describe(writes []Write) string {
	var b strings.Builder
	for _, w := range writes {
		fmt.Fprintf(&b, "%s %s", w.Verb, w.Name)
		if w.Slice != nil {
			b.WriteString(" " + check.ShowSlice(w.Slice))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
