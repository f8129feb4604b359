// Package deps has no code of its own. Its tests compare what production code imports and exports
// with what is written down.
package deps

import (
	"encoding/json"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	module  = "github.com/slicewright/slicewright"
	root    = "../../.."
	apiFile = root + "/testdata/api.txt"
)

var rewrite = flag.Bool("rewrite", false, "rewrite testdata/api.txt")

// layers are the packages, with all below them, that may not import others of this module: readers
// know no writers, and planners know no clients.
var layers = []struct {
	of  []string
	not []string
}{
	{[]string{"conditions", "internal/quote"}, []string{""}},
	{[]string{"internal/accept", "internal/endpoint", "internal/hinting", "internal/notation"}, []string{"dedup", "hints", "mirror", "slicer"}},
	{[]string{"dedup", "hints"}, []string{"mirror", "slicer"}},
	{[]string{"slicer/services"}, []string{"mirror", "slicer/publish"}},
	{[]string{"mirror"}, []string{"slicer/publish", "slicer/services"}},
	{numeric, []string{""}},
}

// numeric are the packages that decide over numbers alone, and know neither Kubernetes nor the
// packages that call them.
var numeric = []string{"slicer/internal/packing", "slicer/internal/sequence", "internal/hinting/allocate"}

// below reports whether a package is one of the given ones or below one of them. All are below "".
func below(dir string, of []string) bool {
	return slices.ContainsFunc(of, func(top string) bool {
		return top == "" || dir == top || strings.HasPrefix(dir, top+"/")
	})
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir  string
	Imports, GoFiles []string
}

func (p listed) dir() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

// packages returns the packages that other modules import, and what these import of this module.
func packages(t *testing.T) (public, reached []listed) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Imports,GoFiles", "./conditions/...", "./dedup/...",
		"./hints/...", "./mirror/...", "./slicer/...")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return public, reached
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(p.ImportPath, module+"/") {
			continue
		}
		reached = append(reached, p)
		if !strings.Contains(p.ImportPath+"/", "/internal/") {
			public = append(public, p)
		}
	}
}

// TestImports: production code imports the standard library, k8s.io/api, k8s.io/apimachinery and,
// of this module, what layers allows. Only the kits import packages of tests.
func TestImports(t *testing.T) {
	_, reached := packages(t)
	for _, p := range reached {
		dir := p.dir()
		for _, imported := range p.Imports {
			own, isOwn := strings.CutPrefix(imported, module+"/")
			first, _, _ := strings.Cut(imported, "/")
			if !isOwn && strings.Contains(first, ".") &&
				(!below(imported, []string{"k8s.io/api", "k8s.io/apimachinery"}) || slices.Contains(numeric, dir)) {
				t.Errorf("%s imports %s", dir, imported)
			}
			for _, layer := range layers {
				if isOwn && below(dir, layer.of) && below(own, layer.not) && !below(own, layer.of) {
					t.Errorf("%s imports %s", dir, own)
				}
			}
			if isOwn && below(own, []string{"internal/test"}) &&
				!below(dir, []string{"slicer/slicertest", "dedup/deduptest", "internal/test"}) {
				t.Errorf("%s imports %s, which only tests and kits may", dir, own)
			}
		}
	}
}

// TestAPI compares all exported names of the public packages, with their types, with
// testdata/api.txt: a change of what users call shows in the difference.
func TestAPI(t *testing.T) {
	var list []string
	public, _ := packages(t)
	slices.SortFunc(public, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	for _, p := range public {
		list = append(list, exported(t, p)...)
	}
	have := strings.Join(list, "\n") + "\n"
	if *rewrite {
		if err := os.WriteFile(apiFile, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(strings.TrimSpace(string(text)), "\n")
	for sign, side := range map[string][2][]string{"-": {was, list}, "+": {list, was}} {
		for _, line := range side[0] {
			if !slices.Contains(side[1], line) {
				t.Errorf("%s %s; go test ./internal/test/deps -rewrite writes the list", sign, line)
			}
		}
	}
}

// several are the names of fields of one type.
var several = regexp.MustCompile(`^\w+(, \w+)* `)

// exported lists the exported declarations of a package, sorted: a line each, and one for each
// field or method of a type. Fields and methods have the type's name before them.
func exported(t *testing.T, p listed) (list []string) {
	t.Helper()
	files, at := token.NewFileSet(), path.Base(p.ImportPath)
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && (f.Recv == nil || ast.IsExported(receiver(f))) {
				f.Body = nil
				list = append(list, at+": "+strings.Join(printed(files, decl), " "))
			}
			group, _ := decl.(*ast.GenDecl)
			for i := 0; group != nil && group.Tok != token.IMPORT && i < len(group.Specs); i++ {
				list = append(list, specified(at, group, printed(files, group.Specs[i]), group.Specs[i])...)
			}
		}
	}
	slices.Sort(list)
	return list
}

// specified lists a constant, variable or type, and a type's fields or methods.
func specified(at string, group *ast.GenDecl, text []string, spec ast.Spec) []string {
	list := []string{at + ": " + group.Tok.String() + " " + text[0]}
	if of, ok := spec.(*ast.TypeSpec); ok {
		at += "." + of.Name.Name
	}
	for _, line := range text[1:] {
		if line == "" || line == "}" || strings.HasPrefix(line, "//") {
			continue
		}
		rest := several.ReplaceAllString(line, "")
		for _, name := range strings.Split(strings.TrimSpace(strings.TrimSuffix(line, rest)), ", ") {
			list = append(list, strings.TrimSpace(at+": "+name+" "+rest))
		}
	}
	return list
}

// printed is the source of a declaration by lines, without alignment.
func printed(files *token.FileSet, node ast.Node) (lines []string) {
	var b strings.Builder
	if err := printer.Fprint(&b, files, node); err != nil {
		panic(err) // the parser made the node
	}
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// receiver is the name of a method's type, without a pointer and type parameters.
func receiver(f *ast.FuncDecl) string {
	of := f.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
