package apiserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// lines collects what a build reports.
type lines struct {
	sync.Mutex
	list []string
}

func (l *lines) add(format string, args ...any) {
	l.Lock()
	defer l.Unlock()
	l.list = append(l.list, fmt.Sprintf(format, args...))
}

func (l *lines) count(part string) (n int) {
	l.Lock()
	defer l.Unlock()
	for _, line := range l.list {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// newBuild is one of a module with the text as its only program.
func newBuild(t *testing.T, text string) (build, *lines) {
	t.Helper()
	source := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module small\n\ngo 1.26\n", "main.go": text} {
		if err := os.WriteFile(filepath.Join(source, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	printed := &lines{}
	return build{source: source, dir: filepath.Join(t.TempDir(), "v1.2.3"), version: "v1.2.3", report: printed.add}, printed
}

var small = Program{Name: "small", pkg: ".", work: 1}

// TestBuiltOnce shows that of several that ask at the same time one builds, says what and how long, and that a program
// that is there is not built again.
func TestBuiltOnce(t *testing.T) {
	b, printed := newBuild(t, "package main\n\nfunc main() {}\n")
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			path, err := b.binary(t.Context(), small)
			if err != nil || path != filepath.Join(b.dir, "small") {
				t.Error(path, err)
			}
		})
	}
	group.Wait()
	if err := os.Remove(filepath.Join(b.dir, "small")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.binary(t.Context(), small); err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]int{"building small of Kubernetes v1.2.3 from its Go module, once: about 1 min": 2, "built small in": 2} {
		if n := printed.count(part); n != want {
			t.Errorf("%q was printed %d times: %q", part, n, printed.list)
		}
	}
	if info, err := os.Stat(filepath.Join(b.dir, "small")); err != nil || info.Mode()&0o100 == 0 {
		t.Error("not a program:", err)
	}
}

// TestDoesNotBuild shows that a program that does not build is one line with go's last word, and leaves no file that a
// later call would take.
func TestDoesNotBuild(t *testing.T) {
	b, _ := newBuild(t, "package main\n\nfunc main() { missing() }\n")
	for range 2 {
		path, err := b.binary(t.Context(), small)
		if err == nil {
			t.Fatal("built", path)
		}
		text := err.Error()
		for _, part := range []string{"small v1.2.3 does not build", "undefined: missing", "small.log"} {
			if !strings.Contains(text, part) || strings.Contains(text, "\n") {
				t.Errorf("want one line with %q, got %q", part, text)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(b.dir, "small*")); len(left) != 1 {
		t.Errorf("left: %q", left)
	}
}
