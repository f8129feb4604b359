package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/internal/trace"
)

// mostPods is the number of Pods that have an address of their own.
const mostPods = 1 << 24

// readTraces reads the files, "-" being standard input: histories in the notation below, or what kubectl printed as JSON. Files
// with lists alone are states that follow each other, one trace together.
//
//	# Two of five Pods are replaced.
//	+1..5
//	!1 !2 +6 +7   # a round of its own
//	-1 -2
//	.             # a round without a change
func readTraces(names []string, stdin io.Reader) (traces []trace.Trace, err error) {
	var dumps *recording // what the file before was, if it had nothing but lists
	for _, name := range names {
		file, in, short := name, stdin, "standard input"
		if name == "-" {
			file = short
		} else {
			opened, err := os.Open(name)
			if err != nil {
				return nil, err
			}
			defer opened.Close()
			in, short = opened, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		}
		text := bufio.NewReader(in)
		begin, _ := text.Peek(1 << 10) // reading tells errors
		if err := commandline.NotText(begin); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if !bytes.HasPrefix(bytes.TrimSpace(begin), []byte("{")) {
			t, err := readTrace(short, file, text)
			if err != nil {
				return nil, err
			}
			traces, dumps = append(traces, t), nil
			continue
		}
		r := dumps
		if r == nil {
			r = newRecording(short)
		}
		if err = r.read(file, text); err != nil {
			return nil, err
		}
		if dumps != nil {
			traces = traces[:len(traces)-1]
		}
		traces = append(traces, r.trace)
		if dumps = nil; r.events == 0 {
			dumps = r
		}
	}
	return traces, nil
}

// readTrace reads a history in the notation of readTraces.
func readTrace(short, file string, in io.Reader) (trace.Trace, error) {
	t := trace.Trace{Name: short}
	there := map[int]bool{}
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
				return t, fmt.Errorf("%s:%d: %w", file, number, err)
			}
		}
		if err := follow(there, r); err != nil {
			return t, fmt.Errorf("%s:%d: %w", file, number, err)
		}
		t.Rounds = append(t.Rounds, r)
	}
	if err := lines.Err(); err != nil {
		return t, fmt.Errorf("%s: %w", file, err)
	}
	if len(t.Rounds) == 0 {
		return t, fmt.Errorf("%s: no Pod in the file; +1..5 lets five become ready", file)
	}
	return t, nil
}

// follow says what cannot be after what was: a Pod twice in a line, or one that goes and is not there.
func follow(there map[int]bool, r trace.Round) error {
	seen := map[int]bool{}
	for _, n := range slices.Concat(r.Ready, r.Unready, r.Gone) {
		if seen[n] {
			return fmt.Errorf("the Pod %d is there twice: give what happens later a line of its own", n)
		}
		seen[n] = true
	}
	for _, n := range r.Gone {
		if !there[n] {
			return fmt.Errorf("-%d: Pod %d is not there: let it come first, by +%d or !%d in an earlier line", n, n, n, n)
		}
		delete(there, n)
	}
	for _, n := range slices.Concat(r.Ready, r.Unready) {
		there[n] = true
	}
	return nil
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
		return fmt.Errorf("%q: want +7 (ready), !7 (not ready), -7 (gone) or +1..200, with numbers below %d; or JSON of kubectl", word, mostPods)
	}
	for n := from; n <= to; n++ {
		*list = append(*list, int(n))
	}
	return nil
}
