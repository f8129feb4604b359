package deps

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows are all imports between the module's own packages that production code may have. Who needs
// another one changes the design first.
var arrows = map[string][]string{
	"conditions":     {},
	"hints":          {"conditions", "hints/internal/allocate", "internal/accept", "internal/endpoint", "internal/quote"},
	"hints/routing":  {"conditions", "hints/internal/vote", "internal/endpoint"},
	"hints/forecast": {"hints", "hints/routing", "hints/internal/allocate", "hints/internal/vote"},
	"slicer": {
		"conditions", "hints", "internal/accept", "slicer/internal/meta", "slicer/internal/packing", "slicer/internal/sequence",
		"slicer/internal/timeline",
		"internal/endpoint",
		"internal/notation", "internal/quote",
	},
	"slicer/services": {"conditions", "hints", "slicer", "internal/accept", "internal/endpoint", "internal/quote"},
	"slicer/publish":  {"slicer", "slicer/services", "internal/endpoint", "internal/notation", "internal/tracker"},
	"mirror":          {"conditions", "hints", "slicer", "mirror/internal/source", "internal/accept", "internal/endpoint", "internal/quote"},
	"mirror/mcs":      {"mirror", "slicer", "mirror/internal/source", "internal/accept", "internal/endpoint"},
	"dedup": {
		"conditions", "hints/routing", "dedup/internal/address", "dedup/internal/content", "dedup/internal/decide", "dedup/internal/store", "dedup/internal/view",
		"internal/endpoint", "internal/quote",
	},

	"hints/internal/allocate": {},
	"hints/internal/vote":     {"conditions"},
	"dedup/internal/address":  {"internal/endpoint"},
	"dedup/internal/content":  {"conditions", "dedup/internal/address", "internal/endpoint", "internal/quote"},
	"dedup/internal/decide":   {"conditions", "dedup/internal/content"},
	"dedup/internal/persist":  {},
	"dedup/internal/store":    {"dedup/internal/address", "dedup/internal/content", "dedup/internal/decide", "dedup/internal/persist", "dedup/internal/view"},
	"mirror/internal/source":  {"internal/accept", "internal/quote"},
	"dedup/internal/view":     {"dedup/internal/content", "dedup/internal/persist"},

	"internal/accept":          {"internal/endpoint", "internal/quote"},
	"slicer/internal/meta":     {},
	"slicer/internal/packing":  {},
	"slicer/internal/sequence": {},
	"slicer/internal/timeline": {"internal/endpoint", "internal/notation"},

	"internal/endpoint": {"internal/quote"},
	"internal/notation": {"conditions", "internal/endpoint", "internal/quote"},
	"internal/quote":    {},
	"internal/tracker":  {"slicer", "internal/endpoint"},
}

// numeric are the packages that decide over numbers alone, and know neither Kubernetes nor the
// packages that call them.
var numeric = []string{
	"slicer/internal/packing", "slicer/internal/sequence", "hints/internal/allocate",
}

// outside are the modules that production code may import besides the standard library.
var outside = []string{"k8s.io/api", "k8s.io/apimachinery"}

// kits are the public packages that test other people's code. They may use what tests use:
// net/http, testing, goroutines, and the part of internal/test that kitArrows lists.
var kits = []string{"slicer/slicertest", "dedup/deduptest"}

// kitArrows are the module's own packages that a kit may import, directly or not. The packages of
// internal/test that draw worlds and judge plans are not among them, because a kit judges what
// other people's code wrote.
var kitArrows = []string{"internal/test/sim", "internal/test/kit", "internal/notation", "conditions",
	"internal/endpoint", "internal/quote"}

// TestArrows checks what production code imports of this module, and that the root holds no code:
// the README is the map.
func TestArrows(t *testing.T) {
	packages := production(t)
	if len(packages) == 0 || len(sources(t, ".")) > 0 {
		t.Fatalf("packages %v, Go files at the root %v", packages, sources(t, "."))
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

// TestOutside checks that only the standard library, api and apimachinery are imported from
// elsewhere, by kits too, and by packages that decide over numbers nothing but the standard
// library.
func TestOutside(t *testing.T) {
	for _, dir := range closure(t, public(t)) {
		modules := outside
		if slices.Contains(numeric, dir) {
			modules = nil
		}
		for imported, file := range imports(t, dir) {
			first, _, _ := strings.Cut(imported, "/")
			allowed := func(m string) bool { return imported == m || strings.HasPrefix(imported, m+"/") }
			if imported == "C" || strings.Contains(first, ".") && !allowed(module) &&
				!slices.ContainsFunc(modules, allowed) {
				t.Errorf("%s imports %s: %s has the standard library and %q", file, imported, dir, modules)
			}
		}
	}
}

// TestModules measures both sides: what the API types bring into a build, and what all our packages
// do. Importing them must cost nothing that a controller does not pay already.
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
	if figure := fmt.Sprintf("to the %d that `k8s.io/api` and `k8s.io/apimachinery` bring",
		len(floor)); !strings.Contains(read(t, "README.md"), figure) {
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
	list := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"},
		packages...)...)
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
