package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slicewright/slicewright/dedup"
)

// runMesh runs the program on a source, and returns its address.
func runMesh(t *testing.T, source func(context.Context, *store) error) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- run(ctx, listener, newStore(&dedup.Index{}), newCaches(1000), source) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	example, err := os.ReadFile("slices/web.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("web.yaml", string(example))
	write("notes.txt", "no YAML: [")
	address := runMesh(t, func(ctx context.Context, s *store) error { return readDirectory(ctx, dir, time.Millisecond, s) })
	s := subscribe(t, address, "a", "web.shop:grpc")
	s.expect("web.shop:grpc", "0:a*2(1 3) 1:b*1(2) 2:b*1(4d)")

	// A file that cannot be read changes nothing, nor does one of other things; what is sent next is the repaired file.
	write("other.yaml", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n")
	write("web.yaml", string(example)+"oops")
	time.Sleep(20 * time.Millisecond)
	write("web.yaml", strings.Replace(string(example), "10.0.0.3", "10.0.0.7", 1))
	s.expect("web.shop:grpc", "0:a*2(1 7) 1:b*1(2) 2:b*1(4d)")

	// What is in no file any more is gone.
	first, _, _ := strings.Cut(string(example), "---")
	write("web.yaml", first)
	s.expect("web.shop:grpc", "0:a*1(1) 1:b*1(2)")
}

// Without readable files there is nothing to serve: a typing mistake is no slice.
func TestDirectoryMissing(t *testing.T) {
	dir, text := t.TempDir(), "kind: EndpointSlice\napiVersion: discovery.k8s.io/v1\nendpionts: []\n"
	if err := os.WriteFile(filepath.Join(dir, "web.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := readDirectory(t.Context(), dir, time.Hour, newStore(&dedup.Index{})); err == nil {
		t.Error("no error")
	}
}

// TestShow: the incremental protocol names a service port that does not exist, sends one that comes, and says that it is gone.
func TestShow(t *testing.T) {
	w := newWorld(t)
	in, out := io.Pipe()
	go func() { _ = show(t.Context(), out, w.address, "a", target) }()
	time.AfterFunc(patience, func() { _ = out.Close() }) // lines that do not come are empty
	lines := bufio.NewScanner(in)
	expect := func(wanted ...string) {
		t.Helper()
		for _, want := range wanted {
			if lines.Scan(); lines.Text() != want {
				t.Errorf("got %q, want %q", lines.Text(), want)
			}
		}
	}
	const none = "web.shop:grpc: there is no such service port now; waiting for one"
	expect(none)
	w.update(sliceOf(t, "web-1", "web", "1 a ++- zone=a, 2 b ++- zone=b, 4 b -++"))
	expect("web.shop:grpc has 3 endpoints", "  priority 0  zone a  weight 1  10.0.0.1:80  HEALTHY",
		"  priority 1  zone b  weight 1  10.0.0.2:80  HEALTHY", "  priority 2  zone b  weight 1  10.0.0.4:80  DRAINING")
	w.delete(sliceOf(t, "web-1", "web", "1 a ++-"))
	expect(none)
}
