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
	"context": "context", "errors": "errors", "fmt": "fmt", "log": "log", "types": "k8s.io/apimachinery/pkg/types",
	"corev1": "k8s.io/api/core/v1", "discoveryv1": "k8s.io/api/discovery/v1", "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1",
	"dedup": module + "/dedup", "hints": module + "/hints", "routing": module + "/hints/routing", "slicer": module + "/slicer", "services": module + "/slicer/services",
}

// withClient has the README's program for client-go, which this module does not require. The tests
// beside it run that program.
const withClient = "examples/programs/controller/publish.go"

// program makes a package of a block of the README.
func program(block string) string {
	var imports []string
	for name, path := range readmeImports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(block) {
			imports = append(imports, fmt.Sprintf("import %s %q\n", name, path))
		}
	}
	slices.Sort(imports)
	name := "example"
	if strings.Contains(block, "func main()") {
		name = "main"
	}
	return "package " + name + "\n\n" + strings.Join(imports, "") + "\n" + block
}

// blocks are the README's code, each with the output that is shown behind it.
func blocks(t *testing.T) (code, output []string) {
	t.Helper()
	for _, b := range regexp.MustCompile("(?s)```go\n(.*?)```(?:\n\n```\n(.*?)```)?").FindAllStringSubmatch(read(t,
		"README.md"), -1) {
		code, output = append(code, b[1]), append(output, b[2])
	}
	if len(code) < 3 {
		t.Errorf("%d examples, want those of a plan, a controller and a reader", len(code))
	}
	return code, output
}

// TestReadmeController checks that the README's program for client-go is the one that is tested,
// and how long it is.
func TestReadmeController(t *testing.T) {
	found := 0
	code, _ := blocks(t)
	for _, block := range code {
		if !strings.Contains(block, "kubernetes.Interface") {
			continue
		}
		if found++; !strings.Contains(read(t, withClient), block) {
			t.Errorf("%s does not have this program of the README:\n%s", withClient, block)
		}
		for _, part := range strings.Split(block, "\n\n") {
			if lines := strings.Count(strings.TrimSpace(part), "\n"); lines > 16 { // the first line is a comment
				t.Errorf("%d lines, want at most 16:\n%s", lines, part)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d programs for client-go, want one", found)
	}
}

// TestReadmeExamples vets the README's code, and runs what has a main function.
func TestReadmeExamples(t *testing.T) {
	nightly.Slow(t)
	code, output := blocks(t)
	for i, block := range code {
		if strings.Contains(block, "kubernetes.Interface") {
			continue // see TestReadmeController
		}
		file := filepath.Join(t.TempDir(), fmt.Sprintf("example%d.go", i))
		if err := os.WriteFile(file, []byte(program(block)), 0o600); err != nil {
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
		if strings.Contains(block, "func main()") {
			printsAsShown(t, file, block, output[i])
		}
	}
}

// printsAsShown runs a program of at most ten lines, and compares what it prints with what the
// README shows.
func printsAsShown(t *testing.T, file, block, want string) {
	t.Helper()
	if lines := strings.Count(block, "\n"); lines > 10 {
		t.Errorf("the program has %d lines, want at most 10", lines)
	}
	run := exec.Command("go", "run", file)
	run.Dir = root
	if got, err := run.CombinedOutput(); err != nil || string(got) != want {
		t.Errorf("%v: the README shows\n%s\nand the program prints\n%s", err, want, got)
	}
}

// TestLinks checks that what the pages for people link to inside the repository exists.
func TestLinks(t *testing.T) {
	pages := []string{"README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", ".github/CHANGELOG.md"}
	for _, dir := range promising {
		pages = append(pages, dir+"/PROMISES.md")
	}
	pages = append(pages, append(below(t, "examples/*/README.md"), below(t, "examples/*/*/README.md")...)...)
	links := 0
	for _, page := range pages {
		for _, link := range regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(read(t, page),
			-1) {
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

// TestReadmeVersions checks that the versions which the README promises are those of go.mod and
// .ci/run.
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

// TestReadmeCommands checks that .ci/run runs each command that the README gives for a clone.
func TestReadmeCommands(t *testing.T) {
	gate, commands := read(t, ".ci/run"), 0
	for _, command := range regexp.MustCompile(`(?m)^    (go .*?) +#`).FindAllStringSubmatch(read(t, "README.md"), -1) {
		if commands++; !regexp.MustCompile(`(?m)^\s*(\w+=\w+ )?` + regexp.QuoteMeta(command[1]) +
			`( |$)`).MatchString(gate) {
			t.Errorf(".ci/run does not run %s", command[1])
		}
	}
	if commands != 2 {
		t.Errorf("%d commands, want one that plans and one that runs the tests", commands)
	}
}
