package commandline

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
)

// Output is where a command prints. It keeps the first error of a write for Close, so that no line has to ask.
type Output struct {
	// Width is the number of columns of the terminal; 0 means that lines may have any length.
	Width int
	// Colours says that the terminal shows colours.
	Colours bool

	out *bufio.Writer
}

// NewOutput prints to w. If w is a terminal, COLUMNS gives its width, and NO_COLOR and TERM=dumb turn colours off. A file
// and a pipe have neither width nor colours.
func NewOutput(w io.Writer) *Output {
	o := &Output{out: bufio.NewWriter(w)}
	if IsTerminal(w) {
		o.Width, _ = strconv.Atoi(os.Getenv("COLUMNS"))
		o.Colours = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return o
}

// IsTerminal reports whether a person sees what is written to w.
func IsTerminal(w io.Writer) bool {
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

// JSON prints an encoded value, whose strings are made visible by escapes, so that the value stays the same.
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
