package slicertest_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// slicewright is a writer that does what package service plans.
func slicewright(o service.Options) slicertest.Writer {
	return each(func(c call) error {
		plan, err := service.Plan(c.Service, c.Pods, c.Node, inNamespace(c.Service, c.All), o)
		if err != nil {
			return err
		}
		return plan.Apply(c.writes())
	})
}

// inNamespace is what a lister of the Service's namespace shows.
func inNamespace(svc *corev1.Service, all []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(slices.Clone(all), func(s *discoveryv1.EndpointSlice) bool { return s.Namespace != svc.Namespace })
}

// writes takes the steps of a plan to the API server.
func (c call) writes() slicer.Writer {
	return slicer.Writer{
		Create: c.create,
		Update: func(s *discoveryv1.EndpointSlice) error { return change{old: s, s: s}.do(c) },
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return c.api.Delete(c, old.Name, metav1.DeleteOptions{Preconditions: p})
		},
	}
}

const manager = "slices.example.com"

// usual is how many histories a run has, where SLICEWRIGHT_FULL=1 asks for all: all events alone, and most pairs of them.
func usual() int {
	if os.Getenv("SLICEWRIGHT_FULL") != "" {
		return 0
	}
	return 700
}

var (
	details = []string{"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"}
	strict  = append([]string{"deterministic", "fewest-writes", "nobody-moves"}, details...)
)

// TestSlicewright holds Slicewright to all guarantees, those of the stricter grade as well. SLICEWRIGHT_SEED draws other histories.
func TestSlicewright(t *testing.T) {
	o := service.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 3}}
	slicertest.Run(t, slicertest.Options{ManagedBy: manager, Max: 3, Also: strict, Seed: seed(t), Histories: usual()}, slicewright(o))
}

// TestCompact holds the packing Compact to the same, except that endpoints may move.
func TestCompact(t *testing.T) {
	o := service.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 3, Packing: slicer.Compact}}
	also := []string{"deterministic", "fewest-writes"}
	slicertest.Run(t, slicertest.Options{ManagedBy: manager, Max: 3, Also: also, Seed: seed(t), Histories: usual()}, slicewright(o))
}

// TestSharedZones: a writer whose endpoints serve several zones is blamed for nothing. Fewer histories do, and one in which hints from
// nothing would differ.
func TestSharedZones(t *testing.T) {
	weights := hints.Weights{Zones: map[string]int64{"zone-a": 3, "a": 1, "b": 1, "c": 1}}
	o := service.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 3, Hints: hints.Options{Limit: 20, Weights: weights}}}
	for _, replay := range []string{"", "pods=3 / distribution=1 split-numbers=1"} {
		found, err := slicertest.Check(slicertest.Options{ManagedBy: manager, Max: 3, Also: details, Histories: 100, Replay: replay}, slicewright(o))
		if err != nil || len(found) > 0 {
			t.Errorf("%q: %v %v", replay, found, err)
		}
	}
}

// call is one call of a writer's Sync, and what writers by hand have in common.
type call struct {
	context.Context
	api *slicertest.API
	slicertest.State
	keeper *keeper
}

// each makes a writer without memory of a function.
func each(sync func(c call) error) slicertest.Writer {
	return func(api *slicertest.API) slicertest.Sync {
		return func(ctx context.Context, s slicertest.State) error {
			return sync(call{Context: ctx, api: api, State: s})
		}
	}
}

func (c call) endpoint(pod *corev1.Pod, ip string) discoveryv1.Endpoint {
	serving := pod.Status.Conditions[0].Status == corev1.ConditionTrue
	terminating := pod.DeletionTimestamp != nil
	ready := c.Service.Spec.PublishNotReadyAddresses || serving && !terminating
	e := discoveryv1.Endpoint{
		Addresses:  []string{ip},
		Conditions: discoveryv1.EndpointConditions{Ready: &ready, Serving: &serving, Terminating: &terminating},
		NodeName:   &pod.Spec.NodeName,
		TargetRef:  &corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
	}
	if node := c.Node(pod.Spec.NodeName); node != nil {
		zone := node.Labels[corev1.LabelTopologyZone]
		e.Zone = &zone
	}
	return e
}

// ports have the numbers of the Service's target ports.
func (c call) ports() []discoveryv1.EndpointPort {
	var list []discoveryv1.EndpointPort
	for _, p := range c.Service.Spec.Ports {
		list = append(list, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &p.TargetPort.IntVal, AppProtocol: p.AppProtocol})
	}
	return list
}

func (c call) slice(name string, t discoveryv1.AddressType, es []discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: t, Ports: c.ports(), Endpoints: es}
	s.Name, s.Namespace = name, c.Service.Namespace
	s.Labels = map[string]string{discoveryv1.LabelServiceName: c.Service.Name, discoveryv1.LabelManagedBy: manager}
	for key, value := range c.Service.Labels {
		s.Labels[key] = value
	}
	if c.Service.Spec.ClusterIP == corev1.ClusterIPNone {
		s.Labels[corev1.IsHeadlessService] = ""
	}
	s.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(c.Service, corev1.SchemeGroupVersion.WithKind("Service"))}
	return s
}

func same(a, b *discoveryv1.EndpointSlice) bool {
	return apiequality.Semantic.DeepEqual(a.Endpoints, b.Endpoints) && apiequality.Semantic.DeepEqual(a.Ports, b.Ports) &&
		apiequality.Semantic.DeepEqual(a.Labels, b.Labels)
}

func (c call) create(s *discoveryv1.EndpointSlice) error {
	_, err := c.api.Create(c, s, metav1.CreateOptions{})
	return err
}

// deleteAll deletes the writer's slices.
func (c call) deleteAll() error {
	for _, s := range c.Own {
		if err := c.delete(s); err != nil {
			return err
		}
	}
	return nil
}

func (c call) delete(old *discoveryv1.EndpointSlice) error {
	if old.Namespace != c.Service.Namespace { // as a client of that namespace does
		url := "http://kit/apis/discovery.k8s.io/v1/namespaces/" + old.Namespace + "/endpointslices/" + old.Name
		request, err := http.NewRequestWithContext(c, http.MethodDelete, url, nil)
		if err == nil {
			_, err = c.api.RoundTrip(request)
		}
		return err
	}
	if err := c.api.Delete(c, old.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}
