package network

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

const (
	Annotation = "k8s.v1.cni.cncf.io/service-network" // of a Service: its network
	Status     = "k8s.v1.cni.cncf.io/network-status"  // annotation of a Pod: its interfaces, as Multus writes them
	ManagedBy  = "network-slices.example.com"
	// Labels of slices: the Service, where kubernetes.io/service-name would tell DNS servers to publish these addresses,
	// and one that keeps kube-proxy away, which never looks at who manages a slice.
	ServiceLabel, ProxyLabel = ManagedBy + "/service", "service.kubernetes.io/service-proxy-name"
)

// Reconcile plans the slices of one Service and writes what differs.
func (c *Controller) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := c.client.Get(ctx, request.NamespacedName, &svc); err != nil {
		c.reported.Delete(request.NamespacedName)
		c.waits.Delete(request.NamespacedName)
		c.writes.Forget(setOf(request.NamespacedName))
		return ctrl.Result{}, client.IgnoreNotFound(err) // its slices go with it, because it owns them
	}
	plan, err := c.read(ctx, &svc)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = plan.Apply(c.writes.Through(setOf(request.NamespacedName), Writer(ctx, c.client)))
	done, stopped := len(plan.Steps), (*slicer.StepError)(nil)
	if errors.As(err, &stopped) {
		done = stopped.Done
	}
	c.report(ctx, &svc, slicer.Plan{Steps: plan.Steps[:done]}.Stats(), plan)
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return ctrl.Result{RequeueAfter: time.Second}, nil // somebody else wrote: the event of that may come sooner
	}
	return ctrl.Result{}, errors.Join(err, plan.Retry())
}

// read plans with what the cache has. Lists share its memory: planning only reads it.
func (c *Controller) read(ctx context.Context, svc *corev1.Service) (slicer.Plan, error) {
	existing, err := c.existing(ctx, client.ObjectKeyFromObject(svc))
	var pods corev1.PodList
	namespace, shared := client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy
	if selector := pairs(svc.Spec.Selector); err == nil && len(selector) > 0 {
		err = c.client.List(ctx, &pods, namespace, shared, client.MatchingFields{byLabel: selector[0]})
	}
	if err != nil {
		return slicer.Plan{}, err
	}
	nodes, err := c.zones.latest(ctx, c.client)
	if err != nil {
		return slicer.Plan{}, err
	}
	return c.Plan(svc, slicer.Pointers(pods.Items), nodes, existing)
}

// patience is longer than the cache is ever late. After it a Service that waits for what was written last is planned from a live list.
const patience = 10 * time.Second

// existing are the slices of the namespace: those of the cache once it shows what was written last, or after a while the API server's.
func (c *Controller) existing(ctx context.Context, name client.ObjectKey) ([]*discoveryv1.EndpointSlice, error) {
	var stored, live discoveryv1.EndpointSliceList
	if err := c.client.List(ctx, &stored, client.InNamespace(name.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	list := slicer.Pointers(stored.Items)
	if late := c.writes.Behind(setOf(name), list, ""); late != nil {
		if since, _ := c.waits.LoadOrStore(name, time.Now()); time.Since(since.(time.Time)) < patience {
			return nil, late
		}
		if err := c.live.List(ctx, &live, client.InNamespace(name.Namespace)); err != nil {
			return nil, err
		}
		list = slicer.Pointers(live.Items)
		c.writes.Listed(setOf(name), list)
	}
	c.waits.Delete(name)
	return list, nil
}

// setOf names the slices of a Service.
func setOf(svc client.ObjectKey) slicer.Set {
	return slicer.Set{Namespace: svc.Namespace, Key: map[string]string{ServiceLabel: svc.Name}}
}

// Plan is what to write for a Service, given its Pods, perhaps among others, all Nodes, and the namespace's slices.
func (c *Controller) Plan(svc *corev1.Service, pods []*corev1.Pod, nodes *Nodes, existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
	o := services.Options{
		ManagedBy: ManagedBy, KeyLabel: ServiceLabel, Labels: map[string]string{ProxyLabel: ManagedBy},
		Annotations: map[string]string{Annotation: svc.Annotations[Annotation]}, Addresses: addresses(svc.Annotations[Annotation]),
		Hints:  hints.Options{Weights: nodes.weights, Thresholds: hints.Thresholds{Aim: 10, Start: 20, Stop: 30}},
		Slices: slicer.Options{NoPlaceholder: true, MaxEndpointsPerSlice: c.Max},
	}
	if managed, _ := services.Managed(svc); managed != services.Publishable || svc.Annotations[Annotation] == "" {
		return services.PlanRemoval(svc, existing, o)
	}
	return services.Plan(svc, pods, nodes.byName, existing, o)
}

// Nodes are all Nodes at one time.
type Nodes struct {
	byName  func(string) *corev1.Node
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

// latest reads the Nodes if they are not known. The cache has a change before forget is called, so that none is missed.
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

// addresses returns what reads a Pod's addresses on a network: none as long as its status is missing. What a status lacks, or is
// not, is an error that no retry mends.
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

// Writer carries out the steps of a plan. Names, UIDs and resource versions see to it that a step fails after somebody else's write.
func Writer(ctx context.Context, c client.Writer) slicer.Writer {
	return slicer.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error { return c.Create(ctx, s) },
		Update: func(s *discoveryv1.EndpointSlice) error { return c.Update(ctx, s) },
		Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return c.Delete(ctx, s, client.Preconditions(*p))
		},
	}
}
