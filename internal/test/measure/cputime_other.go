//go:build !unix

// Package measure is what the modules that measure share.
package measure

import "time"

var began = time.Now()

// CPUTime is the time on a clock, where processor time is not to be had.
func CPUTime() time.Duration { return time.Since(began) }
