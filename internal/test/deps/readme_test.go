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
)

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// prelude is what the README's example has around it: imports, and the part of client-go that it calls.
const prelude = `package example

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

type EndpointSliceInterface interface {
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(ctx context.Context, name string, o metav1.DeleteOptions) error
}

`

// TestReadmeExample vets the README's code.
func TestReadmeExample(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) == 0 {
		t.Fatal("no example")
	}
	for i, block := range blocks {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("example%d.go", i))
		code := prelude + strings.ReplaceAll(block[1], "discoveryclient.", "") // the prelude has what is called of it
		if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
		vet := exec.Command("go", "vet", file)
		vet.Dir = root
		if out, err := vet.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		unformatted := exec.Command("gofmt", "-l", file)
		if out, err := unformatted.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("the example is not as gofmt writes it (%v)", err)
		}
	}
}

// TestReadmeNames checks that the tests, directories and files that the README names exist.
func TestReadmeNames(t *testing.T) {
	text := readme(t)
	known := functions(t)
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]+)`").FindAllStringSubmatch(text, -1)
	if len(named) == 0 {
		t.Error("no test is named")
	}
	for _, name := range named {
		if !slices.Contains(known, name[1]) {
			t.Errorf("there is no %s", name[1])
		}
	}
	for _, name := range regexp.MustCompile("`((?:[a-z]+/)+[a-z.-]*)`|(testdata/[a-z/.-]+\\.yaml)").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, name[1]+name[2])); err != nil {
			t.Error(err)
		}
	}
	for _, dir := range public(t) {
		line := "| `" + dir + "/` |"
		if strings.Contains(dir, "/internal/") { // the rooms of a package share one
			line = "`" + dir + "/`"
		}
		if !strings.Contains(text, line) {
			t.Errorf("%s has no line in the map of the code", dir)
		}
	}
	for _, dir := range programs(t) {
		if !strings.Contains(text, "`"+dir+"/`") {
			t.Errorf("%s is not in the map of the code", dir)
		}
	}
	if lines := strings.Count(text, "\n"); lines > 150 {
		t.Errorf("%d lines are more than people read", lines)
	}
}

// TestReadmeGuarantees checks that each guarantee stands beside its package, with a test that holds it.
func TestReadmeGuarantees(t *testing.T) {
	text := readme(t)
	for _, row := range []struct {
		dir, letter string
		last        int
	}{{"slicer", "G", 13}, {"hints", "H", 7}, {"dedup", "D", 8}, {"mirror", "M", 9}} {
		cell := regexp.MustCompile("(?m)^\\| `" + row.dir + "` \\| (.*) \\|$").FindStringSubmatch(text)
		if cell == nil {
			t.Errorf("package %s has no line of guarantees", row.dir)
			continue
		}
		promises, known := strings.Split(cell[1], "<br>"), functionsIn(t, row.dir)
		if len(promises) != row.last {
			t.Errorf("%s promises %d things, the README %d", row.dir, row.last, len(promises))
		}
		for i, promise := range promises {
			tests := regexp.MustCompile("`(Test[A-Za-z0-9_]+)`").FindAllStringSubmatch(promise, -1)
			if name := fmt.Sprintf("%s%d: ", row.letter, i+1); !strings.HasPrefix(promise, name) || len(tests) == 0 {
				t.Errorf("want %s with a test, got %q", name, promise)
			}
			for _, test := range tests {
				if !slices.Contains(known, test[1]) {
					t.Errorf("%s%d: there is no %s in %s", row.letter, i+1, test[1], row.dir)
				}
			}
		}
	}
}

// functions lists the test functions of the module and of those inside it.
func functions(t *testing.T) []string { return functionsIn(t, "") }

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
		{"go.mod", `(?m)^go (\d+\.\d+)`, "with Go %s and"},
		{"go.mod", `k8s.io/api v0\.(\d+)`, "and Kubernetes 1.%s, and with later ones"},
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
