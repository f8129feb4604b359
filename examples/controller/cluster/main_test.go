package cluster

import (
	"context"
	"flag"
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
	if shared, err = apiserver.Start(context.Background(), apiserver.Options{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.Close()
	if admin, err = client.New(shared.Config(apiserver.Admin), client.Options{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := permit(admin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
		for _, problem := range excess() {
			fmt.Fprintln(os.Stderr, problem)
			code = 1
		}
	}
	return code
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
