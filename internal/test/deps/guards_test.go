package deps

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// guard is a bound on memory, time or text: without it, some input costs more than its size, or a
// message has no end. Tests that draw small cases do not see a guard, and neither does a mutation
// tool, so each has a test of its own.
type guard struct {
	file, name string // what declares the bound: a constant, function or variable
	bounds     string
	test       string // the package and the test that fails without it
}

// guards are all of the module. A bound that is added to the code is added here.
var guards = []guard{
	{"internal/accept/accept.go", "MaxAddresses", "the addresses of an endpoint", "internal/accept TestRefuse"},
	{"internal/accept/accept.go", "MaxHints", "the zones and the nodes of a hint", "internal/accept TestRefuse"},
	{"internal/accept/faults.go", "MaxEndpoints", "the endpoints of a slice", "slicer TestScenarios"},
	{"internal/accept/faults.go", "MaxPorts", "the ports of a slice, of which each is compared with others", "slicer TestMostPorts"},
	{"slicer/validate.go", "maxOwners", "the owners of a set, of which each is compared with each", "slicer TestMostOwners"},
	{"slicer/skip.go", "maxPrinted", "the Skips in a text", "slicer TestWarningsAreBounded"},
	{"slicer/index.go", "maxOthers", "the endpoints of one address that a search passes", "slicer TestManyOfOneAddress"},
	{"slicer/index.go", "maxCandidates", "the port sets of one endpoint that are tried", "slicer TestCandidates"},
	{"slicer/internal/sequence/sequence.go", "searchLimit", "the steps of the searches for cycles of writes", "slicer/internal/sequence TestSearchesEnd"},
	{"slicer/internal/meta/names.go", "maxPrefixLength", "the prefix of a slice's name", "slicer/internal/meta TestPrefix"},
	{"hints/nodes.go", "maxNodeCPU", "the CPU of a Node, so that sums do not overflow", "hints TestWeightsAreBounded"},
	{"hints/decision.go", "nameLimit", "the names in a Decision", "hints TestDecisionNamesTheFirst"},
	{"hints/options.go", "Options.Validate", "limit, thresholds and weights, so that products do not overflow", "hints TestMistakes"},
	{"hints/internal/allocate/weights.go", "MaxTotal", "the sum of the weights", "hints TestMistakes"},
	{"hints/internal/allocate/share.go", "MaxNames", "the zones in a hint of SameZone with a limit", "hints TestTooManyZones"},
	{"hints/internal/allocate/room.go", "refreshed", "the groups of endpoints whose loads are computed again after one endpoint more serves a zone", "internal/test/cost TestCost"},
	{"hints/forecast/forecast.go", "validateSources", "the sum of the weights of sources", "hints/forecast TestForecastMistakes"},
	{"mirror/options.go", "maxAddresses", "the addresses of a mirror and of a view", "mirror TestScenarios"},
	{"mirror/copyname.go", "CopyName", "the name of a copy", "mirror TestCopyNameStays"},
	{"internal/accept/labelvalue.go", "LabelValue", "the label value of a long name", "mirror TestLabelValues"},
	{"dedup/problem.go", "Problems.String", "the Problems in a text", "dedup TestProblemsAreBounded"},
	{"internal/tracker/tracker.go", "Patience", "the calls that wait for a cache", "internal/tracker TestPatience"},

	{"examples/internal/manifest/read.go", "mostBytes", "the bytes of a file", "examples/internal/manifest TestEndless"},
	{"examples/internal/manifest/object.go", "mostLists", "the lists inside each other", "examples/internal/manifest TestLine"},
	{"examples/internal/manifest/budget.go", "objectBytes", "the memory of the objects of a file", "examples/plan TestHostile"},
	{"examples/internal/manifest/budget.go", "addedBytes", "the text that aliases and escapes add to YAML", "examples/plan TestHostile"},
	{"examples/internal/manifest/budget.go", "bytesEntry", "the entries of YAML that are in memory at once", "examples/plan TestHostile"},
	{"examples/programs/mesh/caches.go", "newCaches", "the places for which views are kept", "examples/programs/mesh TestPlaces"},

	{"internal/test/kit/limits.go", "TimeLimit", "the time of a call of the tested program", "internal/test/kit TestARunEndsInAMinute"},
	{"internal/test/kit/limits.go", "historyLimit", "the time of a history", "internal/test/kit TestRunsEnd"},
	{"internal/test/kit/limits.go", "drawLimit", "the time of a run that has reached a limit", "internal/test/kit TestRunsEnd"},
	{"internal/test/kit/limits.go", "shrinkLimit", "the time in which a history is shortened", "internal/test/kit TestShrinkingEnds"},
	{"internal/test/kit/limits.go", "enough", "the histories that reach a limit", "internal/test/kit TestRunsEnd"},
	{"internal/test/kit/limits.go", "maxCauses", "the causes that a run reports", "internal/test/kit TestManyCauses"},
	{"internal/test/kit/limits.go", "maxLines", "the lines that a history keeps", "internal/test/kit TestLongTextsAreCut"},
	{"internal/test/kit/limits.go", "maxText", "the bytes of a line", "internal/test/kit TestLongTextsAreCut"},
	{"internal/test/kit/limits.go", "maxRun", "the lines of a step that are printed", "internal/test/kit TestElided"},
	{"internal/test/kit/limits.go", "maxPeriod", "the lines that are folded together", "internal/test/kit TestFolded"},
	{"slicer/slicertest/limits.go", "maxRequests", "the requests of a sync", "slicer/slicertest TestUnrulyWriters"},
	{"slicer/slicertest/limits.go", "maxWrites", "the writes of a history", "slicer/slicertest TestUnrulyWriters"},
	{"slicer/slicertest/limits.go", "maxBytes", "the memory of what a history sends", "slicer/slicertest TestUnrulyWriters"},
	{"slicer/slicertest/limits.go", "maxLate", "the requests after a sync that are kept", "slicer/slicertest TestRequestsAreBounded"},
	{"slicer/slicertest/limits.go", "maxName", "the bytes of a name that is kept", "slicer/slicertest TestRequestsAreBounded"},
	{"slicer/slicertest/limits.go", "maxBody", "the bytes of a request", "slicer/slicertest TestRequestsAreBounded"},
	{"slicer/slicertest/limits.go", "maxObject", "the bytes of a stored slice", "slicer/slicertest TestUnrulyWriters"},
	{"slicer/slicertest/replay.go", "replay.endless", "the syncs until all is quiet", "slicer/slicertest TestNeverQuiet"},
}

