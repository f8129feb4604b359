package apiserver

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// build makes programs of one version from the module in source, and keeps them in dir.
type build struct{ source, dir, version string } // version is that of Kubernetes

// binary returns the path of the program in dir. It says what it builds and for how long. Where two
// processes build at the same time, the second one's file wins. A failed build leaves go's output
// in a file.
func (b build) binary(ctx context.Context, p Program) (string, error) {
	file := filepath.Join(b.dir, p.Name)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return "", err
	}
	cores := runtime.GOMAXPROCS(0)
	fmt.Fprintf(os.Stderr, "apiserver: building %s of Kubernetes %s from its Go module, once: about %d min on %d "+
		"idle cores; it is kept in %s\n",
		p.Name, b.version, max(1, (p.work+cores-1)/cores), cores, b.dir)
	return file, b.goBuild(ctx, p, file, fmt.Sprintf("%s.%d.log", file, os.Getpid()))
}

// goBuild runs go build. Without a version in its symbols an API server takes itself for v0.0.0.
func (b build) goBuild(ctx context.Context, p Program, file, log string) error {
	unfinished := fmt.Sprintf("%s.%d", file, os.Getpid())
	defer os.Remove(unfinished)
	output, err := os.Create(log)
	if err != nil {
		return err
	}
	defer output.Close()
	const symbols = "k8s.io/component-base/version"
	number := strings.SplitN(strings.TrimPrefix(b.version, "v"), ".", 3)
	flags := fmt.Sprintf("-s -w -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s",
		symbols, b.version, number[0], number[1])
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", flags, "-o", unfinished, p.pkg)
	cmd.Dir = b.source
	cmd.Stdout = output
	cmd.Stderr = output
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "PWD="+b.source)
	// An interrupted go starts no further compilers.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.SysProcAttr = dieWithParent(syscall.SIGINT)
	runtime.LockOSThread() // the system watches the thread that started the program
	defer runtime.UnlockOSThread()
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(log)
		return fmt.Errorf("%s %s does not build: %w: %s (all of it is in %s)", p.Name, b.version, err, lastLine(text),
			log)
	}
	_ = os.Remove(log)
	return os.Rename(unfinished, file)
}

// lastLine returns the last line that says something, shortened.
func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	const most = 300
	line := strings.TrimSpace(lines[len(lines)-1])
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "..."
	}
	return line
}

// Program is one of the programs that this package builds and runs.
type Program struct {
	Name string // of the file
	pkg  string // as go build takes it
	work int    // minutes of one core that its build takes after the builds of the programs before it in Programs
}

// The programs.
var (
	Etcd          = Program{Name: "etcd", pkg: "go.etcd.io/etcd/server/v3", work: 1}
	KubeAPIServer = Program{Name: "kube-apiserver", pkg: "k8s.io/kubernetes/cmd/kube-apiserver", work: 8}
)

// Programs lists all programs.
func Programs() []Program { return []Program{Etcd, KubeAPIServer} }
