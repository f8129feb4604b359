package mutants

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const root = "../../.."

// owned are the guarantees that must have a mutant. Add those of a package when its manifest is there.
var owned = []string{
	"G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G14",
	"H1", "H2", "H3", "H4", "H5", "H6", "H7",
	"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8",
	"M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9",
	"R1", "R2", "R3", "R4", "R5", // hints.Route: the four rules of its comment, and traffic policies
	"S16", "S17", "S18", "S19", // conditions: the sentences that its table is from
}

// most is how many mutants there are at most: a general mutation tool judges what a changed operator can break.
const most = 120

func load(t *testing.T) []*Mutant {
	t.Helper()
	list, err := Load(filepath.Join(root, "testdata", "mutants"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestManifest: every mutant still applies, is Go, names a test that exists, and every guarantee has one.
func TestManifest(t *testing.T) {
	list := load(t)
	if len(list) > most {
		t.Errorf("%d mutants, want at most %d: leave out what the mutation tool reaches, such as a turned comparison", len(list), most)
	}
	seen := map[string]bool{}
	tree, tests := &Tree{Root: root}, map[string]string{}
	for _, m := range list {
		if seen[m.Name] {
			t.Errorf("%s: %s is there twice", m.At, m.Name)
		}
		seen[m.Guarantee], seen[m.Name] = true, true
		if _, _, err := tree.Apply(m); err != nil {
			t.Error(err)
		}
		for _, name := range strings.Split(m.Test, "|") {
			name, _, _ = strings.Cut(name, "/")
			if !strings.Contains(testsIn(t, tests, m.Package), "\nfunc "+name+"(") {
				t.Errorf("%s: %s: there is no %s in %s: name the test that fails for it now", m.At, m.Name, name, m.Package)
			}
		}
	}
	for _, g := range owned {
		if !seen[g] {
			t.Errorf("guarantee %s has no mutant: add one to testdata/mutants that breaks it, as the comment of this package says", g)
		}
	}
}

// testsIn is the text of a package's tests, read once.
func testsIn(t *testing.T, read map[string]string, pkg string) string {
	t.Helper()
	if _, ok := read[pkg]; !ok {
		paths, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			read[pkg] += string(text)
		}
	}
	return read[pkg]
}

// tries is how often a mutant has to survive. A property draws new cases each time, and one that meets the change in nine
// runs of ten would let it through in one gate of ten.
const tries = 5

// TestMutants runs every mutant: its test must pass without the change, and fail with it, by failing and not because it
// does not compile. It takes a few seconds for each mutant, so it asks for SLICEWRIGHT_MUTANTS=1; give go test a
// -timeout to match.
func TestMutants(t *testing.T) {
	if os.Getenv("SLICEWRIGHT_MUTANTS") == "" {
		t.Skip("set SLICEWRIGHT_MUTANTS=1 to run the mutants")
	}
	gate := make(chan struct{}, 2)
	healthy := map[string]func() string{} // by test: its output where it fails without any mutant
	for _, m := range load(t) {
		test := m.Package + " " + m.Test
		if healthy[test] == nil {
			healthy[test] = sync.OnceValue(func() string {
				if out, err := run(m, ""); err != nil {
					return fmt.Sprintf("%v\n%s", err, out)
				}
				return ""
			})
		}
		t.Run(m.Guarantee+"/"+m.Name, func(t *testing.T) {
			t.Parallel()
			gate <- struct{}{}
			defer func() { <-gate }()
			if out := healthy[test](); out != "" {
				t.Fatalf("%s: %s fails without any mutant: %s", m.At, test, out)
			}
			changed := overlay(t, &Tree{Root: root}, m)
			for try := 1; ; try++ {
				out, err := run(m, changed)
				switch {
				case err != nil && !strings.Contains(out, "--- FAIL"):
					t.Errorf("%s: the test does not fail, it breaks:\n%s", m.At, out)
				case err == nil && try < tries:
					t.Logf("%s: survives %s the %d. time", m.At, test, try)
					continue
				case err == nil:
					t.Errorf("%s: %s survives %s", m.At, m.Why, test)
				}
				return
			}
		})
	}
}

// overlay writes the changed file and the JSON that tells the compiler to take it.
func overlay(t *testing.T, tree *Tree, m *Mutant) string {
	t.Helper()
	path, text, err := tree.Apply(m)
	if err != nil {
		t.Fatal(err)
	}
	original, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	changed, list := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{changed: text, list: replace} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func run(m *Mutant, overlay string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	var parts []string
	for _, part := range strings.Split(m.Test, "/") {
		parts = append(parts, fmt.Sprintf("^(%s)$", part))
	}
	args := []string{"test", "-count=1", "-vet=off", "-run", strings.Join(parts, "/")}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, m.Package)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "SLICEWRIGHT_MUTANTS=")
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "no tests to run") {
		return string(out), fmt.Errorf("no test matches %s", m.Test)
	}
	return string(out), err
}
