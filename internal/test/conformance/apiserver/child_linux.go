package apiserver

import "syscall"

// dieWithParent makes the kernel send a signal to a program whose parent is gone, so that a test
// that panics leaves nothing running.
func dieWithParent(signal syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: signal}
}
