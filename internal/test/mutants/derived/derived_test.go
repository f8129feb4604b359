package derived

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// toy has one function for each kind of mutant, and smallTests notice all of them, except in untested and same.
const toy = `package toy

import "strings"

type pair struct{ x, y int }

const three = 3

var table = []pair{{x: 1, y: 2}}

func sign(n int) string {
	if n < 0 {
		return "minus"
	}
	return "plus"
}

func both(a, b bool) bool { return a && b }

func either(a, b bool) (r bool) {
	if a || b {
		r = true
	}
	return r
}

func sum(list []int) (n int) {
	for i := 0; i < len(list); i++ {
		n += list[i]
	}
	return n
}

func area(p pair) int { return p.x * p.y }

func word(n int) string {
	switch n {
	case 1:
		return "one"
	case three:
		return "three"
	}
	return strings.ToUpper("many")
}

func untested(n int) int { return n + three }

func same(n int) int {
	if n < 0 {
		n = 0
	}
	return max(n, 0)
}

func alone() int {
	var once int
	once = 5
	return once
}
`

const smallTests = `package toy

import "testing"

func TestSmallPackage(t *testing.T) {
	check := func(ok bool) {
		t.Helper()
		if !ok {
			t.Error("wrong")
		}
	}
	for _, c := range []struct{ a, b bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		check(both(c.a, c.b) == (c.a && c.b))
		check(either(c.a, c.b) == (c.a || c.b))
	}
	check(sign(-1) == "minus" && sign(0) == "plus")
	check(sum([]int{1, 2, 3}) == 6)
	check(area(pair{2, 3}) == 6 && table[0] == pair{1, 2})
	check(word(1) == "one" && word(3) == "three" && word(7) == "MANY" && word(4) == "MANY")
	check(same(-1) == 0 && same(5) == 5 && alone() == 5)
}
`

