package apiserver

import (
	"bytes"
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

// Paths are those of the two programs.
type Paths struct{ APIServer, Etcd string }

// Module is the directory of the module that pins both programs, relative to that of the module under test.
const Module = "internal/apiserver/binaries"

const (
	apiServerPackage = "k8s.io/kubernetes/cmd/kube-apiserver"
	etcdPackage      = "go.etcd.io/etcd/server/v3"
)

// Binaries returns the programs, which it builds unless the user's cache directory has them. The first build takes
// minutes; its directory is named after the version of Kubernetes and all that the build depends on.
func Binaries(ctx context.Context) (Paths, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return Paths{}, fmt.Errorf("find the module under test: %w", err)
	}
	source := filepath.Join(filepath.Dir(strings.TrimSpace(string(root))), filepath.FromSlash(Module))
	version, digest, err := pinned(source)
	if err != nil {
		return Paths{}, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return Paths{}, err
	}
	dir := filepath.Join(cache, "slicewright", fmt.Sprintf("kubernetes-%s-%s", version, digest))
	paths := Paths{APIServer: filepath.Join(dir, "kube-apiserver"), Etcd: filepath.Join(dir, "etcd")}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Paths{}, err
	}
	for _, p := range []struct{ file, pkg string }{{paths.Etcd, etcdPackage}, {paths.APIServer, apiServerPackage}} {
		if err := build(ctx, source, p.file, p.pkg, version); err != nil {
			return Paths{}, err
		}
	}
	return paths, nil
}

var kubernetesLine = regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v\S+)`)

// pinned returns the version of Kubernetes and a digest of everything that the build depends on.
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

// build makes the file unless it is there. Without a version an API server takes itself for v0.0.0.
func build(ctx context.Context, source, file, pkg, version string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	fmt.Fprintf(os.Stderr, "building %s %s, once: this takes minutes\n", pkg, version)
	unfinished := fmt.Sprintf("%s.%d", file, os.Getpid())
	defer os.Remove(unfinished)
	const symbols = "k8s.io/component-base/version"
	number := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	flags := fmt.Sprintf("-s -w -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s",
		symbols, version, number[0], number[1])
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", flags, "-o", unfinished, pkg)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "PWD="+source)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, output.Bytes())
	}
	return os.Rename(unfinished, file)
}
