package hinting

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/slicewright/slicewright/internal/hinting/limit"
	"github.com/slicewright/slicewright/internal/quote"
)

// String returns one line with what was decided and why. For Proportional, and for SameZone with a
// limit, a table with a row for each zone follows. The text ends without a newline. It is meant for
// people, and may change.
func (d Decision) String() string {
	state := "off"
	if d.On {
		state = "on"
	}
	text := cmp.Or(string(d.Mode), "None") + ": " + state
	if d.AddressType != "" {
		text = string(d.AddressType) + " " + text
	}
	if d.Reason != "" {
		text += ": " + d.reasonText()
	}
	switch {
	case d.Opened == 1:
		text += "; 1 slice rewritten for its hints"
	case d.Opened > 1:
		text += fmt.Sprintf("; %d slices rewritten for their hints", d.Opened)
	}
	if len(d.Allocation.Zones) > 0 {
		text += d.Allocation.table(d.On)
	}
	return text
}

// reasonText returns the reason in words.
func (d Decision) reasonText() string {
	a := d.Allocation
	ready := plural(a.Ready, "ready endpoint")
	switch d.Reason {
	case Allocated:
		return ready + ", " + d.allocatedText()
	case TooFewEndpoints:
		return fmt.Sprintf("%s for %d zones", ready, len(a.Zones))
	case OverThreshold:
		return fmt.Sprintf("with %s some zone would be overloaded by more than %d%%", ready, a.Threshold)
	case TooManyZones:
		return fmt.Sprintf("some of %s would have to serve more than %d zones", ready, limit.MaxNames)
	case SingleZone:
		return "only one zone has a weight"
	case NoWeights:
		if d.Mode == SameZone {
			return "no zone has a weight, so there is no limit"
		}
		return "no zone has a weight"
	case NodeWithoutZone:
		return "Nodes without zone: " + d.nameList()
	case NodeWithoutCPU:
		return "Nodes without allocatable CPU: " + d.nameList()
	case EndpointWithoutZone:
		return "ready endpoints without zone: " + d.nameList()
	case InvalidName:
		return "names that cannot be hints: " + d.nameList()
	default:
		return string(d.Reason)
	}
}

// allocatedText says how much overload the allocation has, and whether it was kept.
func (d Decision) allocatedText() string {
	a := d.Allocation
	text := fmt.Sprintf("no zone overloaded by more than %d%%", a.Threshold)
	switch {
	case d.Mode == SameZone && a.Held:
		return fmt.Sprintf("kept as they are, none more than %d%% above the mean", a.Threshold+limit.Margin)
	case d.Mode == SameZone:
		return fmt.Sprintf("none more than %d%% above the mean", a.Threshold)
	case a.Held:
		return text + ", kept as it is"
	default:
		return text
	}
}

// nameList returns Names as a text. A name that could be misread is quoted.
func (d Decision) nameList() string {
	parts := make([]string, len(d.Names))
	for i, name := range d.Names {
		parts[i] = quote.Text(name)
	}
	text := strings.Join(parts, " ")
	if d.More > 0 {
		text += fmt.Sprintf(" and %d more", d.More)
	}
	return text
}

// table returns a line for each zone, with its name aligned left and the numbers aligned right. A
// name that could be misread is quoted. If hints are off, no zone has an overload.
func (a Allocation) table(on bool) string {
	width := len("ZONE")
	for _, z := range a.Zones {
		width = max(width, utf8.RuneCountInString(quote.Text(z.Name)))
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%-*s\tWEIGHT\tMINIMUM\tLOCAL\tHINTED\tOVERLOAD\t\n", width, "ZONE")
	for _, z := range a.Zones {
		overload := "-"
		if on {
			overload = z.Overload.String()
		}
		name := quote.Text(z.Name)
		fmt.Fprintf(t, "%-*s\t%d\t%d\t%d\t%d\t%s\t\n", width, name, z.Weight, z.Minimum, z.Local, z.Hinted, overload)
	}
	t.Flush()
	// The padding of 2 is the space between columns. Remove it before the first column.
	return strings.TrimSuffix(strings.ReplaceAll("\n"+b.String(), "\n  ", "\n"), "\n")
}

// String returns the percentage with its sign and two digits, such as +33.34%, and 0% for a fair
// share.
func (o Overload) String() string {
	if o == 0 {
		return "0%"
	}
	sign, size := '+', uint64(o)
	if o < 0 {
		sign, size = '-', -size
	}
	return fmt.Sprintf("%c%d.%02d%%", sign, size/100, size%100)
}

// plural prints a number of things: 1 slice, 2 slices.
func plural(n int, one string) string {
	if n != 1 {
		one += "s"
	}
	return strconv.Itoa(n) + " " + one
}
