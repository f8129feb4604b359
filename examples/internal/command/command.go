// Package command is what the commands have in common: how flags are read, how help is given, how
// mistakes are reported, and how text that comes from files is printed so that it cannot pass for the
// command's own.
package command

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// Command is a command and its flags.
type Command struct {
	Usage string // its first words are Usage: and the name
	Flags *flag.FlagSet
	// Check returns what is wrong with the flags.
	Check func() error
	// Run prints what there is to say of the objects.
	Run func(objects *manifest.Objects, out *Output) error

	// Service and All are flags of every command: the name or namespace/name of a Service, and
	// whether every line of each list is printed.
	Service string
	All     bool
}

// Main runs the command, and returns the exit code: 0, also if help was asked for, or 1 for a mistake
// in the flags or the input, or if the output cannot be written. Each error is a line of stderr.
func (c *Command) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &Output{bufio.NewWriter(stdout), c}
	err := c.run(args, stdin, out)
	if failed := out.out.Flush(); failed != nil {
		err = errors.Join(err, fmt.Errorf("the output is not complete: %w", failed))
	}
	name := strings.Fields(c.Usage)[1]
	for _, line := range Lines(err) {
		fmt.Fprintf(stderr, "%s: %s\n", name, Visible(line))
	}
	if err != nil {
		return 1
	}
	return 0
}

func (c *Command) run(args []string, stdin io.Reader, out *Output) error {
	c.Flags.StringVar(&c.Service, "service", "", "only this Service: `name` or namespace/name")
	c.Flags.BoolVar(&c.All, "all", false, "print every line of each list, not the first few")
	lenient := c.Flags.Bool("lenient", false,
		"skip unknown fields, as a newer API server may print, and objects of other APIs")
	files, err := c.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(out, c.Usage)
		c.Flags.SetOutput(out)
		c.Flags.PrintDefaults()
		return nil
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w (-h lists the flags)", err)
	case len(files) == 0:
		return errors.New("no file given; - reads standard input, -h helps")
	case strings.Count(c.Service, "/") > 1:
		return fmt.Errorf("-service %s: want name or namespace/name", c.Service)
	}
	if err := c.Check(); err != nil {
		return err
	}
	objects, err := manifest.Files(stdin, *lenient, files...)
	if err != nil {
		return err
	}
	return c.Run(objects, out)
}

// parse returns the words that are no flags. Flags may stand before, between and behind them; after
// "--" everything is a word.
func (c *Command) parse(args []string) (words []string, err error) {
	c.Flags.SetOutput(io.Discard)
	for {
		if err := c.Flags.Parse(args); err != nil {
			return nil, err
		}
		rest := c.Flags.Args()
		if read := len(args) - len(rest); len(rest) == 0 || read > 0 && args[read-1] == "--" {
			return append(words, rest...), nil
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

// Lines takes joined errors apart and returns their texts, in order.
func Lines(err error) (all []string) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok && err != nil {
		return []string{err.Error()}
	}
	for i := 0; ok && i < len(joined.Unwrap()); i++ {
		all = append(all, Lines(joined.Unwrap()[i])...)
	}
	return all
}

// Output is where a command prints. It keeps the first error of a write, so that no line has to ask.
type Output struct {
	out     *bufio.Writer
	command *Command
}

// Write prints text of the command's own.
func (o *Output) Write(text []byte) (int, error) { return o.out.Write(text) }

// Line prints a line. What the verbs in format print is made visible, see Visible.
func (o *Output) Line(format string, args ...any) {
	for i, arg := range args {
		if text := fmt.Sprint(arg); Visible(text) != text {
			args[i] = Visible(text)
		}
	}
	fmt.Fprintf(o.out, format+"\n", args...)
}

// Few is how many lines of a kind are printed if not all are asked for.
const Few = 5

// Shorten returns the lines, or the first few and their number if there are many and -all is not given.
func (c *Command) Shorten(lines []string) []string {
	if n := len(lines) - Few; n > 1 && !c.All {
		return append(lines[:Few:Few], fmt.Sprintf("and %d more (-all lists them)", n))
	}
	return lines
}

// List prints lines, indented, see Shorten.
func (o *Output) List(indent string, lines []string) { o.Lines(indent, o.command.Shorten(lines)) }

// Lines prints all lines, indented.
func (o *Output) Lines(indent string, lines []string) {
	for _, line := range lines {
		o.Line("%s%s", indent, line)
	}
}

// Table prints rows of cells as columns, indented.
func (o *Output) Table(rows [][]string) {
	columns := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = Visible(cell)
		}
		fmt.Fprintln(columns, "  "+strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	columns.Flush()
}

// Count returns a number with a noun, such as "3 Pods".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Visible returns text as it is if every character of it can be seen, and quoted as in Go if one
// cannot: a line feed that would forge a line, an escape sequence that would steer the terminal, a
// mark that would turn the direction of writing.
func Visible(text string) string {
	for _, r := range text {
		if !strconv.IsPrint(r) {
			return strconv.Quote(text)
		}
	}
	return text
}
