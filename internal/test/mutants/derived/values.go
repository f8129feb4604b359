package derived

import (
	"go/ast"
	"go/types"
)

// constant changes an expression whose value the compiler knows: an integer by one, a bool to the other. Texts stay,
// because most are words for people.
func (v *finder) constant(e ast.Expr, tv types.TypeAndValue) {
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || v.mustBeConstant(e) {
		return
	}
	name, ok := v.typeName(tv.Type)
	switch {
	case basic.Info()&types.IsBoolean != 0 && v.plainBool(e):
		v.add(Constant, e, v.around(e, "((activeMutant == ID) != (", "))"))
	case basic.Info()&types.IsInteger != 0 && basic.Info()&types.IsUntyped == 0 && ok:
		v.add(Constant, e, v.around(e, "mutantNext["+name+"](ID, ", ")"))
	}
}

// mustBeConstant says that the language wants a constant here, or that another mutant changes it.
func (v *finder) mustBeConstant(e ast.Expr) bool {
	switch parent := v.parent().(type) {
	case *ast.KeyValueExpr:
		literal, ok := v.path[len(v.path)-3].(*ast.CompositeLit)
		return ok && parent.Key == e && !v.isStruct(literal)
	case *ast.CaseClause:
		return true
	}
	return false
}

// capacity leaves the capacities out that make and slices.Grow take: they change nothing but speed.
func (v *finder) capacity(call *ast.CallExpr) {
	switch name := v.text(call.Fun); {
	case name == "make" && len(call.Args) == 3:
		v.skip[call.Args[2]] = true
	case name == "make" && len(call.Args) == 2:
		if _, ok := v.pkg.info.Types[call.Args[0]].Type.Underlying().(*types.Map); ok {
			v.skip[call.Args[1]] = true
		}
	case name == "slices.Grow":
		v.skip[call.Args[1]] = true
	}
}

// switches makes each value or condition of a switch never match.
func (v *finder) switches(n *ast.SwitchStmt) {
	for _, clause := range n.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			if n.Tag == nil {
				if v.plainBool(e) && v.pkg.info.Types[e].Value == nil {
					v.add(Never, e, v.around(e, "(activeMutant != ID && (", "))"))
				}
				continue
			}
			v.caseValue(n.Tag, e)
		}
	}
}

func (v *finder) caseValue(tag, e ast.Expr) {
	t := v.pkg.info.Types[tag].Type
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return
	}
	name, ok := v.typeName(t)
	switch {
	case !ok:
	case basic.Info()&types.IsInteger != 0:
		v.add(Case, e, v.around(e, "mutantOther["+name+"](ID, ", ")"))
	case basic.Info()&types.IsString != 0:
		v.add(Case, e, v.around(e, "mutantOtherText["+name+"](ID, ", ")"))
	}
}

// literal drops each field of a struct's literal that is not zero anyway.
func (v *finder) literal(n *ast.CompositeLit) {
	if !v.isStruct(n) {
		return
	}
	for _, element := range n.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		v.skip[pair.Key] = true
		if v.isZero(pair.Value) {
			continue
		}
		if name, ok := v.fieldType(n, pair.Key); ok {
			edits := v.around(pair.Value, "mutantKeep["+name+"](ID, ", ")")
			v.add(Field, pair, edits)
		}
	}
}

func (v *finder) fieldType(n *ast.CompositeLit, key ast.Expr) (string, bool) {
	s, _ := structOf(v.pkg.info.Types[n].Type)
	name, ok := key.(*ast.Ident)
	if s == nil || !ok {
		return "", false
	}
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() == name.Name {
			return v.typeName(f.Type())
		}
	}
	return "", false
}

func (v *finder) isStruct(n *ast.CompositeLit) bool {
	_, ok := structOf(v.pkg.info.Types[n].Type)
	return ok
}

// structOf sees through a pointer, which the type of an elided literal is.
func structOf(t types.Type) (*types.Struct, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}

// typeName writes a type as the file would, if the file can.
func (v *finder) typeName(t types.Type) (name string, ok bool) {
	ok = true
	name = types.TypeString(t, func(p *types.Package) string {
		if p == v.pkg.types {
			return ""
		}
		local := v.file.imports[p.Path()]
		if local == "" || local == "." || local == "_" {
			ok = false
		}
		return local
	})
	return name, ok
}
