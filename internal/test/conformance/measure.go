package conformance

import (
	"runtime"
	"time"

	"github.com/slicewright/slicewright/internal/test/measure"
)

// Figures are what one operation costs.
type Figures struct {
	CPU    time.Duration // processor time, the garbage collector's included
	Allocs float64       // of memory
}

// Measure runs operations in turn, round after round, so that whatever else the machine does meets all of them, and
// returns the best round of each. A round takes at least so much processor time.
func Measure(rounds int, round time.Duration, operations ...func()) []Figures {
	best := make([]Figures, len(operations))
	for r := range rounds {
		for i, operation := range operations {
			if f := measureRound(round, operation); r == 0 || f.CPU < best[i].CPU {
				best[i] = f
			}
		}
	}
	return best
}

func measureRound(round time.Duration, operation func()) Figures {
	operation() // what a first run leaves in pools and caches is there
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, n := measure.CPUTime(), 0
	for n == 0 || measure.CPUTime()-start < round {
		operation()
		n++
	}
	used := measure.CPUTime() - start
	runtime.ReadMemStats(&after)
	return Figures{
		CPU:    used / time.Duration(n),
		Allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
	}
}
