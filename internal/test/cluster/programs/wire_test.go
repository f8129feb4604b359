package cluster

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

// wire is what lies between a controller and its API server, with what can go wrong there. The zero value lets
// everything pass.
type wire struct {
	// beforeWrite is called before write n, from 1, of a slice; with an error the write is not sent.
	beforeWrite func(n int, r *http.Request) error
	// afterWrite is called after write n; with an error its answer is lost.
	afterWrite func(n int, r *http.Request) error
	// late says how long each chunk of a watch of slices is held back; they stay in order.
	late func() time.Duration

	mu      sync.Mutex
	writes  int
	dead    bool
	watches map[*watchBody]bool
}

var errDead = errors.New("the wire is dead")

// config returns the configuration of a client at this end of the wire.
func (w *wire) config(c *rest.Config) *rest.Config {
	c = rest.CopyConfig(c)
	c.WrapTransport = func(next http.RoundTripper) http.RoundTripper { return &wireTransport{w, next} }
	return c
}

// die makes every request fail from now on, those under way too.
func (w *wire) die() {
	w.mu.Lock()
	w.dead = true
	w.mu.Unlock()
	w.cut()
}

// cut ends all watches.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for body := range w.watches {
		_ = body.ReadCloser.Close()
	}
}

// written returns the number of writes so far.
func (w *wire) written() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writes
}

func (w *wire) alive() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead {
		return errDead
	}
	return nil
}

type wireTransport struct {
	*wire
	next http.RoundTripper
}

func (w *wireTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := w.alive(); err != nil {
		return nil, err
	}
	slices := strings.Contains(r.URL.Path, "/endpointslices")
	if !slices || r.Method == http.MethodGet {
		response, err := w.next.RoundTrip(r)
		if err == nil && r.URL.Query().Has("watch") {
			w.watch(response, slices)
		}
		return response, err
	}
	w.mu.Lock()
	w.writes++
	n := w.writes
	w.mu.Unlock()
	if w.beforeWrite != nil {
		if err := w.beforeWrite(n, r); err != nil {
			return nil, err
		}
	}
	response, err := w.next.RoundTrip(r)
	if err == nil && w.afterWrite != nil {
		if err := w.afterWrite(n, r); err != nil {
			_ = response.Body.Close()
			return nil, err
		}
	}
	return response, err
}

func (w *wire) watch(response *http.Response, slices bool) {
	body := &watchBody{ReadCloser: response.Body, wire: w}
	if slices {
		body.late = w.late
	}
	response.Body = body
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watches == nil {
		w.watches = map[*watchBody]bool{}
	}
	w.watches[body] = true
}

// watchBody is the answer to a watch.
type watchBody struct {
	io.ReadCloser
	wire *wire
	late func() time.Duration
}

func (b *watchBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && b.late != nil {
		time.Sleep(b.late())
	}
	return n, err
}

func (b *watchBody) Close() error {
	b.wire.mu.Lock()
	delete(b.wire.watches, b)
	b.wire.mu.Unlock()
	return b.ReadCloser.Close()
}
