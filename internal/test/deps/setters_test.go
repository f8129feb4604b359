package deps

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// typed is a production package with the types of its expressions.
type typed struct {
	dir   string
	files []*ast.File
	pkg   *types.Package
	info  types.Info
}

// typedPackages checks the types of all production packages and of those below them.
func typedPackages(t *testing.T) (all []typed) {
	t.Helper()
	exports := map[string]string{} // of each package: the file that its importers read
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./...")
	list.Dir = root
	out, err := list.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Start(); err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(out); ; {
		var listed struct{ ImportPath, Export string }
		if err := decoder.Decode(&listed); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[listed.ImportPath] = listed.Export
	}
	if err := list.Wait(); err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	for _, dir := range closure(t, production(t)) {
		p := typed{dir: dir, info: types.Info{
			Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		}}
		for _, file := range sources(t, dir) {
			p.files = append(p.files, parsed(t, file))
		}
		if p.pkg, err = config.Check(module+"/"+dir, files, p.files, &p.info); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// setters are the records of package slicer, each with the types whose methods may set its fields.
// All other functions only read them.
var setters = map[string][]string{
	"request":       {"request"},
	"wantedItems":   {"wantedItems"},
	"wantedPorts":   {"wantedItems", "portSetTable"},
	"portSetTable":  {"portSetTable"},
	"item":          {"wantedItems", "index"},
	"index":         {"index"},
	"presentSlices": {"presentSlices"},
	"liveSlice":     {"presentSlices"},
	"placement":     {"placement"},
	"placedItem":    {"placement", "placedItem"},
	"placedSlice":   {"placement"},
}

// TestSetters checks that fields of the planner's values are set only in methods of these values.
func TestSetters(t *testing.T) {
	nightly.Slow(t)
	checked := map[string]bool{}
	for _, p := range typedPackages(t) {
		if p.dir != "slicer" {
			continue
		}
		for _, file := range p.files {
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				receiver := ""
				if f.Recv != nil {
					receiver = receiverName(f.Recv.List[0].Type)
				}
				ast.Inspect(f, func(n ast.Node) bool {
					for _, target := range targets(n) {
						for _, record := range p.set(target) {
							checked[record] = true
							if !slices.Contains(setters[record], receiver) {
								t.Errorf("%s: %s sets a field of %s", files.Position(n.Pos()), f.Name.Name, record)
							}
						}
					}
					return true
				})
			}
		}
	}
	for record := range setters {
		if !checked[record] {
			t.Errorf("no field of %s is set: correct setters", record)
		}
	}
}

// targets are the expressions that a node assigns to.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	}
	return nil
}

// set returns the records of which an assignment to an expression sets a field, or a part of one.
func (p *typed) set(e ast.Expr) (records []string) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			selection := p.info.Selections[x]
			if selection == nil {
				return records
			}
			of := selection.Recv()
			for _, n := range selection.Index() { // of a promoted field also the record that has it
				if pointer, ok := of.Underlying().(*types.Pointer); ok {
					of = pointer.Elem()
				}
				if named, ok := of.(*types.Named); ok && setters[named.Obj().Name()] != nil {
					records = append(records, named.Obj().Name())
				}
				of = of.Underlying().(*types.Struct).Field(n).Type()
			}
			if _, ok := p.info.Types[x.X].Type.Underlying().(*types.Pointer); ok {
				return records
			}
			e = x.X
		default:
			return records
		}
	}
}
