package apiserver

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// module is this module, whose directory binaries pins the programs.
const module = "github.com/slicewright/slicewright/internal/test/conformance"

// Binary returns the path of a program, which it builds unless the user's cache directory has it.
// The first build takes minutes. The directory is named after the version of Kubernetes and
// everything that the build depends on.
func Binary(ctx context.Context, p Program) (string, error) {
	source, err := pins(ctx)
	if err != nil {
		return "", err
	}
	version, digest, err := pinned(source)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	b := build{source: source, version: version,
		dir: filepath.Join(cache, "slicewright", fmt.Sprintf("kubernetes-%s-%s", version, digest))}
	return b.binary(ctx, p)
}

// pins returns the directory of the module that pins the programs.
func pins(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("find the module %s: %w", module, err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "binaries"), nil
}

var kubernetesLine = regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v\S+)`)

// pinned returns the version of Kubernetes and a digest of everything that a build depends on.
func pinned(source string) (version, digest string, err error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", "", err
		}
		if m := kubernetesLine.FindSubmatch(text); m != nil && version == "" {
			version = string(m[1])
		}
		hash.Write(text)
	}
	if version == "" {
		return "", "", fmt.Errorf("%s/go.mod does not require k8s.io/kubernetes", source)
	}
	return version, fmt.Sprintf("%x", hash.Sum(nil))[:12], nil
}
