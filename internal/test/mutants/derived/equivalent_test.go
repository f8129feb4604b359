package derived

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../../../.."

// TestEquivalentLists shows that every listed mutant is one that the tool still derives, and is listed once.
func TestEquivalentLists(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(root, "testdata", "mutants", "equivalent", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		dir := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(path), ".txt"), "-", "/")
		t.Run(dir, func(t *testing.T) {
			p, err := Load(root, "./"+dir)
			if err != nil {
				t.Fatal(err)
			}
			list, err := ReadEquivalent(path)
			if err != nil {
				t.Fatal(err)
			}
			all := p.Find()
			for i, e := range list {
				if !slices.ContainsFunc(all, e.Is) {
					t.Errorf("%s: no such mutant, any more", e.At)
				}
				if slices.ContainsFunc(list[:i], func(o Equivalent) bool { o.At, o.Why = e.At, e.Why; return o == e }) {
					t.Errorf("%s: listed twice", e.At)
				}
			}
		})
	}
}

func TestReadEquivalent(t *testing.T) {
	read := func(text string) ([]Equivalent, error) {
		path := filepath.Join(t.TempDir(), "list.txt")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return ReadEquivalent(path)
	}
	list, err := read("# for the reader\n\na.go f: boundary: x < y: z\n    Because\n    of it.\n")
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	m := Mutant{File: "a.go", Func: "f", Kind: Boundary, Text: "x < y: z", Line: 7}
	if !list[0].Is(m) || list[0].Why != "Because of it." {
		t.Errorf("%+v", list[0])
	}
	for _, change := range []func(*Mutant){
		func(m *Mutant) { m.File = "b.go" }, func(m *Mutant) { m.Func = "g" },
		func(m *Mutant) { m.Kind = Never }, func(m *Mutant) { m.Text = "x" },
	} {
		other := m
		if change(&other); list[0].Is(other) {
			t.Errorf("%+v is not listed", other)
		}
	}
	whole, err := read("a.go *\n    Nobody reads it.\n")
	if err != nil || len(whole) != 1 || !whole[0].Is(m) || whole[0].Is(Mutant{File: "b.go", Func: "f", Kind: Boundary, Text: "x < y: z"}) {
		t.Errorf("a whole file: %+v, %v", whole, err)
	}
	for _, bad := range []string{"a.go f\n    why\n", "a.go *: boundary\n    why\n", "    why\n", "a.go f: boundary: x\n", "a.go\n    why\n", "a.go f: x\n    why\n"} {
		if list, err := read(bad); err == nil {
			t.Errorf("%q: %v", bad, list)
		}
	}
	if list, err := ReadEquivalent(filepath.Join(t.TempDir(), "none.txt")); err != nil || list != nil {
		t.Error(list, err)
	}
}
