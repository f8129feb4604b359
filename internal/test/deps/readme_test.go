package deps

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// readmeImports are what the README's code may import, by the names that it uses.
var readmeImports = map[string]string{
	"context": "context", "log": "log",
	"corev1": "k8s.io/api/core/v1", "discoveryv1": "k8s.io/api/discovery/v1", "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1",
	"dedup": module + "/dedup", "hints": module + "/hints", "slicer": module + "/slicer", "service": module + "/slicer/service",
}

// clientStub is what the README's code calls of controller-runtime's package client.
const clientStub = `
type Client interface {
	Create(context.Context, *discoveryv1.EndpointSlice) error
	Update(context.Context, *discoveryv1.EndpointSlice) error
	Delete(context.Context, *discoveryv1.EndpointSlice, Preconditions) error
}

type Preconditions metav1.Preconditions
`

// program makes a package of a block of the README.
func program(block string) string {
	var imports []string
	for name, path := range readmeImports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(block) {
			imports = append(imports, fmt.Sprintf("import %s %q\n", name, path))
		}
	}
	slices.Sort(imports)
	if strings.Contains(block, "client.") {
		block = strings.ReplaceAll(block, "client.", "") + clientStub
	}
	return "package example\n\n" + strings.Join(imports, "") + "\n" + block
}

// TestReadmeExamples vets the README's code: the loop of a writer and a question of a reader.
func TestReadmeExamples(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	for _, want := range []string{"service.Plan(", "plan.Apply(", "dedup.OnePort("} {
		if !slices.ContainsFunc(blocks, func(block []string) bool { return strings.Contains(block[1], want) }) {
			t.Errorf("no example calls %s", want)
		}
	}
	for i, block := range blocks {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("example%d.go", i))
		if err := os.WriteFile(file, []byte(program(block[1])), 0o600); err != nil {
			t.Fatal(err)
		}
		vet := exec.Command("go", "vet", file)
		vet.Dir = root
		if out, err := vet.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		unformatted := exec.Command("gofmt", "-l", file)
		if out, err := unformatted.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("example %d is not as gofmt writes it (%v)", i+1, err)
		}
	}
}

// TestReadmeSize checks that the README is short enough to be read.
func TestReadmeSize(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(readme(t), "\n"), "\n")
	if len(lines) > 150 {
		t.Errorf("%d lines, want at most 150", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 400 {
			t.Errorf("line %d has %d characters, want at most 400", i+1, n)
		}
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for cell := range strings.SplitSeq(line, "|") {
			if n := utf8.RuneCountInString(strings.TrimSpace(cell)); n > 200 {
				t.Errorf("line %d has a cell of %d characters, want at most 200", i+1, n)
			}
		}
	}
}

