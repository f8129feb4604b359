package apiserver_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/internal/test/cluster/apiserver"
)

// TestControllerManager shows that the controller-manager publishes slices and does nothing else.
func TestControllerManager(t *testing.T) {
	server, err := apiserver.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	manager, err := server.StartControllerManager(t.Context(), "--controllers=endpointslice-controller")
	if err != nil {
		t.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(server.Config(apiserver.Admin))
	_, err = client.CoreV1().Services("default").Create(t.Context(), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	slices := client.DiscoveryV1().EndpointSlices("default")
	for found := 0; found == 0; time.Sleep(50 * time.Millisecond) {
		list, err := slices.List(t.Context(), metav1.ListOptions{LabelSelector: "kubernetes.io/service-name=web"})
		if err != nil {
			t.Fatal(err)
		}
		found = len(list.Items)
		select {
		case <-manager.Exited():
			t.Fatal(manager.Err())
		default:
		}
	}
	if list, err := client.CoreV1().ServiceAccounts("default").List(t.Context(), metav1.ListOptions{}); err != nil || len(list.Items) > 0 {
		t.Errorf("another controller runs too: %v %v", list, err)
	}
}
