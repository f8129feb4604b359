package cluster

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// free returns an address of this machine that nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// TestCommand starts the program as the README says, with the current kubeconfig. It publishes, and ends when asked to.
// It works in all namespaces, so that no other test runs at the same time.
func TestCommand(t *testing.T) {
	c := newCluster(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "controller")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/slicewright/slicewright/examples/controller").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	server := asController(shared)
	kubeconfig := api.NewConfig()
	kubeconfig.Clusters["test"] = &api.Cluster{Server: server.Host, CertificateAuthorityData: server.CAData}
	kubeconfig.AuthInfos["test"] = &api.AuthInfo{Token: server.BearerToken,
		Impersonate: server.Impersonate.UserName, ImpersonateGroups: server.Impersonate.Groups}
	kubeconfig.Contexts["test"] = &api.Context{Cluster: "test", AuthInfo: "test"}
	kubeconfig.CurrentContext = "test"
	file := filepath.Join(dir, "config")
	c.do(clientcmd.WriteToFile(*kubeconfig, file))

	metrics, probes := free(t), free(t)
	cmd := exec.CommandContext(t.Context(), program, "--metrics-bind-address="+metrics, "--health-probe-bind-address="+probes,
		"--max-endpoints-per-slice=3", "--leader-elect-namespace="+account)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+file)
	cmd.Stderr = os.Stderr
	c.do(cmd.Start())
	c.service("web")
	c.pods("web", 4)
	c.converge()
	for _, url := range []string{probes + "/healthz", probes + "/readyz", metrics + "/metrics"} {
		response, err := http.Get("http://" + url)
		c.do(err)
		if _ = response.Body.Close(); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", url, response.Status)
		}
	}
	c.do(cmd.Process.Signal(syscall.SIGTERM))
	c.do(cmd.Wait())
}
