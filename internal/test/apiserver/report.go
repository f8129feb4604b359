package apiserver

import (
	"fmt"
	"os"
)

// report prints a line to standard error, and to the terminal where go test keeps standard error to itself.
func report(format string, args ...any) {
	line := fmt.Sprintf("apiserver: "+format+"\n", args...)
	fmt.Fprint(os.Stderr, line)
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return
	}
	if terminal, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0); err == nil {
		defer terminal.Close()
		fmt.Fprint(terminal, line)
	}
}
