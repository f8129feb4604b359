package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/slicewright/slicewright"
	root   = "../../.."
)

// public returns the directories of the packages that other modules import, from the root: all that
// hold Go code, except internal ones, examples and nested modules.
func public(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		dir := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(file, root), "/"))
		switch name := entry.Name(); {
		case dir == "":
			return nil
		case strings.HasPrefix(name, ".") || name == "testdata" || dir == "internal" || dir == "examples" ||
			nested(file):
			return fs.SkipDir
		}
		if len(sources(t, dir)) > 0 {
			found = append(found, dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// production returns the public packages that are not kits.
func production(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(public(t), isKit)
}

func isKit(dir string) bool { return slices.Contains(kits, dir) }

func nested(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// sources are a package's files without tests, whatever build constraints they have.
func sources(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
}

// read returns the text of a file below the root.
func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// below lists the files that match a pattern, from the root.
func below(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := fs.Glob(os.DirFS(root), pattern)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// closure adds the module's own packages that the given ones import, directly or not.
func closure(t *testing.T, dirs []string) []string {
	t.Helper()
	all := slices.Clone(dirs)
	for i := 0; i < len(all); i++ {
		for _, imported := range own(imports(t, all[i])) {
			if !slices.Contains(all, imported) {
				all = append(all, imported)
			}
		}
	}
	return all
}

// imports returns what a package's files import, with one file for each.
func imports(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, file := range sources(t, dir) {
		for _, spec := range parsed(t, file).Imports {
			found[importPath(spec)] = file
		}
	}
	return found
}

// files has the positions of all that parsed has read.
var files = token.NewFileSet()

func parsed(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(files, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func importPath(spec *ast.ImportSpec) string {
	imported, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		panic(err) // the parser takes nothing else
	}
	return imported
}

// own are those of the imports that are this module's, as directories, sorted.
func own(imports map[string]string) []string {
	var dirs []string
	for imported := range imports {
		if dir, ok := strings.CutPrefix(imported, module+"/"); ok {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
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
