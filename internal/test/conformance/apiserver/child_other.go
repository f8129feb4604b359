//go:build !linux

package apiserver

import "syscall"

func dieWithParent(syscall.Signal) *syscall.SysProcAttr { return nil }
