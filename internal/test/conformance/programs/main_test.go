// Package cluster runs the programs below examples/ beside a real API server.
package cluster

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

// shared is the API server of all tests but those that restart theirs, and admin a client of it
// that reads no cache. Each test has a namespace of its own.
var (
	shared *apiserver.Server
	admin  client.Client
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	var err error
	if shared, admin, err = newServer(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.Close()
	return m.Run()
}

// newServer starts an API server and deploys the controller.
func newServer(ctx context.Context) (*apiserver.Server, client.Client, error) {
	server, err := apiserver.Start(ctx)
	if err != nil {
		return nil, nil, err
	}
	admin, err := client.New(server.Config(apiserver.Admin), client.Options{})
	if err == nil {
		err = permit(admin)
	}
	if err != nil {
		server.Close()
	}
	return server, admin, err
}

// newNamespace returns the name of a new namespace, the words with a number.
func newNamespace(t *testing.T, server client.Client, words string) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: words + "-"}}
	if err := server.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return ns.Name
}

// account is the ServiceAccount of deploy/, and its namespace.
const account = "network-slices"

// deploy is the directory of the controller's manifests.
const deploy = "../../../../examples/programs/multus/deploy/"

// permit deploys the controller, in the order in which kustomize has its objects, with what it may
// do and nothing else, so that every test shows that this is enough. The API server refuses a field
// that it does not know.
func permit(server client.Client) error {
	text, err := os.ReadFile(deploy + "kustomization.yaml")
	if err != nil {
		return err
	}
	k := struct{ Resources []string }{}
	if err := yaml.Unmarshal(text, &k); err != nil {
		return err
	}
	strict := client.WithFieldValidation(server, metav1.FieldValidationStrict)
	for _, name := range k.Resources {
		text, err := os.ReadFile(deploy + name)
		if err != nil {
			return err
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			object := &unstructured.Unstructured{}
			if err := yaml.UnmarshalStrict([]byte(document), &object.Object); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if err := strict.Create(context.Background(), object); err != nil {
				return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
			}
		}
	}
	return nil
}

// asController is what a Pod of the deployment may do.
func asController(server *apiserver.Server) *rest.Config {
	config := server.Config(apiserver.Admin)
	config.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + account + ":" + account,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + account, "system:authenticated"},
	}
	return config
}
