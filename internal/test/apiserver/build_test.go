package apiserver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
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
	for part, want := range map[string]int{"building small v1.2.3 from its Go module, once: about 1 min": 2, "built small in": 2, "s the last time": 1} {
		if n := printed.count(part); n != want {
			t.Errorf("%q was printed %d times: %q", part, n, printed.list)
		}
	}
	if info, err := os.Stat(filepath.Join(b.dir, "small")); err != nil || info.Mode()&0o100 == 0 {
		t.Error("not a program:", err)
	}
}

// TestVersion shows that a program that is no part of Kubernetes says its own version.
func TestVersion(t *testing.T) {
	b := build{source: "binaries", version: "v1.37.1"}
	for _, p := range Programs() {
		if got := b.versionOf(p); (got == b.version) != (p.module == "") || !strings.HasPrefix(got, "v") {
			t.Errorf("%s %s", p.Name, got)
		}
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

// TestLockWaits shows that a second holder waits, says so, and gives up with its context.
func TestLockWaits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), file, func() { t.Error("nobody has it") })
	if err != nil {
		t.Fatal(err)
	}
	printed := 0
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := lock(ctx, file, func() { printed++ }); err != context.DeadlineExceeded || printed != 1 {
		t.Errorf("%v, printed %d times", err, printed)
	}
	unlock()
	if unlock, err = lock(t.Context(), file, func() { t.Error("nobody has it") }); err != nil {
		t.Fatal(err)
	}
	unlock()
}

// TestPinned shows that the digest depends on both files, and that a module without Kubernetes is refused.
func TestPinned(t *testing.T) {
	dir := t.TempDir()
	write := func(mod, sum string) {
		for name, text := range map[string]string{"go.mod": mod, "go.sum": sum} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen := map[string]bool{}
	for _, text := range [][2]string{{"\tk8s.io/kubernetes v1.2.3\n", "a"}, {"\tk8s.io/kubernetes v1.2.3\n", "b"}, {"\n\tk8s.io/kubernetes v1.2.3\n", "b"}} {
		write(text[0], text[1])
		version, digest, err := pinned(dir)
		if err != nil || version != "v1.2.3" || seen[digest] {
			t.Error(version, digest, err)
		}
		seen[digest] = true
	}
	write("module x\n", "")
	if _, _, err := pinned(dir); err == nil {
		t.Error("no version of Kubernetes, no error")
	}
}