func loadToy(t *testing.T, code, tests string) *Package {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module toy\n\ngo 1.24\n", "toy.go": code, "toy_test.go": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSmallPackage derives all mutants of the toy, and runs them: each must be compiled in, do what it says, and get the verdict
// that the toy's tests deserve.
func TestSmallPackage(t *testing.T) {
	want := strings.Split(strings.TrimSpace(`
toy.go:9 : field dropped: x: 1: killed
toy.go:9 : constant: 1: killed
toy.go:9 : field dropped: y: 2: killed
toy.go:9 : constant: 2: killed
toy.go:12 sign: negated: n < 0: killed
toy.go:12 sign: never: n < 0: killed
toy.go:12 sign: boundary: n < 0: killed
toy.go:12 sign: constant: 0: killed
toy.go:13 sign: returns zero: return "minus": killed
toy.go:15 sign: returns zero: return "plus": killed
toy.go:18 both: returns zero: return a && b: killed
toy.go:18 both: and/or: a && b: killed
toy.go:18 both: operand dropped: a: killed
toy.go:18 both: negated: a && b: killed
toy.go:18 both: operand dropped: b: killed
toy.go:21 either: negated: a || b: killed
toy.go:21 either: never: a || b: killed
toy.go:21 either: and/or: a || b: killed
toy.go:21 either: operand dropped: a: killed
toy.go:21 either: operand dropped: b: killed
toy.go:22 either: dropped: r = true: killed
toy.go:22 either: constant: true: killed
toy.go:24 either: returns zero: return r: killed
toy.go:28 sum: dropped: for i := 0; i < len(list); i++ { n += list[i] }: killed
toy.go:28 sum: constant: 0: killed
toy.go:28 sum: never: i < len(list): killed
toy.go:28 sum: boundary: i < len(list): killed
toy.go:29 sum: dropped: n += list[i]: killed
toy.go:31 sum: returns zero: return n: killed
toy.go:34 area: returns zero: return p.x * p.y: killed
toy.go:34 area: operator: p.x * p.y: killed
toy.go:38 word: case dropped: 1: killed
toy.go:39 word: returns zero: return "one": killed
toy.go:40 word: case dropped: three: killed
toy.go:41 word: returns zero: return "three": killed
toy.go:43 word: returns zero: return strings.ToUpper("many"): killed
toy.go:46 untested: returns zero: return n + three: survived
toy.go:46 untested: operator: n + three: survived
toy.go:46 untested: constant: three: survived
toy.go:49 same: negated: n < 0: killed
toy.go:49 same: never: n < 0: survived
toy.go:49 same: boundary: n < 0: survived
toy.go:49 same: constant: 0: survived
toy.go:50 same: dropped: n = 0: survived
toy.go:50 same: constant: 0: killed
toy.go:52 same: returns zero: return max(n, 0): killed
toy.go:52 same: constant: 0: killed
toy.go:57 alone: dropped: once = 5: killed
toy.go:57 alone: constant: 5: killed
toy.go:58 alone: returns zero: return once: killed
`), "\n")
	p := loadToy(t, toy, smallTests)
	binary, err := p.Build(t.TempDir(), p.Find())
	if err != nil {
		t.Fatal(err)
	}
	suite, err := NewSuite(binary)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range binary.Mutants {
		verdict, by := suite.Judge(m)
		if (verdict == Killed) != (by == "TestSmallPackage" || by == "the end of the process") {
			t.Errorf("%v: %s by %q", m, verdict, by)
		}
		got = append(got, m.String()+": "+string(verdict))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, m := range binary.Refused {
		t.Errorf("does not compile: %v", m)
	}
}

// TestTreeIsLeftAlone shows that a build writes nothing beside the code.
func TestTreeIsLeftAlone(t *testing.T) {
	p := loadToy(t, toy, smallTests)
	if _, err := p.Build(t.TempDir(), p.Find()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"toy.go": toy, "toy_test.go": smallTests} {
		if text, err := os.ReadFile(filepath.Join(p.Dir, name)); err != nil || string(text) != want {
			t.Errorf("%s has changed: %v", name, err)
		}
	}
	if files, err := os.ReadDir(p.Dir); err != nil || len(files) != 3 {
		t.Errorf("%v %v", files, err)
	}
}

// TestEndless shows that a mutant that never ends is stopped and counts as noticed.
func TestEndless(t *testing.T) {
	p := loadToy(t, "package toy\n\nfunc count(n int) (k int) {\n\tfor n > 0 {\n\t\tn--\n\t\tk++\n\t}\n\treturn k\n}\n",
		"package toy\n\nimport \"testing\"\n\nfunc TestCount(t *testing.T) {\n\tif count(3) != 3 {\n\t\tt.Fatal()\n\t}\n}\n")
	binary, err := p.Build(t.TempDir(), p.Find())
	if err != nil {
		t.Fatal(err)
	}
	suite, err := NewSuite(binary)
	if err != nil {
		t.Fatal(err)
	}
	suite.least = time.Second
	verdicts := map[Verdict]int{}
	for _, m := range binary.Mutants {
		v, _ := suite.Judge(m)
		verdicts[v]++
	}
	if verdicts[TimedOut] != 1 || verdicts[Survived] != 0 {
		t.Error(verdicts)
	}
}

// TestRefused shows that a mutant that does not compile is left out, and the others stay.
func TestRefused(t *testing.T) {
	p := loadToy(t, `package toy

type pair struct{ x int }

func shadow(x int) pair {
	x++
	pair := pair{x}
	return pair
}
`, "package toy\n\nimport \"testing\"\n\nfunc TestShadow(t *testing.T) {\n\tif shadow(1) != (pair{2}) {\n\t\tt.Fatal()\n\t}\n}\n")
	binary, err := p.Build(t.TempDir(), p.Find())
	if err != nil {
		t.Fatal(err)
	}
	if len(binary.Refused) != 1 || binary.Refused[0].Kind != Zero {
		t.Errorf("refused: %v", binary.Refused)
	}
	if len(binary.Mutants) != 1 || binary.Mutants[0].Kind != Statement {
		t.Errorf("left: %v", binary.Mutants)
	}
}

// TestBrokenTests shows that tests that fail without a mutant are skipped if others are left, and an error otherwise.
func TestBrokenTests(t *testing.T) {
	code := "package toy\n\nfunc one() int { return 1 }\n"
	tests := "package toy\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {\n\tif one() != 1 {\n\t\tt.Fatal()\n\t}\n}\n"
	p := loadToy(t, code, tests+"\nfunc TestBad(t *testing.T) { t.Fatal() }\n")
	binary, err := p.Build(t.TempDir(), p.Find())
	if err != nil {
		t.Fatal(err)
	}
	suite, err := NewSuite(binary)
	if err != nil || !slices.Equal(suite.Skip, []string{"TestBad"}) {
		t.Fatal(suite, err)
	}
	for _, m := range binary.Mutants {
		if v, by := suite.Judge(m); v != Killed || by != "TestGood" {
			t.Errorf("%v: %s by %s", m, v, by)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	if p, err := Load(t.TempDir(), "./nothing"); err == nil {
		t.Error(p.Path)
	}
	if p, err := Load("..", "./..."); err == nil || !strings.Contains(err.Error(), "packages, want one") {
		t.Error(p, err)
	}
}
