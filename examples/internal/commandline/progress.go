package commandline

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// Progress is a line on a terminal that says how far a long run is. It says nothing to a file or a pipe.
type Progress struct {
	out   io.Writer // nil: no terminal
	width int
}

// NewProgress shows the line on stderr.
func NewProgress(stderr io.Writer) *Progress {
	if !IsTerminal(stderr) {
		return &Progress{}
	}
	return &Progress{out: stderr}
}

// Seen reports whether anybody sees the line.
func (p *Progress) Seen() bool { return p.out != nil }

// Show replaces the line.
func (p *Progress) Show(line string) {
	if p.out == nil {
		return
	}
	line = Visible(line)
	fmt.Fprintf(p.out, "\r%-*s", p.width, line)
	p.width = utf8.RuneCountInString(line)
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p.width > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.width, "")
		p.width = 0
	}
}
