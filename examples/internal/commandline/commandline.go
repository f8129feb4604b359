// Package commandline is what the examples' commands have in common: how flags are read, help is given and mistakes are told.
package commandline

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Parse reads arguments into flags, which must not print or exit themselves. Where help is asked for, usage and the
// flags go to stdout and the error is flag.ErrHelp; any other says how to get help.
func Parse(flags *flag.FlagSet, args []string, usage string, stdout io.Writer) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return err
	case err != nil:
		return fmt.Errorf("%w (-h lists the flags)", err)
	default:
		return nil
	}
}

// Exit returns the exit code of a command that ended with an error or nil: 0, also where help was asked for, or 1 for a
// mistake in the flags or the input, which it tells on stderr, a line each.
func Exit(name string, err error, stderr io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintf(stderr, "%s: %s\n", name, line)
	}
	return 1
}
