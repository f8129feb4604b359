package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
	apiwatch "k8s.io/apimachinery/pkg/watch"

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

// Without a readable directory there is nothing to serve.
func TestDirectoryMissing(t *testing.T) {
	dir := t.TempDir()
	for why, text := range map[string]string{
		"no YAML":          "a: [",
		"a typing mistake": "kind: EndpointSlice\napiVersion: discovery.k8s.io/v1\nendpionts: []\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "web.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := readDirectory(t.Context(), dir, time.Hour, newStore(&dedup.Index{})); err == nil {
			t.Errorf("%s: no error", why)
		}
	}
}

func TestShow(t *testing.T) {
	address := runMesh(t, func(ctx context.Context, s *store) error { return readDirectory(ctx, "slices", time.Hour, s) })
	in, out := io.Pipe()
	go func() { _ = show(t.Context(), out, address, "a", "web.shop:grpc") }()
	lines := bufio.NewScanner(in)
	for _, want := range []string{
		"web.shop:grpc has 4 endpoints",
		"  priority 0  zone a  10.0.0.1:8080  HEALTHY",
		"  priority 0  zone a  10.0.0.3:8080  HEALTHY",
		"  priority 1  zone b  10.0.0.2:8080  HEALTHY",
		"  priority 2  zone b  10.0.0.4:8080  DRAINING",
	} {
		if lines.Scan(); lines.Text() != want {
			t.Errorf("got %q, want %q", lines.Text(), want)
		}
	}
}

// TestShowMissing: -show says when there is no such service port, and shows it when it comes.
func TestShowMissing(t *testing.T) {
	w := newWorld(t)
	in, out := io.Pipe()
	go func() { _ = show(t.Context(), out, w.address, "a", "web.shop:grpc") }()
	lines := bufio.NewScanner(in)
	if lines.Scan(); lines.Text() != "web.shop:grpc: there is no such service port now; waiting for one" {
		t.Errorf("got %q", lines.Text())
	}
	if err := w.store.Update(sliceOf(t, "web-1", "web", "1 a ++-")); err != nil {
		t.Fatal(err)
	}
	w.store.publish(w.caches)
	if lines.Scan(); lines.Text() != "web.shop:grpc has 1 endpoints" {
		t.Errorf("got %q", lines.Text())
	}
}

// A watch that is lost is followed by a list, and what changed in between counts as one change.
func TestCluster(t *testing.T) {
	events := make(chan apiwatch.Event)
	lists := make(chan *discoveryv1.EndpointSliceList, 1)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("Content-Type", "application/json")
		encode := json.NewEncoder(out)
		switch {
		case r.URL.Path == "/version":
			_ = encode.Encode(version.Info{})
		case r.URL.Query().Get("sendInitialEvents") != "": // as API servers do that cannot stream lists
			out.WriteHeader(http.StatusUnprocessableEntity)
			_ = encode.Encode(metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonInvalid, Code: http.StatusUnprocessableEntity})
		case r.URL.Query().Get("watch") == "":
			select {
			case <-r.Context().Done():
			case list := <-lists:
				_ = encode.Encode(list)
			}
		default:
			for {
				select {
				case <-r.Context().Done():
					return
				case e := <-events:
					_ = encode.Encode(map[string]any{"type": e.Type, "object": e.Object})
					out.(http.Flusher).Flush()
					if e.Type == apiwatch.Error {
						return
					}
				}
			}
		}
	}))
	t.Cleanup(server.Close) // after the mesh has ended
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(kubeconfig, fmt.Appendf(nil, `{clusters: [{name: x, cluster: {server: %q}}],
		contexts: [{name: x, context: {cluster: x}}], current-context: x}`, server.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	address := runMesh(t, func(ctx context.Context, s *store) error { return watchCluster(ctx, kubeconfig, "shop", s) })

	version := 0
	newer := func(s *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
		version++
		s.ResourceVersion = fmt.Sprint(version)
		s.TypeMeta = metav1.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"}
		return s
	}
	list := func(slices ...*discoveryv1.EndpointSlice) {
		l := &discoveryv1.EndpointSliceList{TypeMeta: metav1.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSliceList"}}
		for _, s := range slices {
			l.Items = append(l.Items, *s)
		}
		l.ResourceVersion = fmt.Sprint(version)
		lists <- l
	}
	list(newer(sliceOf(t, "web-1", "web", "1 a ++-, 2 a ++-")), newer(sliceOf(t, "web-2", "web", "3 a ++-")))
	s := subscribe(t, address, "a", "web.shop:grpc")
	s.expect("web.shop:grpc", "0:a*3(1 2 3)")
	events <- apiwatch.Event{Type: apiwatch.Modified, Object: newer(sliceOf(t, "web-2", "web", "4 a ++-"))}
	s.expect("web.shop:grpc", "0:a*3(1 2 4)")
	events <- apiwatch.Event{Type: apiwatch.Deleted, Object: newer(sliceOf(t, "web-2", "web", "4 a ++-"))}
	s.expect("web.shop:grpc", "0:a*2(1 2)")
	// Endpoint 1 moved to a new slice while nobody watched.
	events <- apiwatch.Event{Type: apiwatch.Error, Object: &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status: metav1.StatusFailure, Reason: metav1.StatusReasonExpired, Code: http.StatusGone}}
	list(newer(sliceOf(t, "web-1", "web", "2 a ++-, 5 a ++-")), newer(sliceOf(t, "web-3", "web", "1 a ++-")))
	s.expect("web.shop:grpc", "0:a*3(1 2 5)")
}

func TestSourceFails(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err = run(ctx, listener, newStore(&dedup.Index{}), newCaches(1000), func(ctx context.Context, s *store) error {
		return readDirectory(ctx, filepath.Join(t.TempDir(), "missing"), time.Hour, s)
	})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v for a directory that does not exist", err)
	}
}
