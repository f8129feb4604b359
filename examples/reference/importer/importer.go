// Package importer is a reference program: it imports the slices of a Service that another cluster exports
// (KEP-1645), whole but for its queue.
package importer

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// sync makes the slices here what the cluster there has of a Service. ports are those that mirror.MergeExports has
// for the cluster, and nil where it exports the Service no more.
func sync(ctx context.Context, there, here kubernetes.Interface, of mirror.Import, ports []corev1.ServicePort) error {
	theirs := metav1.ListOptions{LabelSelector: discoveryv1.LabelServiceName + "=" + of.Name}
	exported, err := there.DiscoveryV1().EndpointSlices(of.Namespace).List(ctx, theirs)
	if err != nil {
		return err
	}
	api := here.DiscoveryV1().EndpointSlices(of.Namespace)
	existing, err := api.List(ctx, metav1.ListOptions{LabelSelector: "multicluster.kubernetes.io/service-name=" + of.Name})
	if err != nil {
		return err
	}
	o := mirror.CopyOptions{Zone: mirror.Keep, HostnameFromPod: true}
	plan, err := mirror.PlanImport(of, ports, slicer.Pointers(exported.Items), slicer.Pointers(existing.Items), o)
	if err != nil {
		return err
	}
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w)
	}
	return plan.Apply(slicer.ClientWriter(ctx, api))
}
