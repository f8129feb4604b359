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

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// readmeImports are what the README's code may import, by the names that it uses.
var readmeImports = map[string]string{
	"context": "context", "errors": "errors", "log": "log", "types": "k8s.io/apimachinery/pkg/types",
	"corev1": "k8s.io/api/core/v1", "discoveryv1": "k8s.io/api/discovery/v1", "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1",
	"dedup": module + "/dedup", "hints": module + "/hints", "routing": module + "/hints/routing", "slicer": module + "/slicer", "services": module + "/slicer/services",
}

// clientStub stands for client-go's package discoveryclient, which this module does not require; the reference programs are
// compiled with it.
const clientStub = `
type EndpointSliceInterface interface {
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}
`

// program makes a package of a block of the README.
func program(block string) string {
	if strings.Contains(block, "discoveryclient.") {
		block = strings.ReplaceAll(block, "discoveryclient.", "") + clientStub
	}
	var imports []string
	for name, path := range readmeImports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(block) {
			imports = append(imports, fmt.Sprintf("import %s %q\n", name, path))
		}
	}
	slices.Sort(imports)
	return "package example\n\n" + strings.Join(imports, "") + "\n" + block
}

// TestReadmeExamples vets the README's code.
func TestReadmeExamples(t *testing.T) {
	nightly.Slow(t)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, "README.md"), -1)
	if len(blocks) < 3 {
		t.Errorf("%d examples, want those of a writer, a second network and a reader", len(blocks))
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

// TestLinks checks that what the pages for people link to inside the repository exists.
func TestLinks(t *testing.T) {
	pages := []string{"README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", ".github/CHANGELOG.md"}
	for _, dir := range promising {
		pages = append(pages, dir+"/PROMISES.md")
	}
	pages = append(pages, below(t, "examples/*/README.md")...)
	links := 0
	for _, page := range pages {
		for _, link := range regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if links == 0 {
		t.Error("no page links to another")
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
		version := regexp.MustCompile(c.pattern).FindStringSubmatch(read(t, c.file))
		if version == nil {
			t.Fatalf("%s has no %s", c.file, c.pattern)
		}
		if promise := fmt.Sprintf(c.format, version[1]); !strings.Contains(read(t, "README.md"), promise) {
			t.Errorf("the README does not say %q", promise)
		}
	}
}

// TestReadmeCommands runs the commands whose output the README shows. A line of three dots stands for any lines, or none.
func TestReadmeCommands(t *testing.T) {
	nightly.Slow(t)
	commands := 0
	for _, block := range regexp.MustCompile("(?s)```[a-z]*\n(\\$ .*?)```").FindAllStringSubmatch(read(t, "README.md"), -1) {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			words := strings.Fields(command)
			if len(words) < 3 || words[0] != "go" || words[1] != "run" {
				t.Errorf("%s: want go run", command)
				continue
			}
			run := exec.Command(words[0], words[1:]...)
			run.Dir = root
			got, err := run.Output()
			if err != nil {
				t.Errorf("%s: %v", command, err)
			}
			if commands++; !abridged(string(got), want) {
				t.Errorf("%s: the README shows\n%s\nand the command prints\n%s", command, want, got)
			}
		}
	}
	if commands < 2 {
		t.Errorf("%d commands, want those of plan and route", commands)
	}
}

var trailing = regexp.MustCompile(`(?m) +$`)

// abridged says whether short is long with lines of three dots for some of its lines, or none.
func abridged(long, short string) bool {
	tidy := func(text string) string { return "\n" + strings.Trim(trailing.ReplaceAllString(text, ""), "\n") }
	pattern := strings.ReplaceAll(regexp.QuoteMeta(tidy(short)), "\n"+`\.\.\.`, `(\n.*)*`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(tidy(long))
}
