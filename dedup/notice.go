package dedup

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/quote"
)

// Notice is a part of a slice that was not used, and why.
type Notice struct {
	// Slice is zero if the Notice is about a whole Service, or a list or option.
	Slice types.NamespacedName
	// Reason is a CamelCase word. The package comment lists them.
	Reason string
	// Err says what is wrong, where, and what to do. It is never nil. In Warnings it is a
	// *field.Error, whose path is inside the slice. For a slice without a name, and for a name that
	// is in a list twice, the path starts with the index in the list.
	Err error
}

// String returns one line: the slice, a colon and the error.
func (n Notice) String() string {
	text := n.Reason
	if n.Err != nil {
		text = n.Err.Error()
	}
	if n.Slice.Name != "" {
		text = quote.Name(n.Slice.Namespace, n.Slice.Name) + ": " + text
	}
	return text
}

// Notices is a list of Notices that prints as lines.
type Notices []Notice

// String returns a line for each of the first twenty Notices, and the number of the others.
func (n Notices) String() string { return quote.Lines(n) }

// noticesOf returns problems in the form that callers see, or nil if there are none.
func noticesOf(problems ...[]content.Problem) (all Notices) {
	for _, list := range problems {
		all = slices.Grow(all, len(list))
		for _, p := range list {
			all = append(all, Notice{Slice: p.Slice, Reason: p.Reason, Err: p.Err})
		}
	}
	return all
}
