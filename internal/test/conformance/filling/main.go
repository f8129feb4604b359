// Filling shows what it costs in which order new endpoints fill the slices that are written anyway.
// It lets a Service's Pods come and go in many ways. It answers each step with the library's rule,
// with the order that fills the fullest slice first, and with Kubernetes' own reconciler, and
// prints writes and bytes as Markdown.
//
//	go run ./filling                    the table, in less than five minutes
//	go run ./filling -rows '2 000'      only these rows
//	go run ./filling -few 0,50          and other thresholds; with 0 any number of new endpoints is a few
//
// The library has one rule. For the others the command builds itself with another value of the
// constant few in package packing.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/internal/test/conformance"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "filling:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("filling", flag.ContinueOnError)
	flags.SetOutput(out)
	others := flags.String("few", "", "other `thresholds` to print, with commas between them")
	match := flags.String("rows", "", "a regular `expression` for the rows to play; all if empty")
	child := flags.Bool("play", false, "print what the library does as JSON; the command runs itself with it")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	rows, err := matching(*match)
	if err != nil {
		return err
	}
	if *child {
		results, err := playAll(conformance.BySlicewright, rows)
		return errors.Join(err, json.NewEncoder(out).Encode(results))
	}
	sides := []side{
		{"fullest first", func() ([][]result, error) { return playWith(never, *match) }},
		{"Slicewright", func() ([][]result, error) { return playAll(conformance.BySlicewright, rows) }},
		{"Kubernetes", func() ([][]result, error) { return playAll(conformance.ByReference, forKubernetes(rows)) }},
	}
	for _, few := range strings.FieldsFunc(*others, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(few)
		if err != nil {
			return fmt.Errorf("-few %s: give numbers", *others)
		}
		sides = append(sides, side{"few = " + few, func() ([][]result, error) { return playWith(n, *match) }})
	}
	results, err := playSides(sides)
	if err == nil {
		_, err = io.WriteString(out, table(rows, sides, results))
	}
	return err
}

// matching returns the rows whose names match.
func matching(expression string) ([]row, error) {
	match, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("-rows: %w", err)
	}
	var list []row
	for _, r := range rows() {
		if match.MatchString(r.name) {
			list = append(list, r)
		}
	}
	return list, nil
}

// forKubernetes returns the rows with at most two seeds each, and with none if packed Compact,
// because Kubernetes takes ten times as long.
func forKubernetes(rows []row) []row {
	var list []row
	for _, r := range rows {
		r.seeds = min(r.seeds, 2)
		if r.compact {
			r.seeds = 0
		}
		list = append(list, r)
	}
	return list
}

// table prints the figures of the first side, and those of the others relative to these, in
// percent. A side that played fewer seeds is compared with the same seeds.
func table(rows []row, sides []side, results [][][]result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| case | %s: writes, MB |", sides[0].name)
	for _, s := range sides[1:] {
		fmt.Fprintf(&b, " %s |", s.name)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(sides)+1) + "\n")
	for n, r := range rows {
		base := results[0][n]
		total := sum(base)
		fmt.Fprintf(&b, "| %s | %d, %.1f |", r.name, total.Writes, float64(total.Bytes)/1e6)
		for _, result := range results[1:] {
			list := result[n]
			if len(list) == 0 {
				b.WriteString(" - |")
				continue
			}
			of, base := sum(list), sum(base[:len(list)])
			fmt.Fprintf(&b, " %+.1f %+.1f |", percent(of.Writes, base.Writes), percent(of.Bytes, base.Bytes))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func sum(list []result) (total result) {
	for _, r := range list {
		total.Writes += r.Writes
		total.Bytes += r.Bytes
	}
	return total
}

func percent(n, of int) float64 { return 100 * float64(n-of) / float64(of) }
