package derived

import (
	"go/ast"
	"go/token"
	"go/types"
)

// condition negates what an if asks, and makes it false.
func (v *finder) condition(e ast.Expr) {
	if !v.plainBool(e) || v.pkg.info.Types[e].Value != nil {
		return
	}
	v.add(Negated, e, v.around(e, "((activeMutant == ID) != (", "))"))
	v.add(Never, e, v.around(e, "(activeMutant != ID && (", "))"))
}

// loop makes the condition of a loop false. Its negation would be an endless loop or the same.
func (v *finder) loop(n *ast.ForStmt) {
	if n.Cond != nil && v.plainBool(n.Cond) {
		v.add(Never, n.Cond, v.around(n.Cond, "(activeMutant != ID && (", "))"))
	}
}

// binary changes an operator.
func (v *finder) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LAND, token.LOR:
		if v.plainBool(n) {
			v.connective(n)
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if v.plainBool(n) {
			v.call(Boundary, n, map[token.Token]string{
				token.LSS: "mutantLess", token.LEQ: "mutantLessEqual", token.GTR: "mutantGreater", token.GEQ: "mutantGreaterEqual",
			}[n.Op])
		}
	case token.ADD, token.SUB, token.MUL, token.QUO, token.AND, token.OR:
		basic, ok := v.pkg.info.Types[n].Type.Underlying().(*types.Basic)
		if ok && basic.Info()&types.IsInteger != 0 {
			v.call(Operator, n, map[token.Token]string{
				token.ADD: "mutantAdd", token.SUB: "mutantSubtract", token.MUL: "mutantMultiply", token.QUO: "mutantDivide",
				token.AND: "mutantAnd", token.OR: "mutantOr",
			}[n.Op])
		}
	}
}

// call replaces x op y by function(ID, x, y).
func (v *finder) call(kind Kind, n *ast.BinaryExpr, function string) {
	edits := v.around(n, function+"(ID, ", ")")
	edits[0].inner, edits[1].inner = true, true
	at := v.offset(n.OpPos)
	edits = append(edits, edit{offset: at, end: at + len(n.Op.String()), text: ","})
	v.add(kind, n, edits)
}

// connective swaps && and ||, by De Morgan's law, so that no operand is evaluated more often than it was; and it
// leaves out each operand.
func (v *finder) connective(n *ast.BinaryExpr) {
	const before, after = "((activeMutant == ID) != (", "))"
	edits := v.around(n, before, after)
	edits = append(edits, v.around(n.X, before, after)...)
	edits = append(edits, v.around(n.Y, before, after)...)
	v.add(Connective, n, edits)
	before2, after2 := "(activeMutant == ID || (", "))"
	if n.Op == token.LOR {
		before2 = "(activeMutant != ID && ("
	}
	for _, operand := range []ast.Expr{n.X, n.Y} {
		v.add(Operand, operand, v.around(operand, before2, after2))
	}
}
