package deps

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
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

// arrows are all imports between the module's own packages that production code may have. Who needs another one changes
// the design first.
var arrows = map[string][]string{
	"conditions": {},
	"hints":      {"conditions", "hints/internal/allocate", "internal/accept", "internal/endpoint"},
	"slicer": {
		"conditions", "hints", "internal/accept", "slicer/internal/identity", "slicer/internal/layout", "slicer/internal/meta", "slicer/internal/packing", "slicer/internal/sequence",
		"internal/endpoint",
		"internal/notation",
	},
	"slicer/service": {"conditions", "hints", "slicer", "internal/accept", "internal/endpoint"},
	"mirror":         {"conditions", "hints", "slicer", "internal/accept", "internal/endpoint"},
	"dedup": {
		"conditions", "hints", "dedup/internal/address", "dedup/internal/content", "dedup/internal/decide", "dedup/internal/store", "dedup/internal/view",
		"internal/endpoint",
	},

	"hints/internal/allocate": {},
	"dedup/internal/address":  {"internal/endpoint"},
	"dedup/internal/content":  {"conditions", "dedup/internal/address", "dedup/internal/decide", "internal/endpoint"},
	"dedup/internal/decide":   {},
	"dedup/internal/persist":  {},
	"dedup/internal/store":    {"dedup/internal/address", "dedup/internal/content", "dedup/internal/decide", "dedup/internal/persist", "dedup/internal/view"},
	"dedup/internal/view":     {"dedup/internal/content", "dedup/internal/decide", "dedup/internal/persist"},

	"internal/accept":          {"internal/endpoint"},
	"slicer/internal/identity": {"internal/endpoint"},
	"slicer/internal/layout":   {"slicer/internal/packing"},
	"slicer/internal/meta":     {},
	"slicer/internal/packing":  {},
	"slicer/internal/sequence": {},

	"internal/endpoint": {},
	"internal/notation": {"conditions", "internal/endpoint"},
}

// numeric are the packages that decide over numbers alone. They import the standard library and each other.
var numeric = []string{
	"slicer/internal/layout", "slicer/internal/packing", "slicer/internal/sequence", "hints/internal/allocate", "dedup/internal/decide",
}

// outside are the modules that production code may import besides the standard library.
var outside = []string{"k8s.io/api", "k8s.io/apimachinery"}

// kits are the public packages that test other people's code. They may use what tests use: net/http, testing, goroutines,
// and the part of internal/test that kitArrows lists.
var kits = []string{"slicer/slicertest", "dedup/deduptest"}

// kitArrows are the module's own packages that a kit may import, directly or not. The packages of internal/test that draw
// worlds and judge plans are not among them, because a kit judges what other people's code wrote.
var kitArrows = []string{"internal/test/sim", "internal/test/kit", "internal/notation", "conditions", "internal/endpoint"}

// public returns the directories of the packages that other modules import, from the root: all that hold Go code, except
// internal ones, examples and nested modules.
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
		case strings.HasPrefix(name, ".") || name == "testdata" || dir == "internal" || dir == "examples" || nested(file):
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

func TestArrows(t *testing.T) {
	packages := production(t)
	if len(packages) == 0 {
		t.Fatal("no package found")
	}
	for _, dir := range closure(t, packages) {
		allowed, ok := arrows[dir]
		if !ok {
			t.Errorf("%s is production code that the design does not know: add it there, then to arrows", dir)
			continue
		}
		all := imports(t, dir)
		for _, imported := range own(all) {
			if !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %s, against the design's arrows", all[module+"/"+imported], imported)
			}
		}
	}
}

// TestKits checks what each kit imports of this module, directly or not: what kitArrows lists.
func TestKits(t *testing.T) {
	for _, kit := range kits {
		for _, dir := range closure(t, []string{kit}) {
			if dir != kit && !slices.Contains(kitArrows, dir) {
				t.Errorf("%s imports %s, directly or not: a kit has %s", kit, dir, strings.Join(kitArrows, ", "))
			}
		}
	}
}

// TestOutside checks that only the standard library, api and apimachinery are imported from elsewhere, by kits too.
func TestOutside(t *testing.T) {
	for _, dir := range closure(t, public(t)) {
		all := imports(t, dir)
		for _, imported := range slices.Sorted(maps.Keys(all)) {
			if !fromAllowed(imported) {
				t.Errorf("%s imports %s: public packages have the standard library, %s", all[imported], imported, strings.Join(outside, ", "))
			}
		}
	}
}

// TestNumeric checks that packages which decide over numbers know neither Kubernetes nor the packages that call them.
func TestNumeric(t *testing.T) {
	for _, dir := range numeric {
		all := imports(t, dir)
		if len(all) == 0 {
			t.Errorf("%s imports nothing: is it there?", dir)
		}
		for imported, file := range all {
			first, _, _ := strings.Cut(imported, "/")
			if strings.Contains(first, ".") && !slices.Contains(numeric, strings.TrimPrefix(imported, module+"/")) {
				t.Errorf("%s imports %s: %s decides over numbers alone", file, imported, dir)
			}
		}
	}
}

func fromAllowed(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") || strings.HasPrefix(imported, module+"/") {
		return imported != "C"
	}
	return slices.ContainsFunc(outside, func(m string) bool { return imported == m || strings.HasPrefix(imported, m+"/") })
}

// TestHouse checks that the root holds no code: the README is the map.
func TestHouse(t *testing.T) {
	if files := sources(t, "."); len(files) > 0 {
		t.Errorf("Go files at the root: %v", files)
	}
	for dir := range arrows {
		for _, imported := range arrows[dir] {
			if _, ok := arrows[imported]; !ok {
				t.Errorf("arrows of %s lead to %s, which has none", dir, path.Base(imported))
			}
		}
	}
}

// TestModules measures both sides: what the API types bring into a build, and what all our packages do. Importing them
// must cost nothing that a controller does not pay already.
func TestModules(t *testing.T) {
	floor := modules(t, "k8s.io/api/core/v1", "k8s.io/api/discovery/v1")
	var packages []string
	for _, dir := range public(t) {
		packages = append(packages, "./"+dir)
	}
	ours := modules(t, packages...)
	ours = slices.DeleteFunc(ours, func(m string) bool { return m == module })
	t.Logf("api and apimachinery: %d modules; with %s: %d", len(floor), strings.Join(packages, " "), len(ours))
	if len(floor) < 2 || !slices.Contains(ours, "k8s.io/api") {
		t.Fatalf("this measures nothing: %v, %v", floor, ours)
	}
	if figure := fmt.Sprintf("to the %d that `k8s.io/api` and `k8s.io/apimachinery` bring", len(floor)); !strings.Contains(readme(t), figure) {
		t.Errorf("the README does not say %q", figure)
	}
	for _, m := range ours {
		if !slices.Contains(floor, m) {
			t.Errorf("our packages add the module %s", m)
		}
	}
}

// modules lists the modules, sorted, whose packages are built for the given ones.
func modules(t *testing.T, packages ...string) []string {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, packages...)...)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v: %v\n%s", list, err, exit.Stderr)
		}
		t.Fatal(err)
	}
	found := strings.Fields(string(out))
	slices.Sort(found)
	return slices.Compact(found)
}
