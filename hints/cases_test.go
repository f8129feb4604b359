package hints_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCasesHaveAScenario: each case in which hints of others went wrong, and each property of ours, is a story of
// testdata/hints or testdata/route, with the input that makes it, or a test of this package.
func TestCasesHaveAScenario(t *testing.T) {
	for _, row := range []struct{ what, shown, input string }{
		{"an endpoint in each of three equal zones", "hints/balanced", "cores 4,4,4\n\nslices\n+a b c\n"},
		{"four endpoints in three zones", "hints/threshold", "slices\n+a a b c\n"},
		{"eleven endpoints in three zones, on and off", "hints/threshold", "thresholds 20/20/30\n"},
		{"five equal zones, and floats", "hints/balanced", "slices\n+a a b c d e\n"},
		{"a fifth of the CPU, and floats", "hints/balanced", "cores 1,4\n"},
		{"two fifths, and floats", "hints/balanced", "cores 1,1,3\n"},
		{"a small zone beside a large one with all endpoints", "hints/lent", "cores 88,5\n"},
		{"a zone that doubles", "hints/jump", "cores 12,12,24\n"},
		{"a zone that grows within the band", "hints/jump", "cores 7,7,10\n"},
		{"the same from scratch", "hints/lent", "cores 7,7,10\n"},
		{"endpoints in a zone without Nodes", "hints/lent", "c"},
		{"an endpoint that is no longer ready", "hints/readiness", "b!>c"},
		{"ready is nil", "hints/readiness", "~"},
		{"no weights, one zone, too few endpoints", "hints/off TestSpec", ""},
		{"own zone and node, with either missing", "hints/distribution", "+a@n1 a _@n1 _ ''@n2 '' a@n1!\n"},
		{"an unknown trafficDistribution, and Auto beside another", "hints/distribution hints/service", "topology-mode=Auto trafficDistribution=PreferClose"},
		{"both annotations", "hints/service", "topology-aware-hints=disabled topology-mode=Auto"},
		{"churn: Pods replaced, Nodes come and go", "TestChurn", ""},

		{"a reader's zone, another zone, no zone, and one hint missing", "route/zones", "\nroute\n"},
		{"an endpoint that is not ready has the zone's hint, or none", "route/only-ready-vote", "!ready"},
		{"hints for nodes, then for zones", "route/nodes", "route node=n9 zone=d\n"},
		{"one hint for a node is missing", "route/one-node-hint-missing", "node=n1 zone=a"},
		{"hints for several zones", "route/several-zones", "hints=a+b+c"},
		{"no endpoint is ready", "route/all-draining", "terminating"},
		{"policy Local inside", "route/internal-local", "internal-local"},
		{"policy Local outside", "route/external-local", "external external-local"},
		{"a draining endpoint here and a ready one elsewhere", "route/local-draining", "internal-local external external-local"},
		{"the missing hint is in another slice", "route/hint-in-another-slice", "}\n10.0.0.2\n"},
		{"the zone's only endpoint drains (cilium#45947)", "route/draining-does-not-vote", "cilium#45947"},
		{"ports are filtered first (cilium#45214)", "route/filter-first", "cilium#45214"},
		{"an endpoint that has just started (cilium#47960)", "route/no-vote", "cilium#47960"},

		{"P1, P2, P5, P6, P7 and P12", "TestGuaranteesOfProportional", ""},
		{"P3", "TestMinimumIsExact TestGuaranteesOfProportional", ""},
		{"P4", "TestFeasible TestFirstZone", ""},
		{"P8 and P10", "TestOracleOnAllSmallCases TestOracleOnAllCases TestOracleOnDrawnCases TestOpenAgainstEverySet TestDealAgainstEverything", ""},
		{"P9 and P11", "TestCrossingIsMinimal", ""},
		{"P13", "TestSame", ""},
		{"P14", "TestReadersUseWhatIsHintedToThem", ""},
		{"P15", "TestGuaranteesOfOtherModes", ""},
	} {
		stories := ""
		for _, name := range strings.Fields(row.shown) {
			if strings.HasPrefix(name, "Test") {
				if !isTest(t, name) {
					t.Errorf("%s: there is no %s", row.what, name)
				}
				continue
			}
			text, err := os.ReadFile("../testdata/" + name + ".txt")
			if err != nil || !strings.Contains(string(text), "\n----\n") {
				t.Errorf("%s: %s is no story: %v", row.what, name, err)
			}
			stories += string(text)
		}
		if !strings.Contains(stories, row.input) {
			t.Errorf("%s: %s does not have %q", row.what, row.shown, row.input)
		}
	}
}

func isTest(t *testing.T, name string) bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "internal/allocate/oracle_test.go")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