// TestReadmeNames checks that the tests, directories and files that the README names exist, and that it names every package
// that others may import and every example.
func TestReadmeNames(t *testing.T) {
	text := readme(t)
	known := functionsIn(t, "")
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]+)`").FindAllStringSubmatch(text, -1)
	if len(named) == 0 {
		t.Error("no test is named")
	}
	for _, name := range named {
		if !slices.Contains(known, name[1]) {
			t.Errorf("there is no %s", name[1])
		}
	}
	directoriesExist(t, text)
	for _, dir := range public(t) {
		if row := "| `" + dir + "/` |"; !strings.Contains(dir, "/internal/") && !isKit(dir) && !strings.Contains(text, row) {
			t.Errorf("%s has no line in the map", dir)
		}
		if isKit(dir) && !strings.Contains(text, "`"+dir+"/`") {
			t.Errorf("%s has no line in the map", dir)
		}
	}
	for _, dir := range programs(t) {
		if strings.HasPrefix(dir, "examples/") && !strings.HasPrefix(dir, "examples/internal/") && !strings.Contains(text, "`"+dir+"/`") {
			t.Errorf("%s is not in the map", dir)
		}
	}
}

// directoriesExist checks that the directories, and the files below testdata, that a text names exist.
func directoriesExist(t *testing.T, text string) {
	t.Helper()
	for _, name := range regexp.MustCompile("`((?:[a-z]+/)+[a-z.-]*)`|(testdata/[a-z/.-]+\\.yaml)").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, name[1]+name[2])); err != nil {
			t.Error(err)
		}
	}
}

// TestContributingNames checks that .github/CONTRIBUTING.md names the tests, directories and commands that there are, and all
// that only this repository needs: the rooms of packages, the internal packages that they import, and programs.
func TestContributingNames(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, ".github", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	directoriesExist(t, text)
	for _, file := range regexp.MustCompile("`([a-z/_]+\\.go)`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, file[1])); err != nil && strings.Contains(file[1], "/") {
			t.Error(err)
		}
	}
	for _, dir := range slices.Concat(closure(t, production(t)), programs(t)) {
		if hidden := strings.HasPrefix(dir, "internal/") || strings.Contains(dir, "/internal/"); hidden && !strings.Contains(text, "`"+dir+"/`") {
			t.Errorf("%s is not in the map", dir)
		}
	}
	known := functionsIn(t, "")
	for _, name := range regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+`).FindAllString(text, -1) {
		if !slices.Contains(known, name) {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestLinks checks that what the pages for people link to inside the repository exists.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "examples", "*", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", ".github/CHANGELOG.md"} {
		pages = append(pages, filepath.Join(root, name))
	}
	links := 0
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(string(data), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if links == 0 {
		t.Error("no page links to another")
	}
}

// TestReadmeGuarantees checks that the README has the five guarantees that users feel, each by its number and with a test that
// the package comment has for it, and that it links to the comments of all packages that have guarantees.
func TestReadmeGuarantees(t *testing.T) {
	text := readme(t)
	comment := packageComment(t, "slicer")
	_, section, _ := strings.Cut(text, "\n## What you can rely on\n")
	section, _, _ = strings.Cut(section, "\n## ")
	promises := regexp.MustCompile(`(?m)^- .*$`).FindAllString(section, -1)
	if len(promises) != 5 {
		t.Errorf("%d guarantees, want 5", len(promises))
	}
	for _, promise := range promises {
		claims := regexp.MustCompile("\\((G[0-9]+(?:, G[0-9]+)*): `(Test[A-Za-z0-9_]+)`\\)").FindAllStringSubmatch(promise, -1)
		if len(claims) == 0 {
			t.Errorf("no number and test: %q", promise)
		}
		for _, claim := range claims {
			for number := range strings.SplitSeq(claim[1], ", ") {
				if !regexp.MustCompile(`(?m)^\t` + number + ` .*\b` + claim[2] + `\b`).MatchString(comment) {
					t.Errorf("the package comment of slicer does not say that %s holds %s", claim[2], number)
				}
			}
		}
	}
	for _, dir := range []string{"slicer", "hints", "mirror", "dedup"} {
		if !strings.Contains(section, "("+dir+"/doc.go)") {
			t.Errorf("the guarantees of %s are not linked", dir)
		}
	}
}

// functionsIn lists the test functions in and below a directory.
func functionsIn(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]*)\(`)
	err := filepath.WalkDir(filepath.Join(root, dir), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		data, err := os.ReadFile(file)
		for _, match := range declared.FindAllStringSubmatch(string(data), -1) {
			names = append(names, match[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestReadmeVersions checks that the versions which the README promises are those of go.mod and .ci/run.
func TestReadmeVersions(t *testing.T) {
	for _, c := range []struct{ file, pattern, format string }{
		{"go.mod", `(?m)^go (\d+\.\d+)`, "with Go %s and later"},
		{"go.mod", `k8s.io/api v0\.(\d+)`, "with Kubernetes 1.%s and later"},
		{".ci/run", `KUBERNETES=v0\.(\d+)`, "also run against Kubernetes 1.%s"},
	} {
		data, err := os.ReadFile(filepath.Join(root, c.file))
		version := regexp.MustCompile(c.pattern).FindSubmatch(data)
		if err != nil || version == nil {
			t.Fatalf("%s has no %s (%v)", c.file, c.pattern, err)
		}
		if promise := fmt.Sprintf(c.format, version[1]); !strings.Contains(readme(t), promise) {
			t.Errorf("the README does not say %q", promise)
		}
	}
}

// TestReadmeSideBySide checks that what the README says of the comparison on a real API server stands in its table.
func TestReadmeSideBySide(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(root, "internal/sidebyside/figures/sidebyside.md"))
	if err != nil {
		t.Fatal(err)
	}
	section := func(title string) string {
		_, rest, _ := strings.Cut(string(table), "### "+title+"\n")
		rest, _, _ = strings.Cut(rest, "\n### ")
		return rest
	}
	for _, c := range []struct{ title, row, said string }{
		{"another target port", "| missing endpoints | %s | %s |", `(\d+) of 1 000 endpoints .* and (\d+) under ours`},
		{"rolling update, 25% surge", "| writes in all | %s | %s |", `took (\d+) and (\d+) writes`},
		{"rolling update, 25% surge", "| Ready to watcher, median | %s s | %s s |", `published ([\d.]+) s and ([\d.]+) s after`},
	} {
		said := regexp.MustCompile(c.said).FindStringSubmatch(readme(t))
		if said == nil {
			t.Errorf("the README does not say %s", c.said)
			continue
		}
		if row := fmt.Sprintf(c.row, said[1], said[2]); !strings.Contains(section(c.title), row) {
			t.Errorf("%s: there is no row %q", c.title, row)
		}
	}
}
