package apiserver

import "syscall"

// dieWithParent makes the kernel end a program whose parent is gone, so that a test that panics leaves none behind.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
