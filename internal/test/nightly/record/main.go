// Command record runs the tests that draw their cases, far longer than usual, and keeps a table of what was run: cases, seeds and
// results. Every round is written down when it ends, so that the command goes on where it was stopped.
//
//	go run ./internal/test/nightly/record                     all rows, some six hours on two cores, five of them fuzzing
//	go run ./internal/test/nightly/record -rows mirrors       one row
//	SLICEWRIGHT_SEED=1000 go run ./internal/test/nightly/record   other cases: rounds are counted from this seed
//
// The record is testdata/reliability.md. Its exit code is 1 if a round failed; the output of that round is printed.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A row is one line of the table: a test, and how many cases it is to have drawn in all.
type row struct {
	Name, What  string
	module, pkg string // pkg: one or several, with spaces between them
	test        string // with the names of subtests, as go test -run has them
	by          string // what says how many cases a round draws: rapid, cases, seed or fuzz; states where it draws none
	worlds      int    // cases of a round for each one that it draws
	Want, round int    // cases in all, and those of a round that draws round
}

var rows = []row{
	{"worlds", "worlds with every option, planned, applied and planned again", ".", "./slicer", "TestGuarantees", "rapid", 14, 300_000, 2000},
	{"model", "states of the model: every order of writes, late caches, crashes and lost answers, of worlds below", ".", "./internal/test/model", "TestWorlds", "states", 1, 1, 1},
	{"cut-off", "two writers that are cut off, with late caches, in worlds too large to visit", ".", "./internal/test/model", "TestCrashDrawn", "cases", 4, 100_000, 25_000},
	{"histories", "a writer with a late cache and every fault, in worlds too large to visit", ".", "./internal/test/model", "TestDrawn", "cases", 4, 1_000_000, 25_000},
	{"routes", "slices of both families, read and routed beside kube-proxy's code", "internal/test/conformance/kubeproxy", ".", "TestRoutesBesideKubeProxy", "cases", 1, 5_300_000, 500_000},
	{"policies", "policies of every kind beside a slow enumeration", ".", "./hints/routing", "TestOracle", "rapid", 1, 400_000, 100_000},
	{"mirrors", "Endpoints mirrored, and shown as Endpoints again", ".", "./mirror", "TestRoundTrip", "rapid", 1, 50_000, 5000},
	{"allocations", "proportional hints against every allocation there is", ".", "./hints", "TestOracleOnDrawnCases", "cases", 1, 1_000_000, 100_000},
	{"limits", "nobody above the limit of shared zones, with earlier hints and without", ".", "./hints/internal/allocate", "TestNobodyOverLimit", "cases", 1, 1_000_000, 100_000},
	{"shares", "least traffic across zones against every set of zones there is", ".", "./hints/internal/allocate", "TestLeastAcross", "cases", 1, 10_000, 10_000},
	{"selections", "Selections and the Services that select the same", ".", "./slicer/services", "TestSelectionLikeService", "rapid", 1, 100_000, 10_000},
	{"backends", "pairs of Backends before and after a change, and the plans of both", ".", "./slicer/services", "TestBackendMatters", "rapid", 3, 50_000, 5000},
	{"packings", "fewest writes against every packing there is", ".", "./slicer/internal/packing", "TestLarger", "cases", 1, 50_000, 10_000},
	{"writers", "the test kit for writers on Slicewright, seeds", ".", "./slicer/slicertest", "TestSlicewright", "seed", 1, 20, 1},
	{"printed", "programs of pages and package comments, as printed, through histories of faults", ".", "./slicer ./slicer/publish ./slicer/services ./mirror", "TestPrinted/recovery", "cases", 4, 80_000, 5_000},
	{"printed-kit", "the same with the test kit for writers and late caches", ".", "./slicer ./slicer/publish ./slicer/services ./mirror", "TestPrinted/guarantees", "cases", 4, 2_400, 600},
	{"readme", "README's controller, as printed, through histories of faults", "internal/test/conformance", "./printed", "TestPrinted/recovery", "cases", 1, 20_000, 5_000},
	{"readme-kit", "the same with the test kit for writers and late caches", "internal/test/conformance", "./printed", "TestPrinted/guarantees", "cases", 1, 600, 600},
	{"reference", "the controller to copy, with the test kit for writers and late caches", "examples/programs", "./controller", "TestControllerKeepsTheGuarantees", "cases", 1, 1500, 1500},
	{"readers", "the test kit for readers on Index and Cache, seeds", ".", "./dedup/deduptest", "TestIndex|TestCache", "seed", 1, 20, 1},
	{"fuzz-plans", "fuzzing plans, seconds", ".", "./slicer", "FuzzGuarantees", "fuzz", 1, 3600, 600},
	{"fuzz-services", "fuzzing Services and Pods, seconds", ".", "./slicer/services", "FuzzPlan", "fuzz", 1, 3600, 600},
	{"fuzz-readers", "fuzzing an Index beside Merge, seconds", ".", "./dedup", "FuzzIncrementalIsRebuild", "fuzz", 1, 3600, 600},
	{"fuzz-mirrors", "fuzzing mirrors and their views, seconds", ".", "./mirror", "FuzzRoundTrip", "fuzz", 1, 3600, 600},
	{"fuzz-files", "fuzzing what the commands read, seconds", ".", "./examples/internal/manifest", "FuzzRead", "fuzz", 1, 3600, 600},
}

