package mutants

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestApply: names of local variables and where a function is do not count; everything else does.
func TestApply(t *testing.T) {
	root := t.TempDir()
	const source = "package p\n\nfunc (b box[T]) rank(list []int, n int) int {\n\tfor _, x := range list {\n\t\tif x < n {\n\t\t\tn = b.f(x, n)\n\t\t}\n\t}\n\tswitch {\n\tcase n > 1:\n\t\treturn b.n\n\t}\n\treturn n\n}\n"
	if err := os.MkdirAll(filepath.Join(root, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a", "b", "b.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ decl, old, new, want string }{ // want: what is new in the file, or a part of the error
		{"box.rank", "if item < least {\n\tleast = of.f(item, least)\n}\n", "least = item\n", "\t\tn = x\n"},
		{"box.rank", "least > 1", "least > 2", "case n > 2:"},
		{"box.rank", "case least > 1:\n\treturn of.n\n", "", "switch {\n\t\n\t}"},
		{"box.rank", "_f(_a, _b)", "_f(_b, _a)", "n = b.f(n, x)"},
		{"box.rank", "a = b.f(a, a)", "a++", "0 times"},
		{"box.rank", "a = b.g(x, a)", "a++", "is another"},
		{"box.rank", "return _", "return 0", "2 times"},
		{"box.sort", "a > 1", "a > 2", "change the line in: to\nin:   a box.rank"},
		{"box.rank", "k > 1", "x > 1", "local variable x"},
		{"box.rank", "k > 1", "k > > 1", "the lines with +"},
		{"box.rank", "k > > 1", "", "the lines with -"},
	} {
		m := &Mutant{Name: "it", Dir: "a", Decl: test.decl, Old: test.old, New: test.new}
		_, changed, err := (&Tree{Root: root}).Apply(m)
		got := string(changed)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%q to %q in %s:\n%s\nwant %q", test.old, test.new, test.decl, got, test.want)
		}
	}
}
