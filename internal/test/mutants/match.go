//lint:file-ignore SA1019 mutants are compared by syntax alone: what the parser says of local variables is enough, and needs no types

package mutants

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Tree is the code below the module's root, read once.
type Tree struct {
	Root  string
	files token.FileSet
	dirs  map[string][]declaration
}

// declaration is a function, or one constant, variable or type.
type declaration struct {
	path, name string
	node       ast.Node
}

// local says whether a name of the declaration is a variable of its own.
func (d declaration) local(name *ast.Ident) bool {
	return name.Obj != nil && name.Obj.Kind == ast.Var && d.node.Pos() <= name.Obj.Pos() && name.Obj.Pos() < d.node.End()
}

// Apply returns the path of the file that the mutant changes and what is in it then.
func (t *Tree) Apply(m *Mutant) (path string, changed []byte, err error) {
	all, err := t.below(m.Dir)
	if err != nil {
		return "", nil, err
	}
	old, _, err := parseCode(m.Old)
	if err != nil {
		return "", nil, fmt.Errorf("%s: the lines with - of %s: %w", m.At, m.Name, err)
	}
	var here, elsewhere []match
	for _, d := range all {
		found := matches(d, old)
		if elsewhere = append(elsewhere, found...); d.name == m.Decl {
			here = append(here, found...)
		}
	}
	if len(here) != 1 {
		return "", nil, fmt.Errorf("%s: %s is to replace this in %s, where it is %d times:\n%s%s", m.At, m.Name, m.Decl, len(here), m.Old,
			remedy(m, all, here, elsewhere))
	}
	if path, changed, err = here[0].replace(m.New, &t.files); err != nil {
		err = fmt.Errorf("%s: %s: %w", m.At, m.Name, err)
	}
	return path, changed, err
}

// remedy says what to do about a mutant that does not apply.
func remedy(m *Mutant, all []declaration, here, elsewhere []match) string {
	switch {
	case len(here) > 1:
		return "Take more of the code around it into the lines with - and +."
	case len(elsewhere) == 1:
		return fmt.Sprintf("It is in %s now: change the line in: to\nin:   %s %s", elsewhere[0].in.path, m.Dir, elsewhere[0].in.name)
	}
	text := "There is no such declaration in or below " + m.Dir + " any more."
	if slices.ContainsFunc(all, func(d declaration) bool { return d.name == m.Decl }) {
		text = "The declaration is there, and its code is another."
	}
	return text + " Break the same guarantee (" + m.Why + ") in the code as it is now, and see that " + m.Package + " " + m.Test +
		" fails; or delete the mutant, if the mutation tool reaches what is left of it (CONTRIBUTING.md has its command)."
}

// below reads the declarations of the packages in a directory and below it, tests left out.
func (t *Tree) below(dir string) ([]declaration, error) {
	if list, ok := t.dirs[dir]; ok {
		return list, nil
	}
	var list []declaration
	err := filepath.WalkDir(filepath.Join(t.Root, dir), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(&t.files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				list = append(list, declaration{path, functionName(f), f})
				continue
			}
			for _, spec := range d.(*ast.GenDecl).Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range s.Names {
						list = append(list, declaration{path, name.Name, s})
					}
				case *ast.TypeSpec:
					list = append(list, declaration{path, s.Name.Name, s})
				}
			}
		}
		return nil
	})
	if t.dirs == nil {
		t.dirs = map[string][]declaration{}
	}
	t.dirs[dir] = list
	return list, err
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		default:
			return of.(*ast.Ident).Name + "." + f.Name.Name
		}
	}
}

// parseCode reads an expression, statements, or cases of a switch. Positions less base are offsets in the text.
func parseCode(text string) (nodes []ast.Node, base int, err error) {
	files := token.NewFileSet()
	for _, around := range [][2]string{{"var _ =", ""}, {"func _() {", "\n}"}, {"func _() { switch {\n", "\n}}"}} {
		base = len("package p;") + len(around[0])
		var file *ast.File
		if file, err = parser.ParseFile(files, "", "package p;"+around[0]+text+around[1], 0); err != nil {
			continue
		}
		base += files.File(file.Pos()).Base()
		f, ok := file.Decls[0].(*ast.FuncDecl)
		if !ok {
			return []ast.Node{file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0]}, base, nil
		}
		list := f.Body.List
		if strings.HasSuffix(around[1], "}}") {
			list = list[0].(*ast.SwitchStmt).Body.List
		}
		for _, s := range list {
			nodes = append(nodes, s)
		}
		return nodes, base, nil
	}
	return nil, 0, fmt.Errorf("neither an expression nor statements: %w", err)
}

