package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

// watchers watch all EndpointSlices as kube-proxies do, each on a connection of its own. All count
// what they get; the first also reads it.
type watchers struct {
	ctx    context.Context // its cause is why the first watch ended that did so unasked
	cancel context.CancelCauseFunc
	group  sync.WaitGroup
	events atomic.Int64
	bytes  atomic.Int64
}

// startWatchers starts n of them on a server without slices.
func startWatchers(ctx context.Context, server *apiserver.Server, n int, l *ledger) (*watchers, error) {
	w := &watchers{}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	for i := range n {
		var read func(*metav1.WatchEvent) error
		if i == 0 {
			read = func(e *metav1.WatchEvent) error { return readEvent(e, l) }
		}
		body, err := w.open(w.ctx, server.Config(apiserver.Admin))
		if err != nil {
			w.stop()
			return nil, fmt.Errorf("watcher %d: %w", i+1, err)
		}
		w.group.Go(func() {
			defer body.Close()
			w.cancel(fmt.Errorf("watcher %d: %w", i+1, w.follow(body, read)))
		})
	}
	return w, nil
}

// open starts a watch on a connection of its own.
func (w *watchers) open(ctx context.Context, config *rest.Config) (io.ReadCloser, error) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.CAData)
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableCompression: true,
	}}
	url := config.Host + "/apis/discovery.k8s.io/v1/endpointslices?watch=1&resourceVersion=0"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+config.BearerToken)
	request.Header.Set("Accept", "application/vnd.kubernetes.protobuf;stream=watch")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, errors.New(response.Status)
	}
	return response.Body, nil
}

// follow reads events, each of which has its length before it, until one cannot be read. It returns
// why.
func (w *watchers) follow(body io.Reader, read func(*metav1.WatchEvent) error) error {
	var buffer bytes.Buffer
	for {
		var length [4]byte
		if _, err := io.ReadFull(body, length[:]); err != nil {
			return fmt.Errorf("the watch ended: %w", err)
		}
		n := int64(binary.BigEndian.Uint32(length[:]))
		buffer.Reset()
		if _, err := io.CopyN(&buffer, body, n); err != nil {
			return fmt.Errorf("the watch ended: %w", err)
		}
		w.events.Add(1)
		w.bytes.Add(n + int64(len(length)))
		if read == nil {
			continue
		}
		var event metav1.WatchEvent
		if err := event.Unmarshal(buffer.Bytes()); err != nil {
			return err
		}
		if err := read(&event); err != nil {
			return err
		}
	}
}

// readEvent hands an event to the ledger.
func readEvent(e *metav1.WatchEvent, l *ledger) error {
	if e.Type == string(watch.Error) {
		return fmt.Errorf("an error event: %q", e.Object.Raw)
	}
	raw, ok := bytes.CutPrefix(e.Object.Raw, []byte("k8s\x00"))
	if !ok {
		return errors.New("an event that is no protobuf")
	}
	var envelope runtime.Unknown
	if err := envelope.Unmarshal(raw); err != nil {
		return err
	}
	var slice discoveryv1.EndpointSlice
	if err := slice.Unmarshal(envelope.Raw); err != nil {
		return err
	}
	l.event(e.Type, &slice)
	return nil
}

func (w *watchers) stop() {
	w.cancel(nil)
	w.group.Wait()
}
