package cluster

import (
	"errors"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/slicewright/slicewright/examples/programs/controller"
	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestRights runs the program of the README with what rbac.yaml allows and nothing else: it
// creates, updates and deletes slices. The API server checks owners that block deletion.
func TestRights(t *testing.T) {
	t.Parallel()
	role := &rbacv1.ClusterRole{}
	text, err := os.ReadFile("../../../../examples/programs/rbac.yaml")
	if err := errors.Join(err, yaml.UnmarshalStrict(text, role), admin.Create(t.Context(), role)); err != nil {
		t.Fatal(err)
	}
	c := &cluster{T: t, server: shared, admin: admin, namespace: newNamespace(t, admin, "rights")}
	c.do(admin.Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: apiserver.Controller}},
	}))
	svc := c.service("web")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "web-1", Labels: svc.Spec.Selector}}
	pod.Spec.NodeName, pod.Status.PodIPs = "node-1", []corev1.PodIP{{IP: "10.0.0.1"}}
	ready := pod.DeepCopy()
	ready.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}

	clientset, err := kubernetes.NewForConfig(shared.Config(apiserver.Controller))
	c.do(err)
	caches := informers.NewSharedInformerFactory(clientset, 0)
	syncer, err := controller.NewSyncer(clientset, caches)
	c.do(err)
	local := informers.NewSharedInformerFactory(clientset, 0).Core().V1() // the kubelet is played
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	c.do(local.Pods().Informer().GetIndexer().Add(pod))
	c.do(local.Nodes().Informer().GetIndexer().Add(node))
	caches.Core().V1().Services().Informer()
	caches.Core().V1().Pods().Informer()
	caches.Core().V1().Nodes().Informer()
	caches.Start(t.Context().Done())
	caches.WaitForCacheSync(t.Context().Done())
	for _, step := range []struct {
		sync func() error
		want int
	}{
		{func() error { return controller.Sync(t.Context(), syncer, svc, local) }, 1},
		{func() error {
			c.do(local.Pods().Informer().GetIndexer().Update(ready))
			return controller.Sync(t.Context(), syncer, svc, local)
		}, 1},
		{func() error {
			_, err := syncer.Remove(t.Context(), services.Options{ManagedBy: "slices.example.com"}.Key(
				types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name}))
			return err
		}, 0},
	} {
		err := publish.ErrRetry
		for ; errors.Is(err, publish.ErrRetry); time.Sleep(25 * time.Millisecond) {
			err = step.sync()
		}
		c.do(err)
		list, err := clientset.DiscoveryV1().EndpointSlices(c.namespace).List(t.Context(),
			metav1.ListOptions{LabelSelector: "endpointslice.kubernetes.io/managed-by=slices.example.com"})
		if c.do(err); len(list.Items) != step.want {
			t.Errorf("%d slices, want %d", len(list.Items), step.want)
		}
	}
}
