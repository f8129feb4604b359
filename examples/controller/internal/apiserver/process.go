package apiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// process is a running program that logs into a file.
type process struct {
	cmd    *exec.Cmd
	log    string
	exited chan struct{}
	err    error // valid once exited is closed
}

// start runs the program until stop. Where the system can do it, it dies with this process too.
func start(program, log string, args ...string) (*process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := &process{cmd: exec.Command(program, args...), log: log, exited: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.Dir = file, file, filepath.Dir(log)
	p.cmd.SysProcAttr = dieWithParent()
	started := make(chan error)
	go func() {
		// The system watches the thread that started the program.
		runtime.LockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.exited)
		}
	}()
	return p, <-started
}

// stop ends the program, by force after some seconds, and waits for it.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(10 * time.Second):
		p.kill()
	}
}

// kill ends the program without warning, and waits for it.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// await calls ready until it returns nil, the program ends or the context does.
func (p *process) await(ctx context.Context, ready func(context.Context) error) error {
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.exited:
			return fmt.Errorf("%s ended: %w\n%s", p.cmd.Path, errors.Join(p.err, err), p.tail())
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w\n%s", p.cmd.Path, err, p.tail())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// tail returns the end of the log.
func (p *process) tail() string {
	const most = 4000
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-most):])
}
