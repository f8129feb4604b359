//go:build !unix

package conformance

import "time"

var began = time.Now()

// cpuTime is the time on a clock, where processor time is not to be had.
func cpuTime() time.Duration { return time.Since(began) }
