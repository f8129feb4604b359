package deps

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestNames checks that no local variable or parameter of production code has the name of a type of
// its package, of a package that the file imports, or of a builtin; and that each type has one
// receiver name.
func TestNames(t *testing.T) {
	nightly.Slow(t)
	for _, p := range typedPackages(t) {
		receivers := map[string]string{} // of each type
		for _, file := range p.files {
			imported := map[string]bool{}
			for _, spec := range file.Imports {
				path := importPath(spec)
				imported[path[strings.LastIndex(path, "/")+1:]] = spec.Name == nil
				if spec.Name != nil {
					imported[spec.Name.Name] = true
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if f, ok := n.(*ast.FuncDecl); ok && f.Recv != nil && len(f.Recv.List[0].Names) > 0 {
					of, name := receiverName(f.Recv.List[0].Type), f.Recv.List[0].Names[0].Name
					if other, known := receivers[of]; known && other != name {
						t.Errorf("%s: the receiver of %s is %s, and %s elsewhere", files.Position(f.Pos()), of, name,
							other)
					}
					receivers[of] = name
				}
				ident, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				local, ok := p.info.Defs[ident].(*types.Var)
				if !ok || local.IsField() || local.Parent() == p.pkg.Scope() {
					return true
				}
				_, isType := p.pkg.Scope().Lookup(ident.Name).(*types.TypeName)
				if isType || imported[ident.Name] || types.Universe.Lookup(ident.Name) != nil {
					t.Errorf("%s: %s is also a type, a package or a builtin", files.Position(ident.Pos()), ident.Name)
				}
				return true
			})
		}
	}
}
