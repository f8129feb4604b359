package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slicewright/slicewright/internal/test/conformance"
)

// count writes a number with a space before each three digits.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// duration writes three digits, in milliseconds or microseconds.
func duration(d time.Duration) string {
	value, unit := float64(d)/1e6, "ms"
	if value < 1 {
		value, unit = float64(d)/1e3, "µs"
	}
	digits := 0
	for limit := 100.0; limit > value && digits < 2; limit /= 10 {
		digits++
	}
	return strconv.FormatFloat(value, 'f', digits, 64) + " " + unit
}

func figures(f conformance.Figures) string {
	return fmt.Sprintf("%s, %s allocations", duration(f.CPU), count(int(f.Allocs+0.5)))
}

// times writes how many times less.
func times(ratio float64) string {
	if ratio >= 10 {
		return count(int(ratio+0.5)) + "x"
	}
	return fmt.Sprintf("%.1fx", ratio)
}

func oneDigit(value float64) string { return strconv.FormatFloat(value, 'f', 1, 64) }

// spread writes the median of values and, if there are several, the smallest and the largest.
func spread(values []float64, format func(float64) string) string {
	if len(values) == 1 {
		return format(values[0]) + " (one run)"
	}
	return fmt.Sprintf("%s (%s to %s)", format(median(values)), format(slices.Min(values)), format(slices.Max(values)))
}

// table writes a Markdown table: a header, and rows of as many cells.
func table(header []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(header)
	b.WriteString("|" + strings.Repeat(" --- |", len(header)) + "\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}