// match is a place in a declaration that is like the old code, and what its names stand for.
type match struct {
	in         declaration
	start, end token.Pos
	names      map[string]ast.Expr
	variables  map[*ast.Object]string
}

func matches(in declaration, old []ast.Node) []match {
	var found []match
	try := func(nodes []ast.Node) {
		m := match{in, nodes[0].Pos(), nodes[len(nodes)-1].End(), map[string]ast.Expr{}, map[*ast.Object]string{}}
		for i := range nodes {
			if !m.same(reflect.ValueOf(old[i]), reflect.ValueOf(nodes[i])) {
				return
			}
		}
		found = append(found, m)
	}
	_, expression := old[0].(ast.Expr)
	ast.Inspect(in.node, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case ast.Expr:
			if expression {
				try([]ast.Node{n})
			}
		}
		for at := 0; !expression && at+len(old) <= len(list); at++ {
			var nodes []ast.Node
			for _, s := range list[at : at+len(old)] {
				nodes = append(nodes, s)
			}
			try(nodes)
		}
		return true
	})
	return found
}

// same compares two values of package go/ast, positions left out.
func (m *match) same(old, now reflect.Value) bool {
	if x, ok := old.Interface().(*ast.Ident); ok && x != nil {
		y, ok := now.Interface().(ast.Expr)
		return ok && m.named(x, y)
	}
	if old.Kind() == reflect.Interface || old.Kind() == reflect.Pointer {
		if old.IsNil() || now.IsNil() {
			return old.IsNil() == now.IsNil()
		}
		return m.same(old.Elem(), now.Elem())
	}
	if old.Type() != now.Type() {
		return false
	}
	switch old.Kind() {
	case reflect.Slice:
		if old.Len() != now.Len() {
			return false
		}
		for i := range old.Len() {
			if !m.same(old.Index(i), now.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range old.NumField() {
			switch old.Field(i).Interface().(type) {
			case token.Pos, *ast.Object, *ast.Scope, *ast.CommentGroup:
			default:
				if !m.same(old.Field(i), now.Field(i)) {
					return false
				}
			}
		}
		return true
	}
	return old.Interface() == now.Interface()
}

// named says whether a name of the old code can stand for the expression: one that begins with _ for any, and a local variable for
// a local variable, each for the same one wherever it is.
func (m *match) named(old *ast.Ident, now ast.Expr) bool {
	is, ok := now.(*ast.Ident)
	switch {
	case old.Name == "_":
		return true
	case strings.HasPrefix(old.Name, "_"):
	case !ok:
		return false
	case !m.in.local(is):
		return old.Name == is.Name
	default:
		if as, ok := m.variables[is.Obj]; ok && as != old.Name {
			return false
		}
		m.variables[is.Obj] = old.Name
	}
	before, ok := m.names[old.Name]
	m.names[old.Name] = now
	return !ok || text(before) == text(now)
}

func text(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		panic(err)
	}
	return b.String()
}

// replace puts the new code where the old is, with the names that are used there.
func (m *match) replace(code string, files *token.FileSet) (string, []byte, error) {
	source, err := os.ReadFile(m.in.path)
	if err != nil {
		return "", nil, err
	}
	code = strings.TrimRight(code, "\n")
	if strings.TrimSpace(code) != "" {
		if code, err = m.renamed(code); err != nil {
			return "", nil, err
		}
	}
	start, end := files.Position(m.start).Offset, files.Position(m.end).Offset
	changed := slices.Concat(source[:start], []byte(code), source[end:])
	if _, err := parser.ParseFile(token.NewFileSet(), "", changed, parser.SkipObjectResolution); err != nil {
		return "", nil, fmt.Errorf("the lines with + make it no Go: %w", err)
	}
	return m.in.path, changed, nil
}

// renamed is the new code with the names that are used where the old code is.
func (m *match) renamed(code string) (string, error) {
	nodes, base, err := parseCode(code)
	if err != nil {
		return "", fmt.Errorf("the lines with +: %w", err)
	}
	locals := map[string]bool{}
	ast.Inspect(m.in.node, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && m.in.local(name) {
			locals[name.Name] = true
		}
		return true
	})
	var names []*ast.Ident
	fields := map[*ast.Ident]bool{}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				fields[x.Sel] = true
			}
			if name, ok := n.(*ast.Ident); ok && !fields[name] {
				names = append(names, name)
			}
			return true
		})
	}
	for _, n := range slices.Backward(names) {
		now, ok := m.names[n.Name]
		if !ok && n.Obj == nil && locals[n.Name] {
			return "", fmt.Errorf("the lines with + have the local variable %s, and those with - have not: it may be renamed", n.Name)
		}
		if at := int(n.Pos()) - base; ok {
			code = code[:at] + text(now) + code[at+len(n.Name):]
		}
	}
	return code, nil
}
