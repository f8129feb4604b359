package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

// TestKubeconfig watches a real API server with a kubeconfig file, as a user who may list and watch
// the slices of one namespace and nothing else. It loses its watch when the API server is killed,
// and misses nothing.
func TestKubeconfig(t *testing.T) {
	server, err := apiserver.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	client, err := kubernetes.NewForConfig(server.Config(apiserver.Admin))
	if err != nil {
		t.Fatal(err)
	}
	ctx, here := t.Context(), metav1.CreateOptions{}
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}, here))
	named := metav1.ObjectMeta{Name: "mesh"}
	must(client.RbacV1().Roles("shop").Create(ctx, &rbacv1.Role{ObjectMeta: named, Rules: []rbacv1.PolicyRule{{
		APIGroups: []string{discoveryv1.GroupName}, Resources: []string{"endpointslices"},
		Verbs: []string{"list", "watch"}}}}, here))
	must(client.RbacV1().RoleBindings("shop").Create(ctx, &rbacv1.RoleBinding{ObjectMeta: named,
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "mesh"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: apiserver.Controller}}}, here))
	slices := client.DiscoveryV1().EndpointSlices("shop")
	must(slices.Create(ctx, slice("web-1", "10.0.0.1", "10.0.0.2"), here))

	program := filepath.Join(t.TempDir(), "mesh")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = "../../../../examples/programs/mesh"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kubeconfig, err := server.Kubeconfig(apiserver.Controller)
	if err != nil {
		t.Fatal(err)
	}
	const address = "127.0.0.1:18765"
	start(t, program, "-listen", address, "-kubeconfig", kubeconfig, "-namespace", "shop")
	printed := start(t, program, "-listen", address, "-zone", "a", "-show", "web.shop:grpc")
	expect := func(endpoints int) {
		t.Helper()
		wait(t, "not printed", func() string {
			text := printed()
			if last := strings.LastIndex(text, "web.shop:grpc has "); last < 0 ||
				!strings.HasPrefix(text[last:], fmt.Sprintf("web.shop:grpc has %d endpoints", endpoints)) {
				return text
			}
			return ""
		})
	}
	expect(2)
	must(slices.Create(ctx, slice("web-2", "10.0.0.3"), here))
	expect(3)
	if err := server.Restart(ctx, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := slices.Delete(ctx, "web-2", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	expect(2)
}

// slice is one of Service web with endpoints that are ready.
func slice(name string, addresses ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: name, Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: new("grpc"), Port: new(int32(8080))}},
	}
	for _, a := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
	}
	return s
}

// start runs the program until the test is over, and returns how to read what it has printed.
func start(t *testing.T, program string, args ...string) (printed func() string) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdout, cmd.Stderr = out, t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	return func() string {
		text, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}
