package cluster

import (
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/slicewright/slicewright/examples/programs/multus/network"
	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

func parsed(args ...string) (manager.Options, error) {
	flags := flag.NewFlagSet("controller", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	_, o, err := network.Parse(flags, args)
	return o, err
}

// TestFlags: what cannot work is refused at start, with the flag and what is right.
func TestFlags(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ args, want string }{
		{"", ""},
		{"--max-endpoints-per-slice=1000 --leader-elect=false", ""},
		{"--max-endpoints-per-slice=5000", "--max-endpoints-per-slice=5000: want 1 to 1000"},
		{"--batch=-1s", "--batch=-1s --workers=5: want 0 or more"},
		{"--workers=0", "--workers=0: want 0 or more, and at least 1"},
		{"--leader-elect false", `"false" is no flag`},
	} {
		_, err := parsed(strings.Fields(row.args)...)
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.args, err)
		}
	}
}

// TestDeployment: the API server has the Deployment as deploy/ has it, with flags that the program
// takes, probes where it answers them, and metrics for the Pod only.
func TestDeployment(t *testing.T) {
	t.Parallel()
	var d appsv1.Deployment
	if err := admin.Get(t.Context(), client.ObjectKey{Namespace: account, Name: account}, &d); err != nil {
		t.Fatal(err)
	}
	container := d.Spec.Template.Spec.Containers[0]
	o, err := parsed(container.Args...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(o.Metrics.BindAddress, "127.0.0.1:") || o.HealthProbeBindAddress != ":8081" ||
		container.Ports[0].ContainerPort != 8081 {
		t.Errorf("metrics at %s, probes at %s and %v", o.Metrics.BindAddress, o.HealthProbeBindAddress, container.Ports)
	}
	if container.LivenessProbe.HTTPGet.Path != "/healthz" || container.ReadinessProbe.HTTPGet.Path != "/readyz" {
		t.Errorf("probes: %v, %v", container.LivenessProbe, container.ReadinessProbe)
	}
	if *d.Spec.Replicas != 2 || !o.LeaderElection || d.Spec.Template.Spec.ServiceAccountName != account {
		t.Errorf("%d replicas as %s, leader election %v", *d.Spec.Replicas, d.Spec.Template.Spec.ServiceAccountName,
			o.LeaderElection)
	}
	if k, err := readKustomization(); err != nil || len(k.Images) != 1 || k.Images[0].Name != container.Image {
		t.Errorf("the image %s is not kustomize's to replace: %v, %v", container.Image, k.Images, err)
	}
}

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

// TestCommand starts the program as the README says, with the current kubeconfig. It publishes, and
// ends when asked to. It works in all namespaces, so that no other test runs at the same time.
func TestCommand(t *testing.T) {
	c := newCluster(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "controller")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", program,
		"github.com/slicewright/slicewright/examples/programs/multus").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	asAdmin, err := shared.Kubeconfig(apiserver.Admin)
	c.do(err)
	kubeconfig, err := clientcmd.LoadFromFile(asAdmin)
	c.do(err)
	user, rights := kubeconfig.AuthInfos[apiserver.Admin], asController(shared).Impersonate
	user.Impersonate, user.ImpersonateGroups = rights.UserName, rights.Groups
	file := filepath.Join(dir, "config")
	c.do(clientcmd.WriteToFile(*kubeconfig, file))

	metrics, probes := free(t), free(t)
	cmd := exec.CommandContext(t.Context(), program, "--metrics-bind-address="+metrics,
		"--health-probe-bind-address="+probes,
		"--max-endpoints-per-slice=3", "--leader-elect-namespace="+account)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+file)
	cmd.Stderr = os.Stderr
	c.do(cmd.Start())
	c.service("web")
	c.pods("web", 4)
	c.converge(4)
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
