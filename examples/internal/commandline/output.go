package commandline

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// Output is where a command prints. It keeps the first error of a write for Close, so that no line
// has to ask.
type Output struct {
	// Colours says that the terminal shows colours.
	Colours bool

	out *bufio.Writer
}

// NewOutput prints to w. A terminal has colours, which NO_COLOR and TERM=dumb turn off. A file and
// a pipe have none.
func NewOutput(w io.Writer) *Output {
	o := &Output{out: bufio.NewWriter(w)}
	if isTerminal(w) {
		o.Colours = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return o
}

// isTerminal reports whether a person sees what is written to w.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&(os.ModeDevice|os.ModeCharDevice) == os.ModeDevice|os.ModeCharDevice
}

// Write prints text of the command's own.
func (o *Output) Write(text []byte) (int, error) { return o.out.Write(text) }

// Line prints a line. What the verbs in format print is made visible, see Visible.
func (o *Output) Line(format string, args ...any) {
	fmt.Fprintf(o.out, format+"\n", visible(args)...)
}

// JSON prints an encoded value, whose strings are made visible by escapes, so that the value stays
// the same.
func (o *Output) JSON(text string) { fmt.Fprintln(o.out, visibleJSON(text)) }

// Close returns the first error of all writes.
func (o *Output) Close() error {
	if err := o.out.Flush(); err != nil {
		return fmt.Errorf("the output is not complete: %w", err)
	}
	return nil
}

// Bytes gives a size with one decimal, cut off: 999 B, 45.2 kB, 1.3 TB.
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	const units = "kMGTPE"
	unit := 0
	for ; n >= 1_000_000; unit++ {
		n /= 1000
	}
	return fmt.Sprintf("%d.%d %cB", n/1000, n%1000/100, units[unit])
}
