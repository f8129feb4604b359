package network

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

const (
	Annotation = "k8s.v1.cni.cncf.io/service-network" // of a Service: its network
	Status     = "k8s.v1.cni.cncf.io/network-status"  // annotation of a Pod: its interfaces, as Multus writes them
	ManagedBy  = "network-slices.example.com"
	// Labels of slices: the Service, where kubernetes.io/service-name would tell DNS servers to
	// publish these addresses, and one that keeps kube-proxy away before 1.36. The label of
	// headless Services keeps every version away.
	ServiceLabel, ProxyLabel = ManagedBy + "/service", "service.kubernetes.io/service-proxy-name"
)

// Reconcile brings the slices of one Service up to date.
func (c *Controller) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	svc, key := &corev1.Service{}, optionsFor("").Key(request.NamespacedName)
	if err := c.client.Get(ctx, request.NamespacedName, svc); apierrors.IsNotFound(err) {
		c.slices.Forget(key) // the garbage collector deletes the slices
		c.reported.Delete(request.NamespacedName)
		return ctrl.Result{}, nil
	} else if err != nil {
		return ctrl.Result{}, err
	}
	if svc.Annotations[Annotation] == "" || svc.Spec.Type == corev1.ServiceTypeExternalName {
		_, err := c.slices.Remove(ctx, key)
		return resultOf(err)
	}
	pods, nodes, err := c.read(ctx, svc)
	if err != nil {
		return ctrl.Result{}, err
	}
	in, err := c.Input(svc, pods, nodes)
	if err != nil {
		return resultOf(err)
	}
	plan, err := c.slices.Sync(ctx, in)
	c.report(ctx, svc, plan)
	return resultOf(err)
}

// resultOf tells the kinds of error apart.
func resultOf(err error) (ctrl.Result, error) {
	switch {
	case errors.As(err, new(*field.Error)):
		return ctrl.Result{}, reconcile.TerminalError(err) // only a change of the Service helps
	case errors.Is(err, publish.ErrRetry), apierrors.IsConflict(err), apierrors.IsAlreadyExists(err):
		return ctrl.Result{RequeueAfter: 100 * time.Millisecond}, nil
	}
	return ctrl.Result{}, err
}

// read returns the Pods and Nodes that the cache has. They share its memory: planning only reads
// it.
func (c *Controller) read(ctx context.Context, svc *corev1.Service) ([]*corev1.Pod, *Nodes, error) {
	var pods corev1.PodList
	namespace, shared := client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy
	if selector := pairs(svc.Spec.Selector); len(selector) > 0 {
		if err := c.client.List(ctx, &pods, namespace, shared,
			client.MatchingFields{byLabel: selector[0]}); err != nil {
			return nil, nil, err
		}
	}
	nodes, err := c.zones.latest(ctx, c.client)
	return slicer.Pointers(pods.Items), nodes, err
}

// optionsFor returns the options for a Service on a network.
func optionsFor(network string) services.Options {
	return services.Options{ManagedBy: ManagedBy, NameLabel: ServiceLabel, Addresses: addresses(network)}
}

// Input is what a Service wants, given its Pods, perhaps among others, and all Nodes.
func (c *Controller) Input(svc *corev1.Service, pods []*corev1.Pod, nodes *Nodes) (slicer.Input, error) {
	network := svc.Annotations[Annotation]
	in, err := services.FromPods(svc, pods, nodes.byName, optionsFor(network))
	if err != nil {
		return in, err
	}
	labels := map[string]string{}
	maps.Copy(labels, in.Meta.Labels)
	labels[ProxyLabel], labels[corev1.IsHeadlessService] = ManagedBy, ""
	in.Meta.Labels = labels
	in.Meta.Annotations = map[string]string{Annotation: network}
	in.Hints.Weights, in.Hints.Steady = nodes.weights, true
	in.Options.NoPlaceholder, in.Options.MaxEndpointsPerSlice = true, c.Max
	return in, nil
}

// Nodes are all Nodes at one time.
type Nodes struct {
	byName  services.Nodes
	weights hints.Weights
}

func NewNodes(list []*corev1.Node) *Nodes {
	return &Nodes{services.NodesByName(list), hints.NodeWeights(list, nil)}
}

// zones keeps the Nodes until one of them changes.
type zones struct {
	sync.Mutex
	nodes *Nodes
}

func (z *zones) forget() {
	z.Lock()
	defer z.Unlock()
	z.nodes = nil
}

// latest reads the Nodes if they are not known. The cache has a change before forget is called, so
// that none is missed.
func (z *zones) latest(ctx context.Context, cache client.Reader) (*Nodes, error) {
	z.Lock()
	defer z.Unlock()
	if z.nodes == nil {
		var list corev1.NodeList
		if err := cache.List(ctx, &list, client.UnsafeDisableDeepCopy); err != nil {
			return nil, err
		}
		z.nodes = NewNodes(slicer.Pointers(list.Items))
	}
	return z.nodes, nil
}

// addresses returns a function that reads a Pod's addresses on a network. The function returns none
// as long as the Pod has no network status. If the status is malformed or has no address on the
// network, it returns an error that a retry does not fix.
func addresses(network string) func(*corev1.Pod) ([]string, error) {
	return func(pod *corev1.Pod) (ips []string, err error) {
		var interfaces []struct {
			Name string
			IPs  []string
		}
		text, at := pod.Annotations[Status], field.NewPath("metadata", "annotations").Key(Status)
		if text == "" {
			return nil, nil
		}
		if err := json.Unmarshal([]byte(text), &interfaces); err != nil {
			return nil, field.Invalid(at, text, err.Error())
		}
		for _, i := range interfaces {
			if i.Name == network || i.Name == pod.Namespace+"/"+network {
				ips = append(ips, i.IPs...)
			}
		}
		if len(ips) == 0 {
			return nil, field.Required(at, "the Pod has no address on network "+network)
		}
		return ips, nil
	}
}
