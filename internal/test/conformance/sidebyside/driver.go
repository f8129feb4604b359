package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

const (
	namespace = "shop"
	firstPort = 8080
)

// driver writes Nodes, Services and Pods as users, Deployments and kubelets do. There is no
// kubelet: a Pod is ready when the driver writes so.
type driver struct {
	client  kubernetes.Interface
	ledger  *ledger
	hints   bool
	address atomic.Uint32
}

func newDriver(server *apiserver.Server, l *ledger, hints bool) (*driver, error) {
	config := server.Config(apiserver.Admin)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	client, err := kubernetes.NewForConfig(config)
	return &driver{client: client, ledger: l, hints: hints}, err
}

// nodes creates Nodes in three zones, and returns their names.
func (d *driver) nodes(ctx context.Context, n int) ([]string, error) {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := d.client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("node-%03d", i)
		node, err := d.client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: names[i], Labels: map[string]string{corev1.LabelTopologyZone: fmt.Sprintf("zone-%c", 'a'+i%3)},
		}}, metav1.CreateOptions{})
		if err != nil {
			return nil, err
		}
		node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("8")}
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		if _, err := d.client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{}); err != nil {
			return nil, err
		}
	}
	return names, nil
}

func (d *driver) service(ctx context.Context, name string) error {
	d.ledger.setPort(name, firstPort)
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"app": name},
			Ports:    []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromInt32(firstPort)}},
		},
	}
	if d.hints {
		svc.Spec.TrafficDistribution = new(corev1.ServiceTrafficDistributionPreferSameZone)
	}
	_, err := d.client.CoreV1().Services(namespace).Create(ctx, svc, metav1.CreateOptions{})
	return err
}

// changePort gives the Service another target port.
func (d *driver) changePort(ctx context.Context, name string, port int32) error {
	d.ledger.setPort(name, port)
	patch := fmt.Sprintf(`[{"op":"replace","path":"/spec/ports/0/targetPort","value":%d}]`, port)
	_, err := d.client.CoreV1().Services(namespace).Patch(ctx, name, types.JSONPatchType, []byte(patch),
		metav1.PatchOptions{})
	return err
}

// create creates a Pod on a Node, which is not ready.
func (d *driver) create(ctx context.Context, name, service, node string) (*corev1.Pod, error) {
	return d.client.CoreV1().Pods(namespace).Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": service}},
		Spec: corev1.PodSpec{
			NodeName: node,
			Containers: []corev1.Container{{
				Name: "web", Image: "web", Ports: []corev1.ContainerPort{{Name: "web", ContainerPort: firstPort}},
			}},
		},
	}, metav1.CreateOptions{})
}

// ready gives a Pod an address and lets it be ready.
func (d *driver) ready(ctx context.Context, pod *corev1.Pod) error {
	n := d.address.Add(1)
	ip := fmt.Sprintf("10.%d.%d.%d", 1+n/62500, n/250%250, n%250+1)
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue,
			LastTransitionTime: metav1.Now()}},
	}
	d.ledger.want(pod.Name, pod.Labels["app"])
	_, err := d.client.CoreV1().Pods(namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}

// unready says that a Pod is not ready any more, as the control plane does when its Node is lost.
func (d *driver) unready(ctx context.Context, name string) error {
	d.ledger.release(name)
	patch := fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":"False","lastTransitionTime":%q}]}}`,
		time.Now().UTC().Format(time.RFC3339))
	_, err := d.client.CoreV1().Pods(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch),
		metav1.PatchOptions{}, "status")
	return err
}

// stop lets a Pod terminate.
func (d *driver) stop(ctx context.Context, name string) error {
	d.ledger.release(name)
	return d.client.CoreV1().Pods(namespace).Delete(ctx, name, metav1.DeleteOptions{})
}

// remove says that a Pod has terminated.
func (d *driver) remove(ctx context.Context, name string) error {
	d.ledger.release(name)
	now := int64(0)
	return d.client.CoreV1().Pods(namespace).Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now})
}

func (d *driver) loseNode(ctx context.Context, name string) error {
	return d.client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{})
}
