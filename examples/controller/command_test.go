package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/slicewright/slicewright/internal/apiserver"
)

// TestCommand starts the program as the README says, with the current kubeconfig. It publishes, and ends when asked to.
// It works in all namespaces, so that no other test runs at the same time.
func TestCommand(t *testing.T) {
	c := newCluster(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "controller")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	server := shared.Config(apiserver.Controller)
	kubeconfig := api.NewConfig()
	kubeconfig.Clusters["test"] = &api.Cluster{Server: server.Host, CertificateAuthorityData: server.CAData}
	kubeconfig.AuthInfos["test"] = &api.AuthInfo{Token: server.BearerToken}
	kubeconfig.Contexts["test"] = &api.Context{Cluster: "test", AuthInfo: "test"}
	kubeconfig.CurrentContext = "test"
	file := filepath.Join(dir, "config")
	c.do(clientcmd.WriteToFile(*kubeconfig, file))

	cmd := exec.CommandContext(t.Context(), program, "--metrics-bind-address=0", "--max-endpoints-per-slice=3")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+file)
	cmd.Stderr = os.Stderr
	c.do(cmd.Start())
	c.service("web")
	c.pods("web", 4)
	c.converge()
	c.do(cmd.Process.Signal(syscall.SIGTERM))
	c.do(cmd.Wait())
}
