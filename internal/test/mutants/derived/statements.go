package derived

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// statements leaves out each statement of a list that can be left out, and lets functions return zero values.
func (v *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		if r, ok := s.(*ast.ReturnStmt); ok {
			v.zero(r)
		} else if droppable(s) {
			v.add(Statement, s, v.around(s, "if activeMutant != ID { ", " }"))
		}
	}
}

func droppable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		name, isName := ast.Expr(nil), false
		if ok {
			name = call.Fun
			var ident *ast.Ident
			ident, isName = name.(*ast.Ident)
			return !isName || ident.Name != "panic"
		}
		return true
	case *ast.AssignStmt:
		blank := func(e ast.Expr) bool { i, ok := e.(*ast.Ident); return ok && i.Name == "_" }
		return s.Tok != token.DEFINE && slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !blank(e) })
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.LabeledStmt:
		return droppable(s.Stmt)
	case *ast.ForStmt:
		return s.Cond != nil
	case *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// zero lets a function return the zero values of its results, where it does not do so anyway.
func (v *finder) zero(r *ast.ReturnStmt) {
	results := v.results()
	if len(results) == 0 {
		v.add(Statement, r, v.around(r, "if activeMutant != ID { ", " }"))
		return
	}
	if len(r.Results) > 0 && !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !v.isZero(e) }) {
		return
	}
	var values []string
	for _, t := range results {
		values = append(values, "mutantZero["+t+"]()")
	}
	from, to := v.span(r)
	v.add(Zero, r, []edit{{
		offset: from, end: from, text: "if activeMutant == ID { return " + strings.Join(values, ", ") + " }; ", width: to - from,
	}})
}

// isZero says that an expression is a zero value as it stands.
func (v *finder) isZero(e ast.Expr) bool {
	if tv := v.pkg.info.Types[e]; tv.IsNil() {
		return true
	} else if tv.Value != nil {
		text := tv.Value.ExactString()
		return text == "0" || text == `""` || text == "false"
	}
	literal, ok := e.(*ast.CompositeLit)
	return ok && len(literal.Elts) == 0 && v.isStruct(literal)
}

// results are the types, as text, of what the innermost function around the node under visit returns.
func (v *finder) results() (texts []string) {
	for _, n := range slices.Backward(v.path) {
		var t *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncDecl:
			t = n.Type
		case *ast.FuncLit:
			t = n.Type
		default:
			continue
		}
		if t.Results == nil {
			return nil
		}
		for _, field := range t.Results.List {
			for range max(1, len(field.Names)) {
				texts = append(texts, v.text(field.Type))
			}
		}
		return texts
	}
	return nil
}
