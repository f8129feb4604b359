package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// kind says how a row is run, and what its cases are.
type kind int

const (
	cases     kind = iota // the test draws SLICEWRIGHT_CASES cases from SLICEWRIGHT_SEED on
	checks                // rapid draws the number in its flags
	seeds                 // the test runs whole with the seed
	states                // the model visits all its states; what the test logs says how many
	fuzz                  // seconds of fuzzing
	mutants               // gremlins mutates the package; want is the least share, in percent, that its tests notice
	stage                 // a stage of .ci/run, which passes or fails
	enumerate             // the test runs whole, always with the same cases
)

// A row is one line of the record.
type row struct {
	name, what string
	kind       kind
	module     string // its directory, relative to the root
	packages   string // with spaces between them
	test       string // or fuzz target, with the names of subtests as go test -run has them
	each       int    // how many cases a round counts for each that the flags ask for
	want       int    // cases in all; by seeds: seeds
	round      int    // cases of a round
}

var rows = []row{
	{"guarantees", "plans with every option, applied and planned again", checks, ".", "./slicer", "TestGuarantees", 14,
		300_000, 2000},
	{"fills", "which slice gets which endpoints, beside a slow reference", cases, ".", "./slicer",
		"TestFillAgainstReference", 1, 1_000_000, 100_000},
	{"packings", "fewest writes, beside every packing there is", cases, ".", "./slicer/internal/packing", "TestLarger",
		1, 1_000_000, 100_000},
	{"sequences", "orders of steps, beside every order there is", cases, ".", "./slicer/internal/sequence",
		"TestDrawnAgainstPermutations", 2, 50_000, 12_500},
	{"model", "states of the model: every order of writes, late caches, crashes and lost answers", states, ".",
		"./internal/test/model", "TestWorlds", 1, 1, 1},
	{"cut-off", "two writers that are cut off, with late caches", cases, ".", "./internal/test/model", "TestCrashDrawn",
		4, 100_000, 25_000},
	{"histories", "a writer with a late cache and every fault", cases, ".", "./internal/test/model", "TestDrawn", 4,
		1_000_000, 25_000},
	{"syncers", "Syncers in histories of lost answers, late caches and crashes", cases, ".", "./internal/test/recovery",
		"TestSyncer", 1, 100_000, 5_000},
	{"printed", "programs of package comments and pages, as printed, in such histories", cases, ".",
		"./slicer ./slicer/publish ./slicer/services ./mirror", "TestPrinted/recovery", 4, 80_000, 5_000},
	{"printed-kit", "the same programs with the kit for writers and late caches", cases, ".",
		"./slicer ./slicer/publish ./slicer/services ./mirror", "TestPrinted/guarantees", 4, 2_400, 600},
	{"readme", "README's controller, as printed, in such histories", cases, "internal/test/conformance", "./printed",
		"TestPrinted/recovery", 1, 20_000, 5_000},
	{"readme-kit", "README's controller with the kit for writers and late caches", cases, "internal/test/conformance",
		"./printed", "TestPrinted/guarantees", 1, 600, 600},
	{"controller", "the controller to copy with the kit for writers and late caches", cases, "examples/programs",
		"./controller", "TestControllerKeepsTheGuarantees", 1, 1500, 1500},
	{"reconciler", "the reconciler to copy with the kit for writers and late caches", cases, "examples/programs",
		"./reconciler", "TestReconcile", 1, 1500, 1500},
	{"differential", "clusters planned beside Kubernetes' own reconciler", cases, "internal/test/conformance", ".",
		"TestDifferential", 1, 50_000, 10_000},
	{"services", "Services and slices, beside kube-proxy's own trackers", cases, "internal/test/conformance/kubeproxy",
		".", "TestServicesBesideKubeProxy", 1, 50_000, 25_000},
	{"readme-reader", "README's reader, beside kube-proxy's own trackers", cases, "internal/test/conformance/kubeproxy",
		".", "TestReadmeReader", 1, 50_000, 25_000},
	{"routes", "slices of both families, beside kube-proxy's own routing", cases, "internal/test/conformance/kubeproxy",
		".", "TestRoutesBesideKubeProxy", 1, 1_000_000, 500_000},
	{"refusals", "slices that Check refuses, beside Kubernetes' own validation", cases,
		"internal/test/conformance/kubeproxy", ".", "TestCheckRefusesAsKubernetes", 1, 300_000, 100_000},
	{"policies", "policies of every kind, beside a slow enumeration", checks, ".", "./hints/routing", "TestOracle", 1,
		400_000, 100_000},
	{"allocations", "proportional hints, beside every allocation there is", cases, ".", "./hints",
		"TestOracleOnDrawnCases", 1, 1_000_000, 100_000},
	{"limits", "shared zones below their limit, with earlier hints and without", cases, ".",
		"./hints/internal/allocate", "TestNobodyOverLimit", 1, 1_000_000, 100_000},
	{"shares", "least traffic across zones, beside every set of zones there is", cases, ".",
		"./hints/internal/allocate", "TestLeastAcross", 1, 10_000, 10_000},
	{"backends", "pairs of Backends before and after a change, and both plans", checks, ".", "./slicer/services",
		"TestBackendMatters", 3, 50_000, 5000},
	{"selections", "Selections, beside Services that select the same Pods", checks, ".", "./slicer/services",
		"TestSelectionLikeService", 1, 100_000, 10_000},
	{"mirrors", "Endpoints mirrored, and shown as Endpoints again", checks, ".", "./mirror", "TestRoundTrip", 1, 50_000,
		5000},
	{"upgrades", "caches and slices of one version that another takes over", enumerate, ".", "./internal/test/upgrade",
		"TestUpgrade", 1, 1, 1},
	{"writers", "seeds of the kit for writers, on this library", seeds, ".", "./slicer/slicertest", "TestSlicewright",
		1, 20, 1},
	{"readers", "seeds of the kit for readers, on Index and Cache", seeds, ".", "./dedup/deduptest",
		"TestIndex|TestCache", 1, 20, 1},
	{"fuzz-plans", "seconds of fuzzing: plans", fuzz, ".", "./slicer", "FuzzGuarantees", 1, 3600, 60},
	{"fuzz-services", "seconds of fuzzing: Services and Pods", fuzz, ".", "./slicer/services", "FuzzPlan", 1, 3600, 60},
	{"fuzz-readers", "seconds of fuzzing: an Index beside Merge", fuzz, ".", "./dedup", "FuzzIncrementalIsRebuild", 1,
		3600, 60},
	{"fuzz-mirrors", "seconds of fuzzing: mirrors and their views", fuzz, ".", "./mirror", "FuzzRoundTrip", 1, 3600,
		60},
	{"fuzz-files", "seconds of fuzzing: files that the commands read", fuzz, ".", "./examples/internal/manifest",
		"FuzzRead", 1, 3600, 60},
	{"fuzz-plan", "seconds of fuzzing: what plan says of files", fuzz, ".", "./examples/plan", "FuzzCommand", 1,
		1200, 60},
	{"fuzz-route", "seconds of fuzzing: what route says of files", fuzz, ".", "./examples/route", "FuzzCommand", 1,
		1200, 60},
	gremlins("hints/internal/allocate", 95),
	gremlins("dedup/internal/persist", 95),
	gremlins("dedup/internal/decide", 95),
	gremlins("dedup/internal/content", 90),
	gremlins("dedup/internal/store", 90),
	gremlins("dedup/internal/address", 90),
	gremlins("dedup/internal/view", 90),
	gremlins("internal/accept", 90),
	gremlins("slicer/internal/packing", 95),
	gremlins("slicer/internal/sequence", 95),
	gremlins("slicer/internal/meta", 95),
	{"vulnerabilities", "known vulnerabilities in what the modules call", stage, ".", "", "vulnerabilities", 1, 1, 1},
	{"licences", "licences of all modules that are compiled", stage, ".", "", "licences", 1, 1, 1},
}

