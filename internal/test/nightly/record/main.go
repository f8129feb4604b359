// Command record runs everything that takes longer than a person waits: drawn cases far more often
// than the tests draw them, the states of the model, the test kits with many seeds, fuzzing, a
// mutation tool, and searches for vulnerabilities and licences. It writes one page with a line for
// each: what was run, when, on which commit, and how many rounds failed.
//
//	go run ./internal/test/nightly/record                   all rows
//	go run ./internal/test/nightly/record -rows mirrors,readme   these rows
//	go run ./internal/test/nightly/record -new -seed 1000   forget what was run, and draw other cases
//	go run ./internal/test/nightly/record -list             the names of all rows
//
// Each round is saved when it ends, so the command can be stopped at any time, and the next run
// goes on with the next round. The page is testdata/reliability.md. The exit code is 1 if a round
// failed; the output of that round is printed.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	list := flag.Bool("list", false, "print the names of all rows and run none")
	only := flag.String("rows", "", "the `names` of the rows to run, with commas between them; all rows if empty")
	dir := flag.String("dir", "testdata", "the `directory` of reliability.json and reliability.md")
	forget := flag.Bool("new", false, "forget the rounds that these rows have on the page")
	seed := flag.Int("seed", 1, "the `seed` of the first round of each row")
	flag.Parse()
	chosen, err := choose(*only)
	if *list && err == nil {
		for _, r := range chosen {
			fmt.Printf("%-20s %s\n", r.name, r.what)
		}
		return
	}
	failed := false
	if err == nil {
		failed, err = record(*dir, chosen, *forget, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
	}
	if err != nil || failed {
		os.Exit(1)
	}
}

// choose returns the rows with these names, or all rows without a name.
func choose(names string) ([]row, error) {
	if names == "" {
		return rows, nil
	}
	var chosen []row
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(rows, func(r row) bool { return r.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no row %q; -list prints all names", name)
		}
		chosen = append(chosen, rows[i])
	}
	return chosen, nil
}

// record runs the missing rounds of the chosen rows, and reports whether one failed.
func record(dir string, chosen []row, forget bool, first int) (failed bool, err error) {
	rounds, err := load(dir)
	if err != nil {
		return false, err
	}
	if forget {
		rounds = slices.DeleteFunc(rounds, func(played round) bool {
			return slices.ContainsFunc(chosen, func(r row) bool { return r.name == played.Row })
		})
	}
	for _, r := range chosen {
		for {
			have := sum(rounds, r)
			if have.done(r) {
				break
			}
			seed := max(first, have.lastSeed+1)
			fmt.Printf("%s: %d of %d, seed %d\n", r.name, have.cases, r.want, seed)
			played, out, err := r.run(seed)
			if err != nil {
				return failed, err
			}
			if !played.Passed {
				failed = true
				fmt.Println(out)
			}
			rounds = append(rounds, played)
			if err := save(dir, rounds); err != nil {
				return failed, err
			}
		}
	}
	return failed, save(dir, rounds)
}

// run runs one round. It fails only if the command could not be run.
func (r row) run(seed int) (round, string, error) {
	began := time.Now()
	out, err := r.command(seed).CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return round{}, "", err
	}
	played := round{
		Row: r.name, Seed: seed, Cases: r.round * r.each, Seconds: int(time.Since(began).Seconds()),
		Passed: err == nil && !bytes.Contains(out, []byte("no tests to run")),
		Commit: commit(), Day: began.UTC().Format(time.DateOnly),
	}
	switch r.kind {
	case states:
		played.Cases = visited(out)
	case mutants:
		played.Cases, played.Killed = killed(out)
		played.Passed = err == nil && played.Cases > 0 && 100*played.Killed >= r.want*played.Cases
	}
	return played, string(out), nil
}

// commit is the commit that is run, with + if files besides the record have changed since.
func commit() string {
	head, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(head))
	changed, err := exec.Command("git", "status", "--porcelain", "--", ":/",
		":(top,exclude)testdata/reliability.*").Output()
	if err != nil || len(changed) > 0 {
		return name + "+"
	}
	return name
}

// number reads a number that a regular expression has found.
func number(digits []byte) int {
	n, _ := strconv.Atoi(string(digits)) // it has only digits
	return n
}
