package commandline

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table is lines of cells, printed as columns.
type Table struct {
	// Indent stands before each line.
	Indent string

	rows   []row
	widths []int // of the columns
}

type row struct {
	cells  []string
	colour Colour
}

// Colour is that of a line's first cell. The zero value is the terminal's own.
type Colour string

// Colours for what is added, changed and removed, and for a heading.
const (
	Green  Colour = "32"
	Yellow Colour = "33"
	Red    Colour = "31"
	Bold   Colour = "1"
)

// apart is what stands between columns.
const apart = "  "

// Row adds a line, with the same number of cells as the others. Cells are made visible, see
// Visible.
func (t *Table) Row(colour Colour, cells ...string) {
	seen := make([]string, len(cells))
	t.widths = append(t.widths, make([]int, len(cells)-len(t.widths))...)
	for i, cell := range cells {
		seen[i] = Visible(cell)
		t.widths[i] = max(t.widths[i], utf8.RuneCountInString(seen[i]))
	}
	t.rows = append(t.rows, row{seen, colour})
}

// Print prints the lines, without columns that are empty.
func (t *Table) Print(out *Output) {
	for _, r := range t.rows {
		text := t.Indent
		for i, cell := range r.cells {
			if t.widths[i] == 0 {
				continue
			}
			blanks := strings.Repeat(" ", t.widths[i]-utf8.RuneCountInString(cell)) + apart
			if i == 0 && r.colour != "" && out.Colours {
				cell = "\x1b[" + string(r.colour) + "m" + cell + "\x1b[0m"
			}
			text += cell + blanks
		}
		fmt.Fprintln(out, strings.TrimRight(text, " "))
	}
}
