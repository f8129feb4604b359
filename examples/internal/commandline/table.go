package commandline

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table is lines of cells, printed as columns.
type Table struct {
	// Indent stands before each line.
	Indent string
	// Drop lists the headings of columns that a narrow terminal may do without, the least important first.
	Drop []string

	rows   []row
	widths []int // of the columns; 0 for those that are left out
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

// narrow is how narrow the last column is made at most, and roomy as long as another can be dropped.
const narrow, roomy = 8, 24

// Row adds a line, with as many cells as the others have. Cells are made visible, see Visible.
func (t *Table) Row(colour Colour, cells ...string) {
	seen := make([]string, len(cells))
	t.widths = append(t.widths, make([]int, len(cells)-len(t.widths))...)
	for i, cell := range cells {
		seen[i] = Visible(cell)
		t.widths[i] = max(t.widths[i], utf8.RuneCountInString(seen[i]))
	}
	t.rows = append(t.rows, row{seen, colour})
}

// Print prints the lines, of which the first is the heading. On a narrow terminal it leaves out columns of Drop and says
// which; if the lines are still too wide, the last cell goes over several of them.
func (t *Table) Print(out *Output) {
	dropped, last := t.fit(out.Width), len(t.widths)-1
	for _, r := range t.rows {
		text := t.Indent
		for i, cell := range r.cells[:last] {
			if t.widths[i] == 0 {
				continue
			}
			blanks := strings.Repeat(" ", t.widths[i]-utf8.RuneCountInString(cell)) + apart
			if i == 0 && r.colour != "" && out.Colours {
				cell = "\x1b[" + string(r.colour) + "m" + cell + "\x1b[0m"
			}
			text += cell + blanks
		}
		for _, part := range wrap(r.cells[last], t.widths[last]) {
			fmt.Fprintln(out, strings.TrimRight(text+part, " "))
			text = strings.Repeat(" ", t.total()-t.widths[last])
		}
	}
	if len(dropped) > 0 {
		fmt.Fprintf(out, "%s(too narrow for %s)\n", t.Indent, strings.Join(dropped, ", "))
	}
}

// fit makes a line as wide as the terminal at most, and returns the headings that are left out.
func (t *Table) fit(most int) (dropped []string) {
	if most <= 0 {
		return nil
	}
	last := &t.widths[len(t.widths)-1]
	for _, heading := range t.Drop {
		if t.total()-max(0, *last-roomy) <= most {
			break
		}
		if i := slices.Index(t.rows[0].cells, heading); i >= 0 {
			dropped = append(dropped, heading)
			t.widths[i] = 0
		}
	}
	*last = min(*last, max(narrow, *last+most-t.total()))
	return dropped
}

// total is the width of a line.
func (t *Table) total() int {
	total := len(t.Indent) - len(apart)
	for _, w := range t.widths {
		if w > 0 {
			total += w + len(apart)
		}
	}
	return total
}

// wrap cuts text into parts of at most width characters, behind blanks, commas and dashes where there are some.
func wrap(text string, width int) []string {
	var parts []string
	rest := []rune(text)
	for len(rest) > width {
		cut := width
		for i := width; i > width/2; i-- {
			if strings.ContainsRune(" ,-/", rest[i-1]) {
				cut = i
				break
			}
		}
		parts = append(parts, strings.TrimRight(string(rest[:cut]), " "))
		rest = rest[cut:]
	}
	return append(parts, string(rest))
}
