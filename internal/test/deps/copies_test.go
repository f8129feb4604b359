package deps

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCopies copies each program that is a module of its own to an empty directory, gives it another name, and vets and tests it
// there. Modules below it, with tests that need an API server, stay behind.
func TestCopies(t *testing.T) {
	if os.Getenv("SLICEWRIGHT_COPIES") == "" {
		t.Skip("compiles each program anew, for half a minute; SLICEWRIGHT_COPIES=1 or .ci/run copy does it")
	}
	modules, err := filepath.Glob(filepath.Join(root, "examples", "*", "go.mod"))
	if err != nil || len(modules) < 3 {
		t.Fatalf("%d programs, %v", len(modules), err)
	}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range modules {
		from, to := filepath.Dir(module), t.TempDir()
		name := filepath.Base(from)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := copyModule(from, to, name); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"mod edit -replace=github.com/slicewright/slicewright=" + top, "vet ./...", "test -short ./..."} {
				run := exec.Command("go", strings.Fields(command)...)
				run.Dir = to
				if output, err := run.CombinedOutput(); err != nil {
					t.Fatalf("go %s: %v\n%s", command, err, output)
				}
			}
		})
	}
}

// copyModule copies the files of a module, but not those of modules in it, and names it anew.
func copyModule(from, to, name string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != from {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, relative), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".go") || filepath.Base(path) == "go.mod" {
			text = []byte(strings.ReplaceAll(string(text), "github.com/slicewright/slicewright/examples/"+name, "example.com/a/"+name))
		}
		return os.WriteFile(filepath.Join(to, relative), text, 0o644)
	})
}