// A round is what one run of a test said.
type round struct {
	Row     string
	Seed    int
	Cases   int
	Seconds int
	Passed  bool
	Commit  string
	Worlds  []string `json:",omitempty"` // what was visited of each world
}

// command is the run of a round with a seed.
func (r row) command(seed int) *exec.Cmd {
	args := []string{"test", "-count=1", "-timeout=3h"}
	args = append(args, strings.Fields(r.pkg)...)
	switch run := "^(" + strings.ReplaceAll(r.test, "/", ")$/^(") + ")$"; r.by {
	case "fuzz":
		args = append(args, "-run=^$", "-fuzz="+run, "-fuzztime="+strconv.Itoa(r.round)+"s")
	case "rapid":
		args = append(args, "-run="+run, "-rapid.checks="+strconv.Itoa(r.round), "-rapid.seed="+strconv.Itoa(seed))
	case "states":
		args = append(args, "-v", "-run="+run)
	default:
		args = append(args, "-run="+run)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = r.module
	cmd.Env = append(os.Environ(), "SLICEWRIGHT_SEED="+strconv.Itoa(seed), "SLICEWRIGHT_MODEL=all", "SLICEWRIGHT_FULL=1")
	if r.by == "cases" {
		cmd.Env = append(cmd.Env, "SLICEWRIGHT_CASES="+strconv.Itoa(r.round))
	}
	return cmd
}

// visited is what the model says of a world.
var visited = regexp.MustCompile(`(pods=[a-z0-9= ]*?) (\d+) states, (\d+) transitions, .* (\d+) writes, (\d+) lost; (\d+) refused, (\d+) by own`)

// run plays one round.
func (r row) run(seed int) (round, string, error) {
	began := time.Now()
	out, err := r.command(seed).CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return round{}, "", err
	}
	played := round{r.Name, seed, r.round * r.worlds, int(time.Since(began).Seconds()), err == nil, commit(), nil}
	if r.by == "states" {
		played.Cases = 0
		for _, found := range visited.FindAllSubmatch(out, -1) {
			states, _ := strconv.Atoi(string(found[2]))
			played.Cases += states
			played.Worlds = append(played.Worlds, string(bytes.Join(found[1:], []byte(" | "))))
		}
	}
	return played, string(out), nil
}

