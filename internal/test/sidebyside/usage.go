package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// usage is what a process used so far.
type usage struct {
	cpu  time.Duration
	peak int64 // bytes of memory that were resident at the most
}

// usageOf reads Linux's counts.
func usageOf(pid int) (u usage, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, fmt.Errorf("CPU time and memory are read from Linux's /proc: %w", err)
	}
	// Fields are counted after the name, which is in parentheses and may hold anything.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	const user, system, tick = 11, 12, 10 * time.Millisecond // Linux shows hundredths of a second
	for _, i := range []int{user, system} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return u, err
		}
		u.cpu += time.Duration(n) * tick
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return u, err
	}
	for _, line := range strings.Split(string(status), "\n") {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			if err != nil {
				return u, err
			}
			u.peak = kib << 10
		}
	}
	return u, nil
}
