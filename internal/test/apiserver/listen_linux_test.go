package apiserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// listening fails the test if a process listens beyond loopback, or if none listens at all.
func listening(t *testing.T, pids []int) {
	t.Helper()
	found := 0
	for _, pid := range pids {
		mine := sockets(t, pid)
		for _, table := range []string{"tcp", "tcp6"} {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Split(string(text), "\n")[1:] {
				const local, state, inode, listen = 1, 3, 9, "0A"
				fields := strings.Fields(line)
				if len(fields) <= inode || fields[state] != listen || !mine[fields[inode]] {
					continue
				}
				found++
				if address, _, _ := strings.Cut(fields[local], ":"); address != "0100007F" { // 127.0.0.1
					t.Errorf("process %d listens on %s (%s), not on loopback only", pid, fields[local], table)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no process listens: this test sees nothing")
	}
}

// sockets returns the inodes of the sockets that a process has open.
func sockets(t *testing.T, pid int) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if target, err := os.Readlink(file); err == nil {
			if inode, ok := strings.CutPrefix(target, "socket:["); ok {
				found[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	return found
}
