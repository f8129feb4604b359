package commandline

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
)

// TestCommand reads flags and ends as a command does: with what is printed, where, and the exit code.
func TestCommand(t *testing.T) {
	for _, row := range []struct {
		args           []string
		fault          error
		stdout, stderr string
		code           int
	}{
		{args: []string{"-n", "2"}},
		{args: []string{"-h"}, stdout: "Usage: test\n  -n int\n    \ta number\n"},
		{args: []string{"-x"}, stderr: "test: flag provided but not defined: -x (-h lists the flags)\n", code: 1},
		{fault: errors.Join(errors.New("one"), errors.New("two")), stderr: "test: one\ntest: two\n", code: 1},
	} {
		var stdout, stderr strings.Builder
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.Int("n", 0, "a number")
		err := Parse(flags, row.args, "Usage: test\n", io.Writer(&stdout))
		if err == nil {
			err = row.fault
		}
		code := Exit("test", err, &stderr)
		if code != row.code || stdout.String() != row.stdout || stderr.String() != row.stderr {
			t.Errorf("%q: exit code %d\n%s\n%s", row.args, code, &stdout, &stderr)
		}
	}
}
