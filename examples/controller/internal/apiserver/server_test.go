package apiserver_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/examples/controller/internal/apiserver"
)

// TestRestart shows that a server takes objects and still has them after a restart, at the same address.
func TestRestart(t *testing.T) {
	server, err := apiserver.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client := kubernetes.NewForConfigOrDie(server.Config(apiserver.Admin)).CoreV1().Namespaces()
	ns, err := client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "kept"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(t.Context(), 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	kept, err := client.Get(t.Context(), "kept", metav1.GetOptions{})
	if err != nil || kept.UID != ns.UID {
		t.Fatal(kept, err)
	}
	other := kubernetes.NewForConfigOrDie(server.Config(apiserver.Controller)).CoreV1().Namespaces()
	if _, err := other.Get(t.Context(), "kept", metav1.GetOptions{}); err == nil {
		t.Error("the controller's user may do what nobody allowed it")
	}
}