// gremlins is the row of a package whose own tests have to notice a share, in percent, of what the
// mutation tool changes. The tests of a package list the changes that no test can notice, with the
// reason.
func gremlins(directory string, least int) row {
	return row{"gremlins-" + directory[strings.LastIndex(directory, "/")+1:], "mutants", mutants, ".", "./" + directory,
		"gremlins", 1, least, least}
}

const gremlinsCommand = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// command is the run of a round with a seed.
func (r row) command(seed int) *exec.Cmd {
	args := append([]string{"go", "test", "-count=1", "-timeout=3h"}, strings.Fields(r.packages)...)
	run := "^(" + strings.ReplaceAll(r.test, "/", ")$/^(") + ")$"
	switch r.kind {
	case fuzz:
		args = append(args, "-run=^$", "-fuzz="+run, "-fuzztime="+strconv.Itoa(r.round)+"s")
	case checks:
		args = append(args, "-run="+run, "-rapid.checks="+strconv.Itoa(r.round), "-rapid.seed="+strconv.Itoa(seed))
	case states:
		args = append(args, "-v", "-run="+run)
	case mutants:
		args = []string{"go", "run", gremlinsCommand, "unleash", "--workers=1", "--timeout-coefficient=20", r.packages}
	case stage:
		args = []string{".ci/run", r.test}
	default:
		args = append(args, "-run="+run)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = r.module
	cmd.Env = append(os.Environ(), "SLICEWRIGHT_SEED="+strconv.Itoa(seed), "SLICEWRIGHT_MODEL=all",
		"SLICEWRIGHT_FULL=1")
	if r.kind == cases {
		cmd.Env = append(cmd.Env, "SLICEWRIGHT_CASES="+strconv.Itoa(r.round))
	}
	return cmd
}
