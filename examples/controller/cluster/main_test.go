package cluster

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/internal/test/apiserver"
)

// shared is the API server of all tests but those that restart theirs, and admin a client of it that reads no cache.
// Each test has a namespace of its own.
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
