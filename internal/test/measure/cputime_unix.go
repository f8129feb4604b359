//go:build unix

// Package measure is what the modules that measure share.
package measure

import (
	"syscall"
	"time"
)

// CPUTime is the processor time that the process has used, in its own code and in the kernel.
// Unlike the time on a clock it does not depend on what else the machine does, and it has the
// garbage collector's work in it.
func CPUTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
