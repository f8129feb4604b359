package drawn

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Constant is an exported constant of an enum.
type Constant struct {
	Name  string
	Value string // of a string without quotes, of a number in decimal
	Pos   token.Position
}

// Enums returns the enums of a package, given as a directory from the module's root: the constants
// of each type, in the order of the source. A type of another package has this package's name
// before it, as in "slicer.SkipReason".
func Enums(t testing.TB, dir string) map[string][]Constant {
	t.Helper()
	found := map[string][]Constant{}
	files := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(Root(t), dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no Go files: %v", dir, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
				addGroup(t, files, group, found)
			}
		}
	}
	return found
}

// addGroup adds the constants of one declaration. A constant without type and value repeats those
// of the one before it.
func addGroup(t testing.TB, files *token.FileSet, group *ast.GenDecl, found map[string][]Constant) {
	t.Helper()
	var of, value ast.Expr
	for iota, spec := range group.Specs {
		spec := spec.(*ast.ValueSpec)
		if len(spec.Values) > 0 {
			of, value = spec.Type, spec.Values[0]
		}
		name := spec.Names[0]
		if of == nil || !name.IsExported() {
			continue
		}
		at := types.ExprString(of)
		found[at] = append(found[at], Constant{name.Name, evaluate(t, value, iota), files.Position(name.Pos())})
	}
}

// evaluate returns the value of an expression of literals and iota.
func evaluate(t testing.TB, value ast.Expr, iota int) string {
	t.Helper()
	text := strings.ReplaceAll(types.ExprString(value), "iota", strconv.Itoa(iota))
	result, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if result.Value.Kind() == constant.String {
		return constant.StringVal(result.Value)
	}
	return result.Value.ExactString()
}

// Root returns the module's root: the nearest directory above a test's that has a page of licences.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "LICENSE")); err == nil {
			return dir
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		t.Fatal("no directory above has the file LICENSE")
	}
}
