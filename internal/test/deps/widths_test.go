package deps

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// The longest lines, in columns. A tab counts as four.
const (
	commentWidth = 100
	codeWidth    = 120
)

// TestWidths checks the widths of lines and that one statement assigns one thing. Tables, programs
// in comments, URLs, directives and test data are excepted.
func TestWidths(t *testing.T) {
	if err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, file)
		name = filepath.ToSlash(name)
		if !strings.HasSuffix(name, ".go") {
			return err
		}
		for _, mistake := range unlike(t, name, read(t, name)) {
			t.Error(mistake)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestWidthsFindMistakes checks what TestWidths finds in a file that has each mistake once, and
// each exception.
func TestWidthsFindMistakes(t *testing.T) {
	long := strings.Repeat("word ", 21)
	source := strings.ReplaceAll(`package p

// LONG
//   - LONG
//
//	a program or a table: LONG
//
// [a link]: https://example.com/LONG
//
//go:generate LONG
func f() {
	a := []int{1, 2, 3, "LONG LONG"}
	a, b, c := 1, 2, 3
	a, b = append(a, 1), append(b, 2)
	a, b = b, a
	a, b, c = g()
	_ = `+"`\nLONG LONG\n`"+`
	_ = []string{
		"LONG LONG",
	}
}
`, "LONG", long)
	lines := func(file string) (found []string) {
		for _, mistake := range unlike(t, file, source) {
			found = append(found, strings.Fields(strings.TrimPrefix(mistake, file+":"))[0])
		}
		return found
	}
	if got, want := fmt.Sprint(lines("p.go")), "[3: 4: 12: 21: 13: 14:]"; got != want {
		t.Errorf("lines %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(lines("p_test.go")), "[3: 4: 12:]"; got != want {
		t.Errorf("lines of a test %s, want %s", got, want)
	}
}

// linked is the definition of a link in a comment, which cannot be broken.
var linked = regexp.MustCompile(`^// \[[^]]+\]: `)

// unlike returns what is wrong with a file: lines that are too long, and in code that is not a
// test, statements that assign several things.
func unlike(t *testing.T, file, source string) (mistakes []string) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	isTest := strings.HasSuffix(file, "_test.go")
	data := dataLines(set, f, isTest)
	at := 0
	for line := range strings.Lines(source) {
		at++
		text := strings.TrimSpace(line)
		limit := codeWidth
		if strings.HasPrefix(text, "//") {
			limit = commentWidth
		}
		columns := utf8.RuneCountInString(strings.TrimRight(line, "\n")) + 3*strings.Count(line, "\t")
		if columns > limit && !data[at] && !strings.HasPrefix(text, "//\t") && !linked.MatchString(text) {
			mistakes = append(mistakes, fmt.Sprintf("%s:%d: has %d columns, at most %d are allowed", file, at, columns,
				limit))
		}
	}
	if !isTest {
		ast.Inspect(f, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && assignsSeveral(a) {
				mistakes = append(mistakes, fmt.Sprintf("%s:%d: assigns several things: use a statement for each",
					file, set.Position(a.Pos()).Line))
			}
			return true
		})
	}
	return mistakes
}

// dataLines are the lines of directives, of what tests print and of strings that span lines; in
// tests also the rows of tables: elements of a literal that stand alone on a line.
func dataLines(set *token.FileSet, f *ast.File, isTest bool) map[int]bool {
	found := map[int]bool{}
	add := func(from, to token.Pos) {
		for line := set.Position(from).Line; line <= set.Position(to).Line; line++ {
			found[line] = true
		}
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			output := strings.HasPrefix(c.Text, "// Output:") || strings.HasPrefix(c.Text, "// Unordered output:")
			if output && isTest {
				add(c.Pos(), group.End())
			}
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//nolint") {
				add(c.Pos(), c.End())
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if strings.HasPrefix(n.Value, "`") && (isTest || strings.Contains(n.Value, "\n")) {
				add(n.Pos(), n.End())
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				alone := set.Position(e.Pos()).Line > set.Position(n.Lbrace).Line &&
					set.Position(e.Pos()).Line == set.Position(e.End()).Line
				if isTest && alone {
					add(e.Pos(), e.End())
				}
			}
		}
		return true
	})
	return found
}

// assignsSeveral reports whether a statement assigns three values or more, or two that are
// appended.
func assignsSeveral(a *ast.AssignStmt) bool {
	appended := 0
	for _, value := range a.Rhs {
		if call, ok := value.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "append" {
				appended++
			}
		}
	}
	return len(a.Rhs) > 2 || appended > 1
}