// commit is the commit that the round is about, with + where files besides the record have changed since.
func commit() string {
	head, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	changed, err := exec.Command("git", "status", "--porcelain", "--", ":/", ":(top,exclude)testdata/reliability.*").Output()
	if err != nil || len(changed) > 0 {
		return strings.TrimSpace(string(head)) + "+"
	}
	return strings.TrimSpace(string(head))
}

func main() {
	only := flag.String("rows", "", "names of rows with commas between them; all if empty")
	dir := flag.String("dir", "testdata", "the directory of reliability.json and reliability.md")
	flag.Parse()
	failed, err := record(*dir, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
	}
	if err != nil || failed {
		os.Exit(1)
	}
}

// record plays what is missing, row after row, and reports whether a round failed.
func record(dir, only string) (failed bool, err error) {
	first := 1
	if text := os.Getenv("SLICEWRIGHT_SEED"); text != "" {
		if first, err = strconv.Atoi(text); err != nil || first < 1 {
			return false, fmt.Errorf("SLICEWRIGHT_SEED=%s: give a number, 1 or more", text)
		}
	}
	rounds, err := load(dir)
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		if only != "" && !strings.Contains(","+only+",", ","+r.Name+",") {
			continue
		}
		for {
			done := sum(rounds, r, first).cases
			if done >= r.Want {
				break
			}
			seed := first + done/(r.round*r.worlds)
			fmt.Printf("%s: %d of %d, seed %d\n", r.Name, done, r.Want, seed)
			played, out, err := r.run(seed)
			if err != nil {
				return failed, err
			}
			if rounds = append(rounds, played); !played.Passed {
				failed = true
				fmt.Println(out)
			}
			if err := save(dir, rounds, first); err != nil {
				return failed, err
			}
		}
	}
	return failed, save(dir, rounds, first)
}

// tally is what was played of a row from the first seed on.
type tally struct {
	cases, failures, seconds int
	seeds                    string
	commit                   string // of the last round
}

func sum(rounds []round, r row, first int) tally {
	all := tally{seeds: "none", commit: "none"}
	last := first
	for _, played := range rounds {
		if played.Row != r.Name || played.Seed < first {
			continue
		}
		last = max(last, played.Seed)
		all.cases, all.seconds, all.commit = all.cases+played.Cases, all.seconds+played.Seconds, played.Commit
		all.seeds = fmt.Sprintf("%d to %d", first, last)
		if !played.Passed {
			all.failures++
		}
	}
	if r.by == "fuzz" {
		all.seeds = "Go's own"
	}
	return all
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

func save(dir string, rounds []round, first int) error {
	data, err := json.MarshalIndent(rounds, "", " ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "reliability.json"), append(data, '\n'), 0o666)
	}
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "reliability.md"), []byte(table(rounds, first)), 0o666))
}

// table is the page of what was run.
func table(rounds []round, first int) string {
	var text strings.Builder
	text.WriteString("# What was drawn\n\nWritten by `go run ./internal/test/nightly/record`, which says more. The commit is that of the last round.\n\n" +
		"| What | Test | Cases | of | Seeds | Minutes | Failed | Commit |\n| --- | --- | --: | --: | --- | --: | --: | --- |\n")
	for _, r := range rows {
		all := sum(rounds, r, first)
		fmt.Fprintf(&text, "| %s | `%s` | %d | %d | %s | %d | %d | %s |\n", r.What, strings.ReplaceAll(r.test, "|", "`, `"), all.cases, r.Want, all.seeds,
			(all.seconds+30)/60, all.failures, all.commit)
	}
	text.WriteString("\n## Worlds of the model\n\n| World | States | Transitions | Writes | Lost | Refused | by own writes |\n" +
		"| --- | --: | --: | --: | --: | --: | --: |\n")
	for _, played := range rounds {
		for _, world := range played.Worlds {
			fmt.Fprintf(&text, "| %s |\n", world)
		}
	}
	return text.String()
}
