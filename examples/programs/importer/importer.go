// Package importer is a reference program: it imports the slices of a Service that another cluster
// exports (KEP-1645), whole but for its queue.
package importer

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
)

// sync makes the slices of this cluster show the Service of the other cluster. ports are those that
// mcs.MergeExports has for the cluster, and nil if it does not export the Service any more. Call it
// again after an error.
func sync(ctx context.Context, there kubernetes.Interface, here *publish.Syncer, of mcs.Import,
	ports []corev1.ServicePort) error {
	theirs := metav1.ListOptions{LabelSelector: discoveryv1.LabelServiceName + "=" + of.Name}
	exported, err := there.DiscoveryV1().EndpointSlices(of.Namespace).List(ctx, theirs)
	if err != nil {
		return err
	}
	plan, err := here.Sync(ctx, of.Set(), func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		o := mirror.CopyOptions{Zone: mirror.Keep, HostnameFromPod: true}
		return mcs.PlanImport(of, ports, slicer.Pointers(exported.Items), existing, o)
	})
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w)
	}
	return err
}
