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

// Options choose how endpoints are derived and planned. Only ManagedBy is required; the rest of the
// zero value does what Kubernetes does.
type Options struct {
	// ManagedBy goes into Set.ManagedBy: a name that no other manager of EndpointSlices uses, such
	// as "slices.example.com". Required. [KubernetesManager] only where kube-controller-manager
	// does not run.
	ManagedBy string
	// KeyLabel is the label that, with ManagedBy, tells the slices of one Service from all others.
	// Its value is the Service's name; see [Options.Key]. Empty: kubernetes.io/service-name, by
	// which kube-proxy and cluster DNS join these slices with those of every other manager. With a
	// label of your own, such as "example.com/service-of-net2", they do not read them. Set it
	//
	//   - with Addresses: without it, Plan returns an error, because readers would join two
	//     networks.
	//   - for a Selection: without it, PlanSelection returns an error, because there is no Service.
	//   - for Backends of a Service with a selector: without it, readers join them with the Pods
	//     that Kubernetes publishes. This is no error. If Plan publishes these Pods under the same
	//     ManagedBy, each call deletes what the other published.
	KeyLabel string
	// Adopt goes into Set.Adopt: the names of slices to take over although they do not have all of
	// the labels, for example because they were written by hand and have no manager. Empty: none.
	Adopt []string
	// NamePrefix goes into Set.NamePrefix: what names of new slices begin with. Empty: the
	// Service's name and a dash.
	NamePrefix string
	// Labels are put on every slice, over the Service's own labels. KeyLabel and ManagedBy win over
	// them; the labels that have a meaning on slices, managed-by, service-name and headless, are an
	// error. nil and empty: the Service's labels alone.
	Labels map[string]string
	// Annotations are put on every slice. nil and empty: none. The trigger time is an error here:
	// it is that of the Pods or Backends, unless Set.TriggerTime of an [Input] says otherwise.
	Annotations map[string]string
	// Hints are the weights, thresholds and limit of hints. If Hints.Mode is None, the Service
	// chooses the mode, by trafficDistribution or topology mode. Any other mode wins over the
	// Service. With hints.Given, no hints are published, because Pods and Backends carry none.
	// Topology mode without weights removes the hints, and Plan.Hints says why. A limit counts for
	// Services that ask for PreferSameZone; without weights their hints have no limit, and the Skip
	// is slicer.NoWeights.
	Hints hints.Options
	// Slices choose how the slices are planned.
	Slices slicer.Options
	// PerFamily says what becomes of several addresses of one family that a Pod or Backend has.
	// Empty: EachAddress.
	PerFamily PerFamily
	// IgnorePublishNotReady treats a Service that sets publishNotReadyAddresses like any other, for
	// controllers whose endpoints must not be used before they are ready.
	IgnorePublishNotReady bool
	// ZoneFromPod takes an endpoint's zone from the Pod's own label topology.kubernetes.io/zone if
	// the node func is nil and the label's value is one that the API server accepts. With a node
	// func the Node's label alone decides, also where it has none. False: without a node func there
	// is no zone. Kubernetes copies the label from the Node to the Pod since 1.35 (KEP-4742);
	// before that anybody may have written it. Backends do not use it.
	ZoneFromPod bool
	// SkipUnresolved leaves out a Pod or Backend that lacks a port of the Service. False publishes
	// it with the ports that it has, and without ports if it has none, as Kubernetes does.
	SkipUnresolved bool
	// DeclaredPortsOnly publishes a port only where the container or Backend declares it with this
	// protocol, also where targetPort is a number. False: a numeric targetPort is published without
	// looking at what is declared.
	DeclaredPortsOnly bool
	// AddressTypes are those that the slices may have, IPv4 and IPv6, in any order. nil and empty:
	// those of the Service's families. A second network may have others than the Service.
	AddressTypes []discoveryv1.AddressType
	// Addresses returns the addresses of a Pod: those of a secondary network, for instance. It
	// needs a KeyLabel. It is called once for each Pod that is selected and has not finished. The
	// result is read before the next call and not kept. nil means status.podIPs, or status.podIP
	// where that is all there is. With an error the Pod is not published, and the Skip
	// (AddressesUnread) has the error and Retry, except for an error that is or wraps a
	// *field.Error, which says that the Pod itself is wrong and no retry helps. For a Pod that has
	// no address yet return none, without error. Backends do not use it.
	Addresses func(pod *corev1.Pod) ([]string, error)
}

// Key returns the labels by which the slices of a Service, or of the parent of a Selection, are
// found: kubernetes.io/service-name or KeyLabel, with the name as its value. A name that is too
// long for a label is shortened as mirror.LabelValue does. List the slices that exist with these
// labels.
func (o Options) Key(name string) map[string]string {
	if o.KeyLabel == "" {
		return map[string]string{discoveryv1.LabelServiceName: name}
	}
	return map[string]string{o.KeyLabel: accept.LabelValue(name)}
}

// hintsOf returns the options of the hints, with the mode that the Service asks for if the caller
// leaves the mode to the Service.
func (o *Options) hintsOf(svc *corev1.Service) hints.Options {
	h := o.Hints
	if h.Mode == hints.None {
		if h.Mode = hints.ModeOf(svc); h.Mode != hints.SameZone {
			h.Limit = 0 // it is for the Services that ask for SameZone
		}
	}
	return h
}
