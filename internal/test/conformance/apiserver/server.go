// Package apiserver runs a real kube-apiserver with its etcd on loopback, for tests.
//
// Both programs are built from their Go modules, which go.mod pins as tools, and kept in the user's
// cache directory; see [Binary]. The first build takes minutes, so first run
//
//	go run ./apiserver/prepare
//
// No controller runs: nothing collects garbage, and only the tests write EndpointSlices.
//
// Everything listens on 127.0.0.1 only. On Linux the programs end with the process that started
// them, however it ends; their files stay in the temporary directory unless the server was closed.
package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

// patience bounds the start of each program.
const patience = 90 * time.Second

// Server is a kube-apiserver with an etcd of its own.
type Server struct {
	dir         string
	etcdURL     string
	port        int
	credentials *credentials

	mutex     sync.Mutex
	processes []*Process // in the order of their start: etcd first
	closed    bool
	api       *Process
}

// Start builds what is missing, and returns when the server is ready. Close it.
func Start(ctx context.Context) (_ *Server, err error) {
	s := &Server{}
	for _, p := range []Program{Etcd, KubeAPIServer} {
		if _, err := Binary(ctx, p); err != nil {
			return nil, err
		}
	}
	if s.dir, err = os.MkdirTemp("", "slicewright-apiserver-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.credentials, err = newCredentials(s.dir); err != nil {
		return nil, err
	}
	if err = s.startEtcd(ctx); err != nil {
		return nil, err
	}
	if s.port, err = freePort(); err != nil {
		return nil, err
	}
	return s, s.startAPI(ctx)
}

// Config returns what a client of the user needs, without a limit of requests.
func (s *Server) Config(user string) *rest.Config {
	return &rest.Config{
		Host: fmt.Sprintf("https://127.0.0.1:%d", s.port), BearerToken: s.credentials.tokens[user],
		TLSClientConfig: rest.TLSClientConfig{CAData: s.credentials.authority},
		QPS:             -1,
	}
}

// Restart kills the API server, leaves it down for the time given, and returns when it is ready
// again, at the same address. Every request and watch under way is cut.
func (s *Server) Restart(ctx context.Context, down time.Duration) error {
	s.api.Kill()
	time.Sleep(down)
	return s.startAPI(ctx)
}

// Run starts a program with a log named after it in the server's directory, and ends it when the
// server is closed, if it was not stopped before.
func (s *Server) Run(path string, args ...string) (*Process, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return nil, errors.New("the server is closed")
	}
	p, err := start(path, filepath.Join(s.dir, filepath.Base(path)+".log"), args...)
	if err != nil {
		return nil, err
	}
	s.processes = append(s.processes, p)
	return p, nil
}

// Close ends all programs, the last one first, and removes their files. A second call does nothing.
func (s *Server) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closed = true
	for len(s.processes) > 0 {
		last := len(s.processes) - 1
		s.processes[last].Stop()
		s.processes = s.processes[:last]
	}
	_ = os.RemoveAll(s.dir)
}

func (s *Server) startEtcd(ctx context.Context) error {
	path, err := Binary(ctx, Etcd)
	if err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	s.etcdURL = fmt.Sprintf("http://127.0.0.1:%d", port)
	etcd, err := s.Run(path,
		"--data-dir="+filepath.Join(s.dir, "etcd"), "--unsafe-no-fsync",
		"--listen-client-urls="+s.etcdURL, "--advertise-client-urls="+s.etcdURL,
		"--listen-peer-urls=http://127.0.0.1:0",
	)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return etcd.await(ctx, func(ctx context.Context) error { return get(ctx, http.DefaultClient, s.etcdURL+"/health") })
}

func (s *Server) startAPI(ctx context.Context) error {
	path, err := Binary(ctx, KubeAPIServer)
	if err != nil {
		return err
	}
	c := s.credentials
	s.api, err = s.Run(path,
		"--etcd-servers="+s.etcdURL,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", s.port),
		"--tls-cert-file="+c.certificate, "--tls-private-key-file="+c.key,
		"--service-account-issuer=https://127.0.0.1/", "--service-account-key-file="+c.certificate,
		"--service-account-signing-key-file="+c.key,
		"--token-auth-file="+c.tokenFile, "--authorization-mode=RBAC",
		"--service-cluster-ip-range=10.96.0.0/16,fd00:10:96::/112", "--endpoint-reconciler-type=none",
		// No ServiceAccounts here; and an owner reference that blocks deletion needs a permission.
		"--disable-admission-plugins=ServiceAccount", "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
		"--enable-priority-and-fairness=false", "--profiling=false", "--event-ttl=5m",
	)
	if err != nil {
		return err
	}
	client, err := rest.HTTPClientFor(s.Config(Admin))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.api.await(ctx, func(ctx context.Context) error {
		return get(ctx, client, s.Config(Admin).Host+"/readyz")
	})
}

func get(ctx context.Context, client *http.Client, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

// freePort returns a port of 127.0.0.1 that is free now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
