package apiserver

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// module is this module, whose go.mod pins the programs as tools.
const module = "github.com/slicewright/slicewright/internal/test/conformance"

// Binary returns the path of a program, which it builds unless the user's cache directory has it.
// The first build takes minutes. The directory is named after the versions of Kubernetes and Go, so
// that other changes of go.mod build nothing again.
func Binary(ctx context.Context, p Program) (string, error) {
	source, err := pins(ctx)
	if err != nil {
		return "", err
	}
	version, err := pinned(source)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("kubernetes-%s-%s-%s-%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return build{source: source, version: version, dir: filepath.Join(cache, "slicewright", name)}.binary(ctx, p)
}

// pins returns the directory of the module that pins the programs.
func pins(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("find the module %s: %w", module, err)
	}
	return strings.TrimSpace(string(out)), nil
}

var kubernetesLine = regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v\S+)`)

// pinned returns the version of Kubernetes in go.mod.
func pinned(source string) (string, error) {
	text, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", err
	}
	m := kubernetesLine.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s/go.mod does not require k8s.io/kubernetes", source)
	}
	return string(m[1]), nil
}
