package deps

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// banned are imports that would give production code an outside world, time or chance.
var banned = []string{
	"C", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "net", "net/http", "os", "os/exec",
	"os/signal", "plugin", "runtime", "runtime/debug", "sync/atomic", "syscall", "testing", "unsafe",
	"k8s.io/klog", "k8s.io/klog/v2", "k8s.io/apimachinery/pkg/util/rand", "k8s.io/apimachinery/pkg/util/wait",
	"k8s.io/apimachinery/pkg/util/runtime", "k8s.io/apimachinery/pkg/util/clock",
}

// allowed are the only names of these packages that production code may use: sync has a pool for
// scratch memory, and time is only given. Constants are named as well.
var allowed = map[string][]string{
	"context": {"Context"}, // handed on to a client; nothing makes or waits for one
	"sync":    {"Pool"},
	"time": {
		"Time", "Duration", "Unix", "UnixMilli", "UnixMicro", "UTC", "Parse", "Date",
		"RFC3339", "RFC3339Nano", "Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour",
	},
}

// TestBanned checks that production code has no outside world, time or chance. publish.Syncer is
// the only type with a memory that is locked: its locks are found, so that a search which finds
// nothing does not pass.
func TestBanned(t *testing.T) {
	locks := 0
	for _, dir := range closure(t, production(t)) {
		for _, file := range sources(t, dir) {
			for _, finding := range findings(parsed(t, file)) {
				if strings.HasSuffix(file, "slicer/publish/memory.go") &&
					strings.HasSuffix(finding, "uses sync.Mutex") {
					locks++
				} else {
					t.Error(finding)
				}
			}
		}
	}
	if locks != 2 {
		t.Errorf("%d locks are found, want two of publish.Syncer", locks)
	}
}

// TestContext checks that package publish alone is given a context: no other production package
// does I/O, not even with the caller's functions.
func TestContext(t *testing.T) {
	found := 0
	for _, dir := range closure(t, production(t)) {
		switch file, imported := imports(t, dir)["context"]; {
		case imported && dir == "slicer/publish":
			found++
		case imported:
			t.Errorf("%s imports context", file)
		}
	}
	if found != 1 {
		t.Errorf("%d packages import context, want slicer/publish", found)
	}
}

// findings lists what a file does that production code must not do.
func findings(f *ast.File) []string {
	var found []string
	report := func(n ast.Node, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s: %s", files.Position(n.Pos()), fmt.Sprintf(format, args...)))
	}
	restricted := map[string]string{} // local name to package
	for _, spec := range f.Imports {
		imported := importPath(spec)
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if slices.Contains(banned, imported) {
			report(spec, "imports %s", imported)
		}
		if local == "." {
			report(spec, "imports %s with a dot, which hides what it uses", imported)
		}
		if _, ok := allowed[imported]; ok {
			restricted[local] = imported
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			report(n, "starts a goroutine")
		case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
			report(n, "uses a channel")
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			if imported, ok := restricted[x.Name]; ok && !slices.Contains(allowed[imported], n.Sel.Name) {
				report(n, "uses %s.%s", imported, n.Sel.Name)
			}
		case *ast.Ident:
			if n.Name == "float32" || n.Name == "float64" || n.Name == "println" || n.Name == "print" {
				report(n, "uses %s", n.Name)
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT {
				report(n, "uses the float %s: decisions are made of integers", n.Value)
			}
		}
		return true
	})
	return found
}
