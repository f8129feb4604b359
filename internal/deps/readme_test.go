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
)

type EndpointSlices interface {
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
		if err := os.WriteFile(file, []byte(prelude+block[1]), 0o600); err != nil {
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
	for _, dir := range production(t) {
		if !strings.Contains(text, "| `"+dir+"/` |") {
			t.Errorf("%s has no line in the map of the code", dir)
		}
	}
	if lines := strings.Count(text, "\n"); lines > 150 {
		t.Errorf("%d lines are more than people read", lines)
	}
}

// TestReadmeGuarantees checks that each guarantee has its line with a test that holds it.
func TestReadmeGuarantees(t *testing.T) {
	text := readme(t)
	for i := 1; i <= 13; i++ {
		line := regexp.MustCompile(fmt.Sprintf("(?m)^\\| G%d \\|.*`(Test|Fuzz|Benchmark)[A-Za-z0-9_]+`.*\\|$", i))
		if !line.MatchString(text) {
			t.Errorf("G%d has no line with a test", i)
		}
	}
}

// functions lists the test functions of the module and of those inside it.
func functions(t *testing.T) []string {
	t.Helper()
	var names []string
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]*)\(`)
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
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
