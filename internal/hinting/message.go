package hinting

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/internal/quote"
)

// nameLimit is the largest number of names in a Message.
const nameLimit = 10

// because sets Reason and Message. The Message ends with the names, each once and sorted, if there
// are any. Names beyond the first nameLimit are only counted.
func (d *Decision) because(reason, message string, names []string) {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	more := len(names) - nameLimit
	if more > 0 {
		names = names[:nameLimit]
	}
	for i, name := range names {
		names[i] = quote.Text(name) // a name that could be misread is quoted
	}
	d.Reason, d.Message = reason, message+strings.Join(names, " ")
	if more > 0 {
		d.Message += fmt.Sprintf(" and %d more", more)
	}
}

// readyEndpoints returns "1 ready endpoint" or a larger number of them.
func readyEndpoints(n int) string {
	if n == 1 {
		return "1 ready endpoint"
	}
	return strconv.Itoa(n) + " ready endpoints"
}
