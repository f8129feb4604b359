package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/slicewright/slicewright/internal/test/apiserver"
)

// kubeconfig writes the file that a user of the server has.
func kubeconfig(t *testing.T, server *apiserver.Server, user string) string {
	t.Helper()
	rest := server.Config(user)
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: rest.Host, CertificateAuthorityData: rest.CAData}
	config.AuthInfos["test"] = &clientcmdapi.AuthInfo{Token: rest.BearerToken}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test"}
	config.CurrentContext = "test"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestKubeconfig watches a real API server with a kubeconfig file, as a user who may list and watch the slices of one
// namespace and nothing else. It loses its watch when the API server is killed, and misses nothing.
func TestKubeconfig(t *testing.T) {
	server, err := apiserver.Start(t.Context(), apiserver.Options{})
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
		APIGroups: []string{discoveryv1.GroupName}, Resources: []string{"endpointslices"}, Verbs: []string{"list", "watch"}}}}, here))
	must(client.RbacV1().RoleBindings("shop").Create(ctx, &rbacv1.RoleBinding{ObjectMeta: named,
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "mesh"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: apiserver.Controller}}}, here))
	slices := client.DiscoveryV1().EndpointSlices("shop")
	must(slices.Create(ctx, sliceOf(t, "web-1", "web", "1 a ++-, 2 b ++-"), here))

	file := kubeconfig(t, server, apiserver.Controller)
	address := runMesh(t, func(ctx context.Context, s *store) error { return watchCluster(ctx, file, "shop", s) })
	s := subscribe(t, address, "a", "web.shop:grpc")
	s.expect("web.shop:grpc", "0:a*1(1) 0:b*1(2)")
	must(slices.Create(ctx, sliceOf(t, "web-2", "web", "3 b ++-"), here))
	s.expect("web.shop:grpc", "0:a*1(1) 0:b*2(2 3)")
	if err := server.Restart(ctx, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := slices.Delete(ctx, "web-2", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s.expect("web.shop:grpc", "0:a*1(1) 0:b*1(2)")
}
