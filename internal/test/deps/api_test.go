package deps

import (
	"flag"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/api.txt anew")

const apiFile = "testdata/api.txt"

// TestAPI compares all exported names of the public packages, with their types, with a list: whoever changes what users call
// sees it in the difference.
func TestAPI(t *testing.T) {
	var list []string
	for _, dir := range public(t) {
		if !strings.Contains(dir, "/internal/") {
			list = append(list, exported(t, dir)...)
		}
	}
	have := strings.Join(list, "\n") + "\n"
	file := filepath.Join(root, apiFile)
	if *rewrite {
		if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range differing(list, strings.Split(strings.TrimSpace(string(want)), "\n")) {
		t.Errorf("%s; go test ./internal/test/deps -run TestAPI -rewrite writes %s", line, apiFile)
	}
}

// TestAPISinceRelease checks that the CHANGELOG's first section names what differs from the list of the last release, which is
// kept beside the CHANGELOG.
func TestAPISinceRelease(t *testing.T) {
	released, err := filepath.Glob(filepath.Join(root, ".github", "api", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(released) == 0 {
		t.Skip("nothing is released: a release copies " + apiFile + " to .github/api/VERSION.txt")
	}
	slices.Sort(released)
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before, now := read(released[len(released)-1]), read(filepath.Join(root, apiFile))
	_, section, _ := strings.Cut(read(filepath.Join(root, ".github", "CHANGELOG.md")), "\n## ")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, line := range unannounced(strings.Split(before, "\n"), strings.Split(now, "\n"), section) {
		t.Errorf("%s: the CHANGELOG does not name it", line)
	}
}

// unannounced returns the differences between two lists whose names a text does not have.
func unannounced(before, now []string, text string) []string {
	return slices.DeleteFunc(differing(now, before), func(line string) bool {
		name, _, _ := strings.Cut(strings.Fields(line)[2], "(")
		_, own, _ := strings.Cut(name, ".") // without the package
		return strings.Contains(text, "`"+name+"`") || strings.Contains(text, "`"+own+"`")
	})
}

// differing returns the lines that one list has and the other has not, with a sign before them.
func differing(have, want []string) []string {
	var found []string
	for _, side := range []struct {
		sign      string
		list, not []string
	}{{"- ", want, have}, {"+ ", have, want}} {
		for _, line := range side.list {
			if !slices.Contains(side.not, line) {
				found = append(found, side.sign+line)
			}
		}
	}
	return found
}

// exported lists the exported names of a package, one a line and sorted: functions and methods, types, fields, constants and
// variables.
func exported(t *testing.T, dir string) []string {
	t.Helper()
	api := &api{pkg: strings.TrimPrefix(filepath.Base(dir), "/")}
	for _, file := range sources(t, dir) {
		for _, decl := range parsed(t, file).Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				api.function(decl)
			case *ast.GenDecl:
				api.general(decl)
			}
		}
	}
	slices.Sort(api.lines)
	return api.lines
}

type api struct {
	pkg   string
	lines []string
}

func (a *api) add(kind, name, rest string) {
	a.lines = append(a.lines, strings.TrimSpace(kind+" "+a.pkg+"."+name+rest))
}

func (a *api) function(decl *ast.FuncDecl) {
	name := decl.Name.Name
	if decl.Recv != nil {
		receiver := receiverName(decl.Recv.List[0].Type)
		if !ast.IsExported(receiver) {
			return
		}
		name = receiver + "." + name
	}
	if decl.Name.IsExported() {
		a.add("func", name, strings.TrimPrefix(source(decl.Type), "func"))
	}
}

func (a *api) general(decl *ast.GenDecl) {
	var last *ast.ValueSpec // a constant without a type and value repeats those before it
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				a.typeSpec(spec)
			}
		case *ast.ValueSpec:
			if len(spec.Values) > 0 {
				last = spec
			}
			for i, name := range spec.Names {
				if name.IsExported() {
					a.add(decl.Tok.String(), name.Name, valueText(decl.Tok, spec, last, i))
				}
			}
		}
	}
}

// valueText is the type of a constant or variable, and the value of a constant that says it.
func valueText(kind token.Token, spec, last *ast.ValueSpec, i int) string {
	text := ""
	if spec.Type == nil && len(spec.Values) == 0 && last != nil {
		spec = &ast.ValueSpec{Type: last.Type}
	}
	if spec.Type != nil {
		text = " " + source(spec.Type)
	}
	if kind == token.CONST && i < len(spec.Values) {
		text += " = " + source(spec.Values[i])
	}
	return text
}

func (a *api) typeSpec(spec *ast.TypeSpec) {
	name, rest := spec.Name.Name, ""
	if spec.TypeParams != nil {
		rest = strings.TrimPrefix(source(&ast.FuncType{Params: &ast.FieldList{List: spec.TypeParams.List}}), "func")
	}
	if spec.Assign.IsValid() {
		rest += " ="
	}
	var list *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		list, rest = t.Fields, rest+" struct"
	case *ast.InterfaceType:
		list, rest = t.Methods, rest+" interface"
	default:
		rest += " " + source(t)
	}
	a.add("type", name, rest)
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, ident := range field.Names {
			if ident.IsExported() {
				a.add("field", name+"."+ident.Name, " "+source(field.Type))
			}
		}
		if len(field.Names) == 0 {
			a.add("field", name, " embeds "+source(field.Type))
		}
	}
}

// source prints a type or value on one line.
func source(node ast.Node) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil {
		panic(err) // the parser made the node
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestUnannounced(t *testing.T) {
	before := []string{"func a.F(x int)", "func a.G()", "field a.T.X int"}
	now := []string{"func a.F(y int)", "field a.T.Y int"}
	got := strings.Join(unannounced(before, now, "`F` takes y; `a.G` goes; T has `T.Y`"), ", ")
	if want := "- field a.T.X int"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
