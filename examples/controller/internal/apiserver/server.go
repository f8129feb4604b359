package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
)

// patience bounds the start of each program.
const patience = 90 * time.Second

// Server is a kube-apiserver with an etcd of its own.
type Server struct {
	paths       Paths
	dir         string
	etcdURL     string
	port        int
	credentials *credentials
	etcd, api   *process
}

// Start builds what is missing, and returns when the server is ready. Close it.
func Start(ctx context.Context) (_ *Server, err error) {
	s := &Server{}
	if s.paths, err = Binaries(ctx); err != nil {
		return nil, err
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

// Restart kills the API server, leaves it down for the time given, and returns when it is ready again, at the same
// address. Every request and watch under way is cut.
func (s *Server) Restart(ctx context.Context, down time.Duration) error {
	s.api.kill()
	time.Sleep(down)
	return s.startAPI(ctx)
}

// Close ends both programs and removes their files.
func (s *Server) Close() {
	for _, p := range []*process{s.api, s.etcd} {
		if p != nil {
			p.stop()
		}
	}
	_ = os.RemoveAll(s.dir)
}

func (s *Server) startEtcd(ctx context.Context) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	s.etcdURL = fmt.Sprintf("http://127.0.0.1:%d", port)
	s.etcd, err = start(s.paths.Etcd, filepath.Join(s.dir, "etcd.log"),
		"--data-dir="+filepath.Join(s.dir, "etcd"), "--unsafe-no-fsync",
		"--listen-client-urls="+s.etcdURL, "--advertise-client-urls="+s.etcdURL,
		"--listen-peer-urls=http://127.0.0.1:0",
	)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.etcd.await(ctx, func(ctx context.Context) error { return get(ctx, http.DefaultClient, s.etcdURL+"/health") })
}

func (s *Server) startAPI(ctx context.Context) (err error) {
	c := s.credentials
	s.api, err = start(s.paths.APIServer, filepath.Join(s.dir, "kube-apiserver.log"),
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

// freePort returns a port of 127.0.0.1 that nobody listens on, now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
