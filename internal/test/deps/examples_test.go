package deps

import (
	"go/ast"
	"go/doc"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExamples checks that each exported function, and each type that a caller builds, is used in an example whose output is
// checked. The kits are called by tests, and their package comments show such a test.
func TestExamples(t *testing.T) {
	for _, dir := range production(t) {
		if strings.Contains(dir, "/internal/") {
			continue
		}
		used := usedInExamples(t, dir)
		functions, types := built(t, dir)
		for _, name := range slices.Concat(functions, types) {
			if !used[name] {
				t.Errorf("%s: no example with output uses %s", dir, name)
			}
		}
	}
}

// TestWhatToCall checks that each function and method that a package comment lists under "What to call" has an example of its own,
// of at most 30 lines.
func TestWhatToCall(t *testing.T) {
	for _, dir := range production(t) {
		comment, lines := "", map[string]int{} // by what the example is named after
		for _, file := range sources(t, dir) {
			comment += parsed(t, file).Doc.Text()
		}
		tests, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range tests {
			for _, decl := range parsed(t, file).Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
					n := files.Position(f.Body.End()).Line - files.Position(f.Body.Pos()).Line - 1
					if lines[f.Name.Name] = n; n > 30 {
						t.Errorf("%s: %s has %d lines", dir, f.Name.Name, n)
					}
				}
			}
		}
		_, section, _ := strings.Cut(comment, "\n# What to call\n")
		section, _, _ = strings.Cut(section, "\n# ")
		for _, name := range regexp.MustCompile(`(?:^|[^\w.])([A-Z]\w*(?:\.[A-Z]\w*)?)`).FindAllStringSubmatch(section, -1) {
			example := "Example" + strings.ReplaceAll(name[1], ".", "_")
			named := func(other string) bool { return other == example || strings.HasPrefix(other, example+"_") }
			if slices.Contains(declaredIn(t, dir), name[1]) && !slices.ContainsFunc(slices.Collect(maps.Keys(lines)), named) {
				t.Errorf("%s: there is no %s", dir, example)
			}
		}
	}
}

// built lists a package's exported functions, and its struct types that a caller builds: those that exported functions and
// methods take, and those in their fields.
func built(t *testing.T, dir string) (functions, types []string) {
	t.Helper()
	structs, taken := map[string]*ast.StructType{}, map[string]bool{}
	take := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if _, ok := n.(*ast.SelectorExpr); ok {
				return false // another package's
			}
			if ident, ok := n.(*ast.Ident); ok && ident.IsExported() {
				taken[ident.Name] = true
			}
			return true
		})
	}
	for _, file := range sources(t, dir) {
		for _, decl := range parsed(t, file).Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if !decl.Name.IsExported() || decl.Recv != nil && !ast.IsExported(receiverName(decl.Recv.List[0].Type)) {
					continue
				}
				if decl.Recv == nil {
					functions = append(functions, decl.Name.Name)
				}
				for _, param := range decl.Type.Params.List {
					take(param.Type)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						if s, ok := spec.Type.(*ast.StructType); ok && spec.Name.IsExported() {
							structs[spec.Name.Name] = s
						}
					}
				}
			}
		}
	}
	for before := -1; before != len(taken); {
		before = len(taken)
		for name, s := range structs {
			for _, field := range s.Fields.List {
				if taken[name] && len(field.Names) > 0 && field.Names[0].IsExported() {
					take(field.Type)
				}
			}
		}
	}
	for name := range structs {
		if taken[name] {
			types = append(types, name)
		}
	}
	slices.Sort(types)
	return functions, types
}

// usedInExamples has the names that examples with output show: those that an example is named after, and those that its file
// uses.
func usedInExamples(t *testing.T, dir string) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	names, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, checked := parsed(t, name), 0
		for _, example := range doc.Examples(file) {
			if example.Output == "" && !example.EmptyOutput {
				t.Errorf("%s: Example%s is compiled and not run: it has no output", dir, example.Name)
				continue
			}
			checked++
			name, _, _ := strings.Cut(example.Name, "_")
			used[name] = true
		}
		if checked == 0 {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Name == filepath.Base(dir) {
					used[selector.Sel.Name] = true
				}
			}
			return true
		})
	}
	return used
}

// receiverName is the name of a method's type, without a pointer and type parameters.
func receiverName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
