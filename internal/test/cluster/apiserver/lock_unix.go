//go:build unix

package apiserver

import (
	"context"
	"os"
	"syscall"
	"time"
)

// lock takes the lock that the file stands for, and returns what gives it back. It calls waiting once if another
// process has it. The system gives the lock back when its holder dies.
func lock(ctx context.Context, file string, waiting func()) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { _ = f.Close() }, nil
		case err != syscall.EWOULDBLOCK && err != syscall.EINTR:
			_ = f.Close()
			return nil, &os.PathError{Op: "lock", Path: file, Err: err}
		case first:
			waiting()
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
