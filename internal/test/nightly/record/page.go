package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A round is the result of one run, or of several with one seed after the other.
type round struct {
	Row     string
	First   int `json:",omitempty"` // the seed of the first run, if there were several
	Seed    int // of the last run
	Cases   int
	Killed  int `json:",omitempty"` // mutants
	Seconds int
	Passed  bool
	Commit  string
	Day     string
}

// statesOf finds the number of states in what the model logs of each of its parts, and caught how
// many mutants gremlins killed and how many lived.
var (
	statesOf = regexp.MustCompile(` (\d+) states, \d+ transitions`)
	caught   = regexp.MustCompile(`Killed: (\d+), Lived: (\d+)`)
)

func visited(out []byte) int {
	n := 0
	for _, found := range statesOf.FindAllSubmatch(out, -1) {
		n += number(found[1])
	}
	return n
}

func killed(out []byte) (all, killed int) {
	found := caught.FindSubmatch(out)
	if found == nil {
		return 0, 0
	}
	killed = number(found[1])
	return killed + number(found[2]), killed
}

// tally is what a row has.
type tally struct {
	rounds, cases, failures, seconds int
	killed                           int
	firstSeed, lastSeed              int
	last                             round
}

func sum(rounds []round, r row) tally {
	var t tally
	for _, played := range rounds {
		if played.Row != r.name {
			continue
		}
		if t.rounds == 0 {
			t.firstSeed = cmp.Or(played.First, played.Seed)
		}
		t.rounds++
		t.cases += played.Cases
		t.killed += played.Killed
		t.seconds += played.Seconds
		t.lastSeed = max(t.lastSeed, played.Seed)
		t.last = played
		if !played.Passed {
			t.failures++
		}
	}
	return t
}

// done reports whether no round is missing.
func (t tally) done(r row) bool {
	switch r.kind {
	case states, mutants, stage, enumerate: // one round is all
		return t.rounds > 0
	default:
		return t.cases >= r.want
	}
}

// line is the line of the page.
func (t tally) line(r row) string {
	of := fmt.Sprintf("%d of %d", t.cases, r.want)
	drawn := fmt.Sprintf("%d to %d", t.firstSeed, t.lastSeed)
	switch r.kind {
	case states:
		of, drawn = fmt.Sprint(t.cases), "all"
	case mutants:
		of, drawn = fmt.Sprintf("%d of %d killed, at least %d%%", t.killed, t.cases, r.want), "all"
	case stage, enumerate:
		of, drawn = "all", "all"
	case fuzz:
		drawn = "Go's own"
	}
	command := "`" + strings.ReplaceAll(r.test, "|", "`, `") + "`"
	if r.packages != "" {
		command += " in " + strings.ReplaceAll(filepath.ToSlash(filepath.Join(r.module, strings.Fields(r.packages)[0])),
			"./", "")
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %s | %d | %s | %s |\n", r.what, command, of, t.failures, drawn, t.seconds,
		t.last.Day, t.last.Commit)
}

// page has a line for each row that was run.
func page(rounds []round) string {
	var text strings.Builder
	text.WriteString("# What was run\n\n`go run ./internal/test/nightly/record` runs these rows and writes this " +
		"page.\n" +
		"A row that was not run is not here.\n" +
		"The day and the commit are those of the last round.\n\n" +
		"| What | By | Cases | Failed rounds | Seeds | Seconds | Day | Commit |\n| --- | --- | --- | --: | --- | --: " +
		"| --- | --- |\n")
	for _, r := range rows {
		if t := sum(rounds, r); t.rounds > 0 {
			text.WriteString(t.line(r))
		}
	}
	return text.String()
}

func load(dir string) (rounds []round, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "reliability.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &rounds)
	}
	return rounds, err
}

// joined joins rounds of a row that follow each other on one day and one commit and passed.
func joined(rounds []round) []round {
	var list []round
	for _, next := range rounds {
		i := len(list) - 1
		if i < 0 || !next.Passed || !list[i].Passed || cmp.Or(next.First, next.Seed) != list[i].Seed+1 ||
			next.Row != list[i].Row || next.Day != list[i].Day || next.Commit != list[i].Commit {
			list = append(list, next)
			continue
		}
		last := &list[i]
		last.First = cmp.Or(last.First, last.Seed)
		last.Seed = next.Seed
		last.Cases += next.Cases
		last.Killed += next.Killed
		last.Seconds += next.Seconds
	}
	return list
}

// save writes the rounds and the page. Rounds that can be joined share a line.
func save(dir string, rounds []round) error {
	var data bytes.Buffer
	for i, r := range joined(rounds) {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		data.WriteString([]string{"[\n", ",\n"}[min(i, 1)])
		data.Write(line)
	}
	data.WriteString("\n]\n")
	err := os.WriteFile(filepath.Join(dir, "reliability.json"), data.Bytes(), 0o666)
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "reliability.md"), []byte(page(rounds)), 0o666))
}
