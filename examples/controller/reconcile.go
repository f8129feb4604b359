package main

import (
	"context"
	"encoding/json"
	"errors"
	"hash/crc32"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

const (
	network   = "k8s.v1.cni.cncf.io/service-network" // annotation of a Service: its network
	status    = "k8s.v1.cni.cncf.io/network-status"  // annotation of a Pod: its interfaces, as Multus writes them
	managedBy = "network-slices.example.com"
	// Labels of slices: the Service, where kubernetes.io/service-name would tell DNS servers to publish these addresses,
	// and one that keeps kube-proxy away, which never looks at who manages a slice.
	serviceLabel, proxyLabel = managedBy + "/service", "service.kubernetes.io/service-proxy-name"
)

// reconciler publishes the slices of one shard.
type reconciler struct {
	client.Client
	events        events.EventRecorder
	max           int // endpoints per slice
	shards, shard uint
	told          sync.Map // by Service: *told
}

// Reconcile plans the slices of one Service and writes what differs.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	if uint(crc32.ChecksumIEEE([]byte(request.Namespace)))%r.shards != r.shard {
		return ctrl.Result{}, nil
	}
	var svc corev1.Service
	if err := r.Get(ctx, request.NamespacedName, &svc); err != nil {
		r.told.Delete(request.NamespacedName)
		return ctrl.Result{}, client.IgnoreNotFound(err) // its slices go with it, because it owns them
	}
	plan, err := r.plan(ctx, &svc)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = plan.Apply(r.writer(ctx))
	done, stopped := len(plan.Steps), (*slicer.StepError)(nil)
	if errors.As(err, &stopped) {
		done = stopped.Done
	}
	r.report(ctx, &svc, slicer.Plan{Steps: plan.Steps[:done]}.Stats(), plan)
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return ctrl.Result{RequeueAfter: time.Second}, nil // the cache is late: its next event may come sooner
	}
	return ctrl.Result{}, errors.Join(err, plan.Retry())
}

// plan is what to write for the Service. Lists share the cache's memory: planning only reads it.
func (r *reconciler) plan(ctx context.Context, svc *corev1.Service) (slicer.Plan, error) {
	existing, pods, nodes := discoveryv1.EndpointSliceList{}, corev1.PodList{}, corev1.NodeList{}
	namespace, shared := client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy
	o := service.Options{
		ManagedBy: managedBy, Key: map[string]string{serviceLabel: svc.Name, proxyLabel: managedBy},
		Slices: slicer.Options{NoPlaceholder: true, MaxEndpointsPerSlice: r.max},
	}
	if err := r.List(ctx, &existing, namespace, shared); err != nil {
		return slicer.Plan{}, err
	}
	if managed, _ := service.Managed(svc, o); managed != service.Publishable || svc.Annotations[network] == "" {
		return service.PlanRemoval(svc, slicer.Pointers(existing.Items), o)
	}
	err := errors.Join(r.List(ctx, &nodes, shared), r.List(ctx, &pods, namespace, shared, client.MatchingLabels(svc.Spec.Selector)))
	if err != nil {
		return slicer.Plan{}, err
	}
	o.Addresses = addresses(svc.Annotations[network])
	o.Slices.Hints = hints.Options{Thresholds: hints.Thresholds{Aim: 10, Start: 20, Stop: 30},
		Weights: hints.NodeWeights(slicer.Pointers(nodes.Items), hints.NodeOptions{})}
	in, err := service.Input(svc, slicer.Pointers(pods.Items), service.NodesByName(slicer.Pointers(nodes.Items)), o)
	if err != nil {
		return slicer.Plan{}, err
	}
	in.Set.Annotations = map[string]string{network: svc.Annotations[network]}
	plan, err := slicer.Compute(in, slicer.Pointers(existing.Items))
	starting := map[string]bool{} // Pods without any address: that every Pod goes through
	for i := range pods.Items {
		starting[pods.Items[i].Name] = pods.Items[i].Status.PodIP == ""
	}
	plan.Skips = slices.DeleteFunc(plan.Skips, func(s slicer.Skip) bool {
		return s.Reason == service.PodFinished || s.Reason == service.NoAddress && starting[s.Object.Name]
	})
	return plan, err
}

// addresses returns what reads a Pod's addresses on a network: none as long as its status is missing.
func addresses(network string) func(*corev1.Pod) ([]string, error) {
	return func(pod *corev1.Pod) (ips []string, err error) {
		var interfaces []struct {
			Name string
			IPs  []string
		}
		if text := pod.Annotations[status]; text != "" {
			err = json.Unmarshal([]byte(text), &interfaces)
		}
		for _, i := range interfaces {
			if i.Name == network || i.Name == pod.Namespace+"/"+network {
				ips = append(ips, i.IPs...)
			}
		}
		return ips, err
	}
}

// writer carries out the steps of a plan. With a late cache they fail and do no harm: names, UIDs and resource versions see
// to that.
func (r *reconciler) writer(ctx context.Context) slicer.Writer {
	return slicer.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error { return r.Create(ctx, s) },
		Update: func(s *discoveryv1.EndpointSlice) error { return r.Update(ctx, s) },
		Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return r.Delete(ctx, s, client.Preconditions(*p))
		},
	}
}
