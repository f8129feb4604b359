package controller

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/slicewright/slicewright/slicer/publish"
)

// TestSync is a unit test with client-go's fake clientset, which needs no reactor: the fake sets no
// resource versions, so a Syncer waits until the informer shows the slice that was created.
func TestSync(t *testing.T) {
	client := fake.NewClientset()
	caches := informers.NewSharedInformerFactory(client, 0)
	syncer := NewSyncer(client, caches)
	caches.Start(t.Context().Done())
	caches.WaitForCacheSync(t.Context().Done())
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}}
	svc.Spec = corev1.ServiceSpec{ClusterIP: "10.96.0.1", Selector: map[string]string{"app": "web"},
		Ports: []corev1.ServicePort{{Port: 80}}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: svc.Spec.Selector}}
	pod.Spec.NodeName, pod.Status.PodIPs = "node-1", []corev1.PodIP{{IP: "10.0.0.1"}}
	for _, pods := range [][]*corev1.Pod{{pod}, {pod}, {}} {
		err := publish.ErrWait
		for ; errors.Is(err, publish.ErrWait); time.Sleep(time.Millisecond) {
			err = Sync(t.Context(), syncer, svc, pods, []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}})
		}
		list, errList := client.DiscoveryV1().EndpointSlices("shop").List(t.Context(), metav1.ListOptions{})
		if err != nil || errList != nil || len(list.Items) != 1 || len(list.Items[0].Endpoints) != len(pods) {
			t.Errorf("%d Pods: %v, %v, slices %v", len(pods), err, errList, list)
		}
	}
}
