package derived

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Find returns all mutants of the package, in the order of the source, numbered from 1.
func (p *Package) Find() []Mutant {
	var all []Mutant
	for _, f := range p.files {
		v := &finder{pkg: p, file: f, skip: map[ast.Node]bool{}}
		ast.Inspect(f.syntax, v.visit)
		slices.SortStableFunc(v.found, func(a, b Mutant) int { return cmp.Compare(a.edits[0].offset, b.edits[0].offset) })
		all = append(all, v.found...)
	}
	for i := range all {
		all[i].ID = i + 1
		for j := range all[i].edits {
			all[i].edits[j].text = strings.ReplaceAll(all[i].edits[j].text, "ID", fmt.Sprint(all[i].ID))
		}
	}
	return all
}

// finder collects the mutants of one file. In the texts of its edits, ID stands for the number of the mutant.
type finder struct {
	pkg   *Package
	file  file
	path  []ast.Node // from the file to the node under visit
	skip  map[ast.Node]bool
	found []Mutant
}

func (v *finder) visit(n ast.Node) bool {
	if n == nil {
		v.path = v.path[:len(v.path)-1]
		return true
	}
	if v.skip[n] || skipped(n) {
		return false
	}
	v.path = append(v.path, n)
	switch n := n.(type) {
	case *ast.IfStmt:
		v.condition(n.Cond)
	case *ast.ForStmt:
		v.loop(n)
	case *ast.SwitchStmt:
		v.switches(n)
	case *ast.BlockStmt:
		v.statements(n.List)
	case *ast.CaseClause:
		v.statements(n.Body)
	case *ast.CommClause:
		v.statements(n.Body)
	case *ast.CompositeLit:
		v.literal(n)
	case *ast.CallExpr:
		v.capacity(n)
	case *ast.IndexExpr:
		if v.isType(n) {
			v.path = v.path[:len(v.path)-1]
			return false
		}
	case ast.Expr:
		// below
	}
	if e, ok := n.(ast.Expr); ok && !v.expression(e) {
		v.path = v.path[:len(v.path)-1]
		return false
	}
	return true
}

// skipped are nodes without expressions that could change: declarations of constants, types and signatures.
func skipped(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.VAR
	case *ast.FuncType, *ast.ArrayType, *ast.StructType, *ast.InterfaceType, *ast.MapType, *ast.ChanType, *ast.FieldList:
		return true
	}
	return false
}

// expression handles an expression wherever it is, and says whether to go into it.
func (v *finder) expression(e ast.Expr) bool {
	tv, ok := v.pkg.info.Types[e]
	if !ok {
		return true
	}
	if tv.IsType() {
		return false
	}
	if tv.Value != nil {
		v.constant(e, tv)
		return false
	}
	if binary, ok := e.(*ast.BinaryExpr); ok {
		v.binary(binary)
	}
	if v.plainBool(e) && v.isValue() {
		v.add(Negated, e, v.around(e, "((activeMutant == ID) != (", "))"))
	}
	return true
}

// isValue says that the expression under visit is returned, assigned, passed or a field, so that nobody but
// [finder.condition] and [finder.binary] would negate it. Only operators count: names and calls would be too many.
func (v *finder) isValue() bool {
	self := v.path[len(v.path)-1]
	switch self.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
	default:
		return false
	}
	switch v.parent().(type) {
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.CallExpr, *ast.KeyValueExpr, *ast.ValueSpec:
		return true
	}
	return false
}

func (v *finder) parent() ast.Node { return v.path[len(v.path)-2] }

// plainBool says that an expression's value is a bool, of no other name.
func (v *finder) plainBool(e ast.Expr) bool {
	basic, ok := v.pkg.info.Types[e].Type.(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

func (v *finder) isType(e ast.Expr) bool { return v.pkg.info.Types[e].IsType() }

// add records a mutant that changes a node.
func (v *finder) add(kind Kind, n ast.Node, edits []edit) {
	line := v.pkg.fset.Position(n.Pos()).Line
	v.found = append(v.found, Mutant{
		Kind: kind, File: filepath.Base(v.file.path), Func: v.function(), Text: oneLine(v.text(n)),
		Line: line, lines: v.pkg.fset.Position(n.End()).Line - line, edits: edits,
	})
}

func (v *finder) span(n ast.Node) (from, to int) {
	return v.offset(n.Pos()), v.offset(n.End())
}

func (v *finder) offset(p token.Pos) int { return v.pkg.fset.Position(p).Offset }

func (v *finder) text(n ast.Node) string {
	from, to := v.span(n)
	return string(v.file.text[from:to])
}

// around surrounds a node.
func (v *finder) around(n ast.Node, before, after string) []edit {
	from, to := v.span(n)
	return around(from, to, before, after)
}

// function names the function that holds the node under visit.
func (v *finder) function() string {
	for _, n := range v.path {
		f, ok := n.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if f.Recv == nil || len(f.Recv.List) == 0 {
			return f.Name.Name
		}
		receiver, _, _ := strings.Cut(strings.TrimPrefix(v.text(f.Recv.List[0].Type), "*"), "[")
		return receiver + "." + f.Name.Name
	}
	return ""
}
