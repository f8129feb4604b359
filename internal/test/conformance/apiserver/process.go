package apiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Process is a running program that logs into a file.
type Process struct {
	cmd    *exec.Cmd
	log    string
	exited chan struct{}
	err    error // valid once exited is closed
}

// start runs a program until it is stopped. On Linux it dies with this process too.
func start(program, log string, args ...string) (*Process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := &Process{cmd: exec.Command(program, args...), log: log, exited: make(chan struct{})}
	p.cmd.Stdout = file
	p.cmd.Stderr = file
	p.cmd.Dir = filepath.Dir(log)
	p.cmd.SysProcAttr = dieWithParent(syscall.SIGKILL)
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
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// Stop ends the program, by force after some seconds, and waits for it.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(10 * time.Second):
		p.Kill()
	}
}

// Kill ends the program without warning, and waits for it.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// await calls ready until it returns nil, the program ends or the context does.
func (p *Process) await(ctx context.Context, ready func(context.Context) error) error {
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.exited:
			return p.failure("ended", p.err)
		case <-ctx.Done():
			return p.failure("is not ready", errors.Join(ctx.Err(), err))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// failure is one line with the last one that the program logged.
func (p *Process) failure(what string, err error) error {
	name := filepath.Base(p.cmd.Path)
	text, readErr := os.ReadFile(p.log)
	why := "no reason"
	if err = errors.Join(err, readErr); err != nil {
		why = strings.ReplaceAll(err.Error(), "\n", ": ")
	}
	if strings.Contains(string(text), "address already in use") {
		why = "its port is in use"
	}
	return fmt.Errorf("%s %s: %s; its log ends: %s", name, what, why, lastLine(text))
}