// TestGuards checks that what declares each guard exists, and its test. No guard is listed twice.
func TestGuards(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range guards {
		if id := g.file + " " + g.name; seen[id] {
			t.Errorf("%s is listed twice", id)
		} else {
			seen[id] = true
		}
		if !declares(parsed(t, filepath.Join(root, g.file)), g.name) {
			t.Errorf("%s does not declare %s, which bounds %s", g.file, g.name, g.bounds)
		}
		dir, test, _ := strings.Cut(g.test, " ")
		if !slices.Contains(functionsIn(t, dir), test) {
			t.Errorf("%s has no test %s, which fails without the bound on %s", dir, test, g.bounds)
		}
	}
}

// declares reports whether a file declares a name: a constant, variable or function, or a method
// with its type's name before it.
func declares(f *ast.File, name string) bool {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			own := decl.Name.Name
			if decl.Recv != nil {
				own = receiverName(decl.Recv.List[0].Type) + "." + own
			}
			if own == name {
				return true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && v.Names[0].Name == name {
					return true
				}
			}
		}
	}
	return false
}

// TestLimitsAreGuards checks that constants whose names say that they are limits are listed:
// max..., most... and ...Limit with a number.
func TestLimitsAreGuards(t *testing.T) {
	nightly.Slow(t)
	listed := map[string]bool{}
	for _, g := range guards {
		listed[g.file+" "+g.name] = true
	}
	limit := regexp.MustCompile(`^(max|most|Max|Most)[A-Z]|Limit$|^enough$`)
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") ||
			strings.HasPrefix(file, "internal/test/") && !strings.HasPrefix(file, "internal/test/kit/") {
			continue
		}
		for _, decl := range parsed(t, filepath.Join(root, file)).Decls {
			group, ok := decl.(*ast.GenDecl)
			for i := 0; ok && i < len(group.Specs); i++ {
				v, ok := group.Specs[i].(*ast.ValueSpec)
				if ok && len(v.Values) > 0 && limit.MatchString(v.Names[0].Name) && !listed[file+" "+v.Names[0].Name] &&
					notGuards[v.Names[0].Name] == "" {
					t.Errorf("%s: %s looks like a bound: list it among the guards with the test that fails without it",
						file, v.Names[0].Name)
				}
			}
		}
	}
}

// notGuards look like guards and are none.
var notGuards = map[string]string{
	"maxOrdinal": "what maxPrefixLength leaves room for",
	"mostFirst":  "a direction of search",
	"OverLimit":  "a reason",
	"errLimit":   "what is reported at a limit",
}
