package kubeproxy

//lint:file-ignore SA1019 Endpoints are deprecated, and what the controller under test mirrors.

import (
	"context"
	"errors"
	"testing"
	_ "unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/endpointslicemirroring"

	"github.com/slicewright/slicewright/internal/test/conformance/known"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

//go:linkname syncEndpoints k8s.io/kubernetes/pkg/controller/endpointslicemirroring.(*Controller).syncEndpoints
func syncEndpoints(c *endpointslicemirroring.Controller, ctx context.Context, key string) error

//go:linkname onEndpointSliceDelete k8s.io/kubernetes/pkg/controller/endpointslicemirroring.(*Controller).onEndpointSliceDelete
func onEndpointSliceDelete(c *endpointslicemirroring.Controller, o any)

// mirroring is Kubernetes' controller that copies Endpoints into slices, with an Endpoints object
// that has the Pods' addresses.
func mirroring(api *slicertest.API) slicertest.Sync {
	c := newMirroring(kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: api, QPS: -1}), 1000)
	return func(ctx context.Context, s slicertest.State) error {
		svc := s.Service.DeepCopy()
		svc.Spec.Selector = nil
		for _, gone := range s.Deleted {
			onEndpointSliceDelete(c.controller, gone)
		}
		return c.sync(ctx, endpointsOf(s), svc, s.All)
	}
}

// mirroringController is the controller with what its informers show.
type mirroringController struct {
	controller                  *endpointslicemirroring.Controller
	endpoints, services, slices cache.Indexer
}

func newMirroring(client kubernetes.Interface, most int32) *mirroringController {
	all := informers.NewSharedInformerFactory(client, 0)
	endpoints, services := all.Core().V1().Endpoints(), all.Core().V1().Services()
	slices := all.Discovery().V1().EndpointSlices()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel() // its events go nowhere
	return &mirroringController{
		endpointslicemirroring.NewController(ctx, endpoints, slices, services, most, client, 0),
		endpoints.Informer().GetIndexer(), services.Informer().GetIndexer(), slices.Informer().GetIndexer(),
	}
}

func (c *mirroringController) sync(ctx context.Context, e *corev1.Endpoints, svc *corev1.Service,
	all []*discoveryv1.EndpointSlice) error {
	shown := []any{}
	for _, slice := range all {
		shown = append(shown, slice)
	}
	return errors.Join(c.endpoints.Replace([]any{e}, ""), c.services.Replace([]any{svc}, ""),
		c.slices.Replace(shown, ""),
		syncEndpoints(c.controller, ctx, svc.Namespace+"/"+svc.Name))
}

// endpointsOf is an Endpoints object with one subset for each Pod.
func endpointsOf(s slicertest.State) *corev1.Endpoints {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{
		Namespace: s.Service.Namespace, Name: s.Service.Name, UID: "endpoints-of-" + s.Service.UID,
		Labels: s.Service.Labels,
	}}
	for _, w := range wanted(s) {
		address := corev1.EndpointAddress{IP: w.Endpoint.Addresses[0]}
		subset := corev1.EndpointSubset{}
		if *w.Endpoint.Conditions.Ready {
			subset.Addresses = []corev1.EndpointAddress{address}
		} else {
			subset.NotReadyAddresses = []corev1.EndpointAddress{address}
		}
		for _, p := range w.Ports {
			subset.Ports = append(subset.Ports,
				corev1.EndpointPort{Name: *p.Name, Protocol: *p.Protocol, Port: *p.Port, AppProtocol: p.AppProtocol})
		}
		e.Subsets = append(e.Subsets, subset)
	}
	return e
}

// wanted are the addresses of the Pods that run and stay, all on the Service's ports.
func wanted(s slicertest.State) (list []slicertest.Want) {
	var ports []discoveryv1.EndpointPort
	for _, p := range s.Service.Spec.Ports {
		number := p.TargetPort.IntVal
		if p.TargetPort.Type == intstr.String {
			number = 8080
		}
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &number,
			AppProtocol: p.AppProtocol})
	}
	for _, pod := range s.Pods {
		if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil {
			continue
		}
		ready := pod.Status.Conditions[0].Status == corev1.ConditionTrue
		for i, ip := range pod.Status.PodIPs {
			family := []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}[i]
			list = append(list, slicertest.Want{AddressType: family, Ports: ports, Endpoint: discoveryv1.Endpoint{
				Addresses: []string{ip.IP}, Conditions: discoveryv1.EndpointConditions{Ready: &ready},
			}})
		}
	}
	return list
}

// knownOfMirroring is what the controller breaks.
var knownOfMirroring = []known.Weakness{
	{"no-collision: create … is answered AlreadyExists", "pods=2 / app-protocol",
		"recycleSlices takes slices out of the list to create by comparing names, and none of them has a name yet: " +
			"with two address " +
			"types the wrong one goes, and one that got the name of an existing slice is created"},
	{"metadata-kept: … has lost the annotation that somebody else put on it", "pods=1 / mark",
		"newEndpointSlice builds the object anew. That annotations are those of the Endpoints is documented; finalizers and owners go, too"},
	{"complete: … is wanted, and is in no slice", "pods=1 / delete-slowly",
		"it does not look at deletionTimestamp: endpoints of a slice that is being deleted count as published until it is gone"},
	{"pure: a sync has changed a slice", "pods=1 second-port / older-version=1", "NewPortMapKey sorts the ports of slices in place"},
}

// TestMirroring holds the controller to what is always judged: it shows no cause that is not known,
// and each that is known in its history.
func TestMirroring(t *testing.T) {
	o := slicertest.Options{ManagedBy: "endpointslicemirroring-controller.k8s.io", Want: wanted, Without: []string{
		"NamedPorts", "Spelling", "PublishNotReady", "Hints", "LostNodes",
	}}
	known.Exactly(t, knownOfMirroring, func(replay string) ([]slicertest.Finding, error) {
		o.Replay = replay
		return slicertest.Check(o, mirroring)
	}, func(f slicertest.Finding) string { return f.Cause })
}
