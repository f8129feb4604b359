package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// mostExported is how many exported identifiers the writers' packages may have together. Who needs another one finds
// one that can go: each costs every reader of the documentation a look.
const mostExported = 239

// TestExported counts the exported identifiers of the writers' packages: top-level names, and the methods and fields of
// exported types.
func TestExported(t *testing.T) {
	total := 0
	for _, dir := range []string{"slicer", "slicer/service"} {
		names := exported(t, dir)
		if len(names) == 0 {
			t.Errorf("%s exports nothing", dir)
		}
		t.Logf("%s: %d exported identifiers", dir, len(names))
		total += len(names)
	}
	t.Logf("together: %d, of at most %d", total, mostExported)
	if total > mostExported {
		t.Errorf("%d exported identifiers, want at most %d", total, mostExported)
	}
}

// exported lists the exported identifiers of a package, as Name and Type.Name, sorted.
func exported(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, file := range sources(t, dir) {
		names = append(names, exportedBy(parsed(t, file))...)
	}
	slices.Sort(names)
	return names
}

// exportedBy lists the exported identifiers that a file declares.
func exportedBy(file *ast.File) []string {
	var names []string
	add := func(parent string, idents ...*ast.Ident) {
		for _, ident := range idents {
			if ident.IsExported() {
				names = append(names, parent+ident.Name)
			}
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add("", decl.Name)
			} else if receiver := receiverName(decl.Recv.List[0].Type); ast.IsExported(receiver) {
				add(receiver+".", decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					add("", spec.Names...)
				case *ast.TypeSpec:
					add("", spec.Name)
					if spec.Name.IsExported() {
						add(spec.Name.Name+".", members(spec.Type)...)
					}
				}
			}
		}
	}
	return names
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

// members are the fields of a struct and the methods of an interface, embedded types by their names.
func members(e ast.Expr) []*ast.Ident {
	var list *ast.FieldList
	switch x := e.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	default:
		return nil
	}
	var idents []*ast.Ident
	for _, field := range list.List {
		idents = append(idents, field.Names...)
		if len(field.Names) == 0 {
			idents = append(idents, &ast.Ident{Name: embeddedName(field.Type)})
		}
	}
	return idents
}

func embeddedName(e ast.Expr) string {
	if selector, ok := e.(*ast.SelectorExpr); ok {
		return selector.Sel.Name
	}
	return receiverName(e)
}

// TestExportedCounts counts the names of a small file.
func TestExportedCounts(t *testing.T) {
	for _, c := range []struct {
		why, code string
		want      int
	}{
		{"names of every kind", "const A, b = 1, 2\nvar C int\nfunc D() {}\ntype E = int", 4},
		{"methods of exported types only", "func (t *T) M() {}\nfunc (t[K, V]) N() {}\nfunc (*T) o() {}\ntype T struct{}", 2},
		{"fields, embedded ones by their names", "type T struct { A, b int; p.Q; *R; s }", 4},
		{"methods of an interface", "type T interface { A(); b() }", 2},
		{"a type inside a function", "func f() { type T struct{ A int } }", 0},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+c.code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := exportedBy(file); len(got) != c.want {
			t.Errorf("%s: got %v, want %d", c.why, got, c.want)
		}
	}
}
