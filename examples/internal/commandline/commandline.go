// Package commandline is what the example commands have in common: how flags are read, how help is
// given, how mistakes are reported, and how text that comes from files is printed so that it cannot
// pass for the command's own.
package commandline

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// Parse reads arguments into flags, which must not print or exit themselves, and returns the other
// words in order. Flags may stand before, between and behind the words; after "--" everything is a
// word. Where help is asked for, usage and the flags go to stdout and the error is flag.ErrHelp;
// any other error says how to get help.
func Parse(flags *flag.FlagSet, args []string, usage string, stdout io.Writer) (words []string, err error) {
	flags.SetOutput(io.Discard)
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, help(flags, usage, stdout)
		}
		if err != nil {
			return nil, fmt.Errorf("%w (-h lists the flags)", err)
		}
		rest := flags.Args()
		if read := len(args) - len(rest); len(rest) == 0 || read > 0 && args[read-1] == "--" {
			return append(words, rest...), nil
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

// help prints usage and flags. Its error is flag.ErrHelp, or that of the write.
func help(flags *flag.FlagSet, usage string, stdout io.Writer) error {
	out := NewOutput(stdout)
	fmt.Fprint(out, usage)
	flags.SetOutput(out)
	flags.PrintDefaults()
	if err := out.Close(); err != nil {
		return err
	}
	return flag.ErrHelp
}

// Exit returns the exit code of a command that ended with an error or nil: 0, also where help was
// asked for, or 1 for a mistake in the flags or the input, or an output that cannot be written. It
// tells each error on a line of stderr.
func Exit(name string, err error, stderr io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	for _, line := range Lines(err) {
		fmt.Fprintf(stderr, "%s: %s\n", name, Visible(line))
	}
	return 1
}

// Lines takes joined errors apart and returns their texts, in order.
func Lines(err error) []string {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var all []string
	for _, e := range joined.Unwrap() {
		all = append(all, Lines(e)...)
	}
	return all
}
