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

	rows []row
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

// narrow is how narrow a column is made at most, and roomy the last one, as long as another can be dropped.
const narrow, roomy = 8, 24

// Row adds a line. Cells are made visible, see Visible.
func (t *Table) Row(colour Colour, cells ...string) {
	seen := make([]string, len(cells))
	for i, cell := range cells {
		seen[i] = Visible(cell)
	}
	t.rows = append(t.rows, row{seen, colour})
}

// Print prints the lines, of which the first is the heading. On a narrow terminal it leaves out columns of Drop and says
// which; what is still too wide goes over several lines.
func (t *Table) Print(out *Output) {
	widths, dropped := t.fit(out.Width)
	for _, r := range t.rows {
		parts := make([][]string, len(r.cells))
		height := 1
		for i, cell := range r.cells {
			if widths[i] > 0 {
				parts[i] = wrap(cell, widths[i])
				height = max(height, len(parts[i]))
			}
		}
		for line := range height {
			t.line(out, r.colour, parts, line, widths)
		}
	}
	if len(dropped) > 0 {
		for _, line := range wrap("(too narrow for "+strings.Join(dropped, ", ")+")", out.Width-len(t.Indent)) {
			fmt.Fprintln(out, t.Indent+line)
		}
	}
}

// line prints one line of the cells' parts, without blanks at its end.
func (t *Table) line(out *Output, colour Colour, parts [][]string, line int, widths []int) {
	text := t.Indent
	blanks := ""
	for i, part := range parts {
		if widths[i] == 0 {
			continue
		}
		cell := ""
		if line < len(part) {
			cell = part[line]
		}
		after := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)) + apart
		if cell == "" {
			blanks += after
			continue
		}
		if i == 0 && colour != "" && out.Colours {
			cell = "\x1b[" + string(colour) + "m" + cell + "\x1b[0m"
		}
		text += blanks + cell
		blanks = after
	}
	fmt.Fprintln(out, strings.TrimRight(text, " "))
}

// fit returns the widths of the columns, 0 for those that are left out, and the headings of these.
func (t *Table) fit(most int) (widths []int, dropped []string) {
	widths = t.widths()
	last := len(widths) - 1
	if most <= 0 || last < 0 {
		return widths, nil
	}
	for _, heading := range t.Drop {
		if t.total(widths)-max(0, widths[last]-roomy) <= most {
			break
		}
		if i := slices.Index(t.rows[0].cells, heading); i >= 0 {
			dropped = append(dropped, heading)
			widths[i] = 0
		}
	}
	for t.total(widths) > most {
		widest := last
		for i, w := range widths {
			if w > widths[widest] && widths[last] <= roomy {
				widest = i
			}
		}
		if widths[widest] <= narrow {
			break
		}
		widths[widest]--
	}
	return widths, dropped
}

// widths are what the cells of the columns need.
func (t *Table) widths() []int {
	var widths []int
	for _, r := range t.rows {
		for i, cell := range r.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// total is the width of a line.
func (t *Table) total(widths []int) int {
	total := len(t.Indent) - len(apart)
	for _, w := range widths {
		if w > 0 {
			total += w + len(apart)
		}
	}
	return total
}

// wrap cuts text into parts of at most width characters, behind blanks, commas and dashes where there are some.
func wrap(text string, width int) []string {
	width = max(width, 1)
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
