package apiserver_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

// helper is set in a process of TestNothingLeft that only runs a server.
const helper = "SLICEWRIGHT_APISERVER_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helper) == "" {
		os.Exit(m.Run())
	}
	server, err := apiserver.Start(context.Background())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(server.Dir(), server.PIDs())
	select {}
}

// TestNothingLeft shows that no program outlives a process that is killed.
func TestNothingLeft(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), helper+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	dir, numbers, ok := strings.Cut(strings.TrimSpace(line), " ")
	if err != nil || !ok {
		t.Fatalf("%q %v", line, err)
	}
	defer os.RemoveAll(dir)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	pids := strings.Fields(strings.Trim(numbers, "[]"))
	if len(pids) != 2 {
		t.Errorf("want etcd and the API server, got %q", numbers)
	}
	for _, pid := range pids {
		gone(t, pid)
	}
}

// gone waits a little for the end of a process. A killed one may stay in the table until somebody
// asks how it ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	for range 100 {
		status, err := os.ReadFile("/proc/" + pid + "/status")
		if err != nil || strings.Contains(string(status), "State:\tZ") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %s still runs", pid)
}
