package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/internal/trace"
)

// mostPods is the number of Pods that have an address of their own.
const mostPods = 1 << 24

// readTrace reads a file, "-" being standard input:
//
//	# Two of five Pods are replaced.
//	+1..5
//	!1 !2 +6 +7   # a round of its own
//	-1 -2
//	.             # a round without a change
func readTrace(name string, stdin io.Reader) (trace.Trace, error) {
	in := stdin
	t := trace.Trace{Name: "standard input"}
	if name == "-" {
		name = t.Name
	} else {
		file, err := os.Open(name)
		if err != nil {
			return t, err
		}
		defer file.Close()
		in = file
		t.Name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	for number := 1; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		var r trace.Round
		for _, word := range fields {
			if err := parse(&r, word); err != nil {
				return t, fmt.Errorf("%s:%d: %w", name, number, err)
			}
		}
		t.Rounds = append(t.Rounds, r)
	}
	if err := lines.Err(); err != nil {
		return t, fmt.Errorf("%s: %w", name, err)
	}
	if len(t.Rounds) == 0 {
		return t, fmt.Errorf("%s: no Pod in the file; +1..5 lets five become ready", name)
	}
	return t, nil
}

// parse reads a word such as +7, !7, -7, +1..200 or a dot.
func parse(r *trace.Round, word string) error {
	if word == "." {
		return nil
	}
	lists := map[byte]*[]int{'+': &r.Ready, '!': &r.Unready, '-': &r.Gone}
	list := lists[word[0]]
	first, last, isRange := strings.Cut(word[1:], "..")
	if !isRange {
		last = first
	}
	from, err1 := strconv.ParseUint(first, 10, 32)
	to, err2 := strconv.ParseUint(last, 10, 32)
	if list == nil || err1 != nil || err2 != nil || from > to || to >= mostPods {
		return fmt.Errorf("%q: want +7 (ready), !7 (not ready), -7 (gone) or +1..200, with numbers below %d", word, mostPods)
	}
	for n := from; n <= to; n++ {
		*list = append(*list, int(n))
	}
	return nil
}
