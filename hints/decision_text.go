package hints

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns a line that says what was decided and why, and below it, for Proportional, a row for each zone. It ends
// without a newline. It is for people: the text may change.
func (d Decision) String() string {
	var b strings.Builder
	if d.AddressType != "" {
		b.WriteString(string(d.AddressType) + " ")
	}
	state := "off"
	if d.On {
		state = "on"
	}
	fmt.Fprintf(&b, "%s: %s", d.Mode.word(), state)
	if why := d.why(); why != "" {
		b.WriteString(": " + why)
	}
	if d.Opened > 0 {
		fmt.Fprintf(&b, "; %s", count(d.Opened, "clean slice opened", "clean slices opened"))
	}
	d.writeZones(&b)
	return b.String()
}

// why says the reason in words, nothing if the mode decides.
func (d Decision) why() string {
	ready := count(d.Ready, "ready endpoint", "ready endpoints")
	switch d.Reason {
	case "":
		return ""
	case Allocated:
		text := fmt.Sprintf("%s, no zone overloaded above %d%%", ready, d.Threshold)
		if d.Held {
			text += ", kept as it is"
		}
		return text
	case TooFewEndpoints:
		return fmt.Sprintf("%s for %d zones", ready, len(d.Zones))
	case OverThreshold:
		text := fmt.Sprintf("with %s some zone is overloaded by %s at best, above %d%%", ready, d.Best, d.Threshold)
		if d.Next > 0 {
			text += fmt.Sprintf("; %d would do", d.Next)
		}
		return text
	case SingleZone:
		return "only one zone has a weight"
	case NoWeights:
		return "no zone has a weight"
	case NodeWithoutZone:
		return "Nodes without zone: " + d.named()
	case NodeWithoutCPU:
		return "Nodes without allocatable CPU: " + d.named()
	case EndpointWithoutZone:
		return "ready endpoints without zone: " + d.named()
	case InvalidName:
		return "names that cannot be hints: " + d.named()
	default:
		return string(d.Reason)
	}
}

// named lists Names; what is odd in them is quoted.
func (d Decision) named() string {
	parts := make([]string, len(d.Names))
	for i, name := range d.Names {
		if parts[i] = name; name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
			parts[i] = strconv.Quote(name)
		}
	}
	text := strings.Join(parts, " ")
	if d.More > 0 {
		text += fmt.Sprintf(" and %d more", d.More)
	}
	return text
}

// writeZones writes the table, the first column to the left and the numbers to the right.
func (d Decision) writeZones(b *strings.Builder) {
	if len(d.Zones) == 0 {
		return
	}
	rows := [][6]string{{"ZONE", "WEIGHT", "MINIMUM", "HOMES", "HINTED", "OVERLOAD"}}
	for _, z := range d.Zones {
		overload := "-"
		if d.On {
			overload = z.Overload.String()
		}
		rows = append(rows, [6]string{z.Name, strconv.FormatInt(z.Weight, 10), strconv.Itoa(z.Minimum),
			strconv.Itoa(z.Homes), strconv.Itoa(z.Hinted), overload})
	}
	var width [6]int
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(b, "\n%-*s", width[0], row[0])
		for i := 1; i < len(row); i++ {
			fmt.Fprintf(b, "  %*s", width[i], row[i])
		}
	}
}

// String returns the percentage with two digits and its sign, as in +33.34%, and 0% for a fair share.
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

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
