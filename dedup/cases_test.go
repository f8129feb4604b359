package dedup_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCasesHaveAScenario: each case in which some reader of slices went wrong, and each that a design of ours must stand,
// is a story of testdata/dedup or a test of this package.
func TestCasesHaveAScenario(t *testing.T) {
	for _, row := range []struct{ what, shown string }{
		{"a Pod that is gone and a new one have one IP in one slice (kubernetes#135266)", "ghost-pod"},
		{"an IP is ready in one slice and not in another, for good (kubernetes#121556)", "mirrored-twice"},
		{"a Pod moved to a newer slice", "pod-moved"},
		{"another Pod has the IP, and the slice of the dead one is newer (kubernetes#135593)", "address-reused"},
		{"a pairwise rule goes round in circles", "two-rounds TestCacheTwoRounds"},
		{"one IP, two numbers of one port name (kubernetes#101935)", "one-address-two-ports"},
		{"one IP in two slices with different ports, and one slice goes (cilium#22446)", "slices-by-port"},
		{"a Pod with two families", "dual-stack"},
		{"two slices swap their endpoints", "swap TestWritesInAnyOrder"},
		{"an endpoint moves by two updates", "move TestPlansAsEvents"},
		{"an endpoint moves, and the slice it left is deleted", "move-and-delete"},
		{"one of two slices is deleted (linkerd#10370)", "one-of-two-deleted"},
		{"a delete without labels, and one of what never was", "deletes-by-name"},
		{"a relist after lost events", "relist TestIncrementalIsRebuild"},
		{"events that change nothing", "no-ops TestNoOpKeepsView"},
		{"only conditions change (traefik#13270)", "draining"},
		{"only hints or the zone change (linkerd#10925)", "fields"},
		{"inputs stay as they are, and readers need no lock", "TestIncrementalIsRebuild TestReadersAndWriter"},
		{"ten thousand slices come and go", "TestTenThousandSlices"},
		{"a port without a number", "any-port any-port-kept TestResolvePort"},
		{"a slice without ports beside one with (ingress-nginx#9141)", "no-ports TestResolvePort"},
		{"one number under two protocols", "same-number-two-protocols TestResolvePort"},
		{"a port is renamed by a new slice", "port-renamed"},
		{"names beside IPs (istio#35990)", "names-ignored names"},
		{"a Service without endpoints is not an unknown one", "empty-service"},
	} {
		issue := strings.Trim(regexp.MustCompile(`\(\S+#\d+\)`).FindString(row.what), "()")
		cited := issue == ""
		for _, name := range strings.Fields(row.shown) {
			text, ok := tale(name)
			if !ok {
				t.Errorf("%s: there is no %s", row.what, name)
			}
			cited = cited || strings.Contains(text, issue)
		}
		if !cited {
			t.Errorf("%s: %s does not name it", issue, row.shown)
		}
	}
}

// tale returns the text of a story, or of the file that has a test.
func tale(name string) (string, bool) {
	if !strings.HasPrefix(name, "Test") {
		text, err := os.ReadFile("../testdata/dedup/" + name + ".txt")
		return string(text), err == nil && strings.Contains(string(text), "\n----\n")
	}
	files, _ := filepath.Glob("*_test.go")
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), "\nfunc "+name+"(") {
			return string(text), true
		}
	}
	return "", false
}
