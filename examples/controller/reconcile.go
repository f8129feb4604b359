package main

import (
	"context"
	"encoding/json"
	"errors"
	"hash/crc32"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

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
	sent          sync.Map // by Service: its last decisions, by address type, and the texts of its warnings
}

// Reconcile plans the slices of one Service and writes what differs.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	if uint(crc32.ChecksumIEEE([]byte(request.Namespace)))%r.shards != r.shard {
		return ctrl.Result{}, nil
	}
	var svc corev1.Service
	if err := r.Get(ctx, request.NamespacedName, &svc); err != nil {
		r.sent.Delete(request.NamespacedName)
		return ctrl.Result{}, client.IgnoreNotFound(err) // its slices go with it, for it owns them
	}
	in, err := r.input(ctx, &svc)
	if err != nil {
		return ctrl.Result{}, err
	}
	plan, err := slicer.Compute(in)
	if err != nil {
		return ctrl.Result{}, err
	}
	done, err := r.apply(ctx, plan.Steps)
	r.report(&svc, slicer.Plan{Steps: plan.Steps[:done]}.Stats(), plan)
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return ctrl.Result{RequeueAfter: time.Second}, nil // the cache is late: its next event may come sooner
	}
	return ctrl.Result{}, err
}

// input is what is wanted for the Service, and what there is. Lists share the cache's memory: Compute only reads it.
func (r *reconciler) input(ctx context.Context, svc *corev1.Service) (in slicer.Input, err error) {
	existing, pods, nodes := discoveryv1.EndpointSliceList{}, corev1.PodList{}, corev1.NodeList{}
	key := map[string]string{serviceLabel: svc.Name, proxyLabel: managedBy}
	in.Set = slicer.Set{Namespace: svc.Namespace, Name: svc.Name, ManagedBy: managedBy, Key: key}
	namespace, shared := client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy
	err = r.List(ctx, &existing, namespace, shared)
	if svc.Annotations[network] != "" && len(svc.Spec.Selector) > 0 && svc.Spec.Type != corev1.ServiceTypeExternalName {
		err = errors.Join(err, r.List(ctx, &nodes, shared),
			r.List(ctx, &pods, namespace, shared, client.MatchingLabels(svc.Spec.Selector)))
		byName := map[string]*corev1.Node{}
		for _, node := range pointers(nodes.Items) {
			byName[node.Name] = node
		}
		if err == nil {
			node := func(name string) *corev1.Node { return byName[name] }
			in, _, err = service.Input(svc, pointers(pods.Items), node, service.Options{
				ManagedBy: managedBy, Key: key, Selected: true, Addresses: addresses(svc.Annotations[network])})
		}
		in.Set.Annotations = map[string]string{network: svc.Annotations[network]}
	}
	in.Existing = pointers(existing.Items)
	in.Options = slicer.Options{NoPlaceholder: true, MaxEndpointsPerSlice: r.max}
	in.Options.Hints = hints.Config{Mode: hints.ModeFor(svc), Thresholds: hints.Thresholds{Aim: 10, Start: 20, Stop: 30},
		Weights: hints.NodeWeights(pointers(nodes.Items), hints.NodeOptions{})}
	return in, err
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

func pointers[V any](values []V) []*V {
	list := make([]*V, len(values))
	for i := range values {
		list[i] = &values[i]
	}
	return list
}

// apply takes the steps in order, up to the first that fails, and returns how many succeeded. With a late cache steps
// fail and do no harm: names, UIDs and resource versions see to that.
func (r *reconciler) apply(ctx context.Context, steps []slicer.Step) (done int, err error) {
	for i, step := range steps {
		switch step.Verb {
		case slicer.Create:
			err = r.Create(ctx, step.New)
		case slicer.Update:
			err = r.Update(ctx, step.New)
		case slicer.Delete:
			err = client.IgnoreNotFound(r.Delete(ctx, step.Old, client.Preconditions(*step.Preconditions())))
		}
		if err != nil {
			return i, err
		}
	}
	return len(steps), nil
}

var counts = promauto.With(metrics.Registry).NewCounterVec(prometheus.CounterOpts{
	Name: "network_slices_total", Help: "Writes of EndpointSlices, and endpoints in them."}, []string{"what"})

// report counts what was done, and sends the events that this Service has not had yet.
func (r *reconciler) report(svc *corev1.Service, done slicer.Stats, plan slicer.Plan) {
	for what, n := range map[string]int{"creates": done.Creates, "updates": done.Updates, "deletes": done.Deletes,
		"added": done.Added, "removed": done.Removed, "changed": done.Changed} {
		counts.WithLabelValues(what).Add(float64(n))
	}
	sent := map[string]hints.Decision{}
	old, _ := r.sent.Swap(client.ObjectKeyFromObject(svc), sent)
	before, _ := old.(map[string]hints.Decision)
	for _, d := range plan.Hints {
		if sent[string(d.AddressType)] = d; !d.Same(before[string(d.AddressType)]) {
			decided := d.Mode.String() + " " + d.Reason.String() // events that differ in their text alone become one
			r.events.Eventf(svc, nil, corev1.EventTypeNormal, "TopologyHints", decided, "%.1000s", d)
		}
	}
	for _, rejected := range plan.Rejected {
		pod, text := rejected.Endpoint.TargetRef, rejected.Err.ErrorBody()
		_, known := before[pod.Name+text]
		if sent[pod.Name+text] = (hints.Decision{}); !known {
			r.events.Eventf(svc, pod, corev1.EventTypeWarning, "EndpointRejected", "Publish", "Pod %s: %.900s", pod.Name, text)
		}
	}
}
