package services

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// KubernetesManager is the managed-by value of kube-controller-manager's own controller,
// endpointslice-controller.k8s.io. Use it only if that controller does not run: two controllers
// with one managed-by value delete each other's slices.
const KubernetesManager = endpoint.ServiceController

// Options say how endpoints are derived and planned. Only ManagedBy is required. The zero value of
// every other field does what Kubernetes does.
type Options struct {
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by, a name that no
	// other manager of slices uses, such as "slices.example.com". Required. Use [KubernetesManager]
	// only if kube-controller-manager's own controller does not run.
	ManagedBy string
	// KeyLabel is the label that, together with ManagedBy, identifies the slices of one Service.
	// Its value is the Service's name, see [Options.Key]. If empty, it is
	// kubernetes.io/service-name, and kube-proxy and cluster DNS join these slices with those of
	// all other managers. With a label of your own, such as "example.com/service-of-net2", they do
	// not read these slices. Set KeyLabel in three cases:
	//
	//   - With Addresses. Without KeyLabel, Plan returns an error, because readers would join two
	//     networks.
	//   - For a Selection. Without KeyLabel, PlanSelection returns an error, because there is no
	//     Service.
	//   - For Backends of a Service with a selector. Without KeyLabel, readers join the Backends
	//     with the Pods that Kubernetes publishes. PlanBackends returns no error for this. If Plan
	//     publishes the Pods with the same ManagedBy and without KeyLabel, Plan removes the
	//     endpoints of PlanBackends, and PlanBackends removes the endpoints of Plan.
	KeyLabel string
	// Adopt are names of slices to take over although they do not have all of the labels, for
	// example because they were written by hand and have no manager. See slicer.Set.Adopt.
	Adopt []string
	// NamePrefix is the beginning of the names of new slices. If empty, it is the Service's name
	// and a dash. See slicer.Set.NamePrefix.
	NamePrefix string
	// Labels are put on every slice. They replace labels of the Service with the same name. The
	// labels that KeyLabel and ManagedBy set cannot be changed here. The labels that have a meaning
	// on slices (managed-by, service-name, headless) are an error. nil and empty mean the Service's
	// labels alone.
	Labels map[string]string
	// Annotations are put on every slice. nil and empty mean that there are none. The annotation of
	// the trigger time is an error, because it is computed from Pods and Backends. To set it
	// yourself, use Set.TriggerTime of an [Input].
	Annotations map[string]string
	// Hints are the mode, weights and limit of hints.
	//
	//   - If Mode is None, the Service chooses the mode by its trafficDistribution or topology
	//     mode, so None does not remove hints here. Any other Mode overrides the Service.
	//   - To publish no hints even if the Service asks for them, set hints.Given: Pods and Backends
	//     have no hints of their own.
	//   - A Service with a topology mode needs weights. Without them, its hints are removed, and
	//     Plan.Hints has the reason.
	//   - If Mode is None, Limit is used only for Services that ask for PreferSameZone or
	//     PreferClose. Without weights their hints have no limit, and the plan has a Skip
	//     (slicer.NoWeights).
	Hints hints.Options
	// Slices are the options of slicer.Compute, such as the size of a slice.
	Slices slicer.Options
	// PerFamily says what happens if a Pod or Backend has several addresses of one family. If
	// empty, each address becomes an endpoint (EachAddress).
	PerFamily PerFamily
	// IgnorePublishNotReady treats a Service that sets publishNotReadyAddresses like any other
	// Service. It is for controllers whose endpoints must not be used before they are ready.
	IgnorePublishNotReady bool
	// ZoneFromPod takes the zone of an endpoint from the Pod's label topology.kubernetes.io/zone if
	// the node func is nil. If it is false, endpoints have no zone without a node func. If there is
	// a node func, the Node's label alone decides, even if the Node does not have the label. A
	// value that the API server refuses as a zone is ignored. Since Kubernetes 1.35, the API server
	// copies the label from the Node when the Pod is bound (KEP-4742; on by default), unless the
	// Node does not have it. Later changes of the Node are not copied, and a client that may update
	// the Pod can change the label. Before 1.35, any client that creates Pods may have written it.
	// Backends do not use this option.
	ZoneFromPod bool
	// SkipUnresolved leaves out a Pod or Backend that does not have all ports of the Service. If
	// false, it is published with the ports that it has, and without ports if it has none, as in
	// Kubernetes.
	SkipUnresolved bool
	// DeclaredPortsOnly publishes a port only if the container or Backend declares it with this
	// protocol, even if targetPort is a number. If false, a targetPort that is a number is
	// published without looking at the declared ports.
	DeclaredPortsOnly bool
	// AddressTypes are the families that slices may have: IPv4, IPv6 or both, in any order. nil and
	// empty mean the families of the Service. A second network may have other families than the
	// Service.
	AddressTypes []discoveryv1.AddressType
	// Addresses returns the addresses of a Pod, for example those on a second network. It requires
	// KeyLabel. If nil, a Pod's addresses are status.podIPs or, if that is empty, status.podIP.
	// Backends do not use it.
	//
	// Addresses is called once for each Pod that is selected and has not finished. The result is
	// read before the next call and is not kept. If the Pod has no address yet, return no address
	// and no error. If Addresses returns an error, the Pod is not published, and a Skip
	// (AddressesUnread) has the error. The Skip asks for a retry, unless the error is or wraps a
	// *field.Error, which means that the Pod itself is wrong.
	Addresses func(pod *corev1.Pod) ([]string, error)
}

// Key returns the labels by which the slices of a Service, or of the parent of a Selection, are
// listed. That is the label KeyLabel or, if it is empty, kubernetes.io/service-name, with the name
// as the value. A name that is too long for the value of a KeyLabel is shortened in the same way as
// by mirror.LabelValue.
func (o Options) Key(name string) map[string]string {
	if o.KeyLabel == "" {
		return map[string]string{discoveryv1.LabelServiceName: name}
	}
	return map[string]string{o.KeyLabel: accept.LabelValue(name)}
}

// hintsOf returns the options of the hints. If their mode is None, it takes the mode that the
// Service asks for.
func (o *Options) hintsOf(svc *corev1.Service) hints.Options {
	h := o.Hints
	if h.Mode == hints.None {
		h.Mode = hints.ModeOf(svc)
		if h.Mode != hints.PreferSameZone {
			h.Limit = 0 // the limit is only for Services that ask for PreferSameZone
		}
	}
	return h
}
