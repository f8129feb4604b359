package mcs

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/internal/source"
	"github.com/slicewright/slicewright/slicer"
)

// labelCluster is the label that names the cluster of an imported slice. Such a slice also has
// endpoint.LabelImport.
const labelCluster = "multicluster.kubernetes.io/source-cluster"

// Import says which slices a cluster has for a ServiceImport.
type Import struct {
	// Namespace and Name are those of the ServiceImport. Required.
	Namespace, Name string
	// Cluster is the one that has the endpoints. Each cluster has slices of its own. Required.
	Cluster string
	// ManagedBy is a name that no other manager of slices uses. The names of Kubernetes' own
	// controllers are an error. Required.
	ManagedBy string
	// Owner is the ServiceImport. If zero, the slices have no owner. Leave controller and
	// blockOwnerDeletion nil, because another program manages the ServiceImport.
	Owner metav1.OwnerReference
	// DerivedService is the Service that kube-proxy knows for the import. It becomes the label
	// kubernetes.io/service-name. If empty, labels that other programs put on the slices stay: the
	// controller of mcs-api sets this label.
	DerivedService string
	// Spec is Merged.Spec with Merged.ByCluster[Cluster] as ports. A port of a slice is copied if a
	// port of Spec has its name and protocol. Leave out IPFamilies that the importing cluster does
	// not have. With internalTrafficPolicy Local and with PreferSameNode, node names and hints for
	// Nodes are dropped, because Nodes of two clusters can have one name.
	Spec corev1.ServiceSpec
}

// Key returns the Key of the slices of the import. Give it to Remove when the cluster is gone.
func (i Import) Key() slicer.Key {
	return slicer.Key{
		Namespace: i.Namespace, Name: i.Name, ManagedBy: i.ManagedBy,
		MatchLabels: map[string]string{endpoint.LabelImport: i.Name, labelCluster: i.Cluster},
	}
}

// FromSlices returns the slices of a ServiceImport whose endpoints are in one cluster. from are the
// slices of the Service in that cluster. If there are none, a plan deletes all slices of the Key.
func FromSlices(of Import, from []*discoveryv1.EndpointSlice, o mirror.CopyOptions) (slicer.Input, error) {
	if err := errors.Join(of.validate(), source.OneService(from, endpoint.LabelImport)); err != nil {
		return slicer.Input{}, err
	}
	served, keep := map[endpoint.Port]bool{}, o.Port
	for _, p := range of.Spec.Ports {
		served[endpoint.Port{Name: p.Name, Protocol: endpoint.Protocol(p.Protocol)}] = true
	}
	o.Port = func(p discoveryv1.EndpointPort) bool {
		return served[endpoint.Port{Name: *p.Name, Protocol: *p.Protocol}] && (keep == nil || keep(p))
	}
	o.KeepNodes = o.KeepNodes && !sameNode(&of.Spec)
	copied, leftOut := of.leaveOut(from, o.Transform != nil)
	if o.Transform != nil && len(of.Spec.IPFamilies) > 0 {
		o.Transform = of.inFamilies(o.Transform, copied, &leftOut)
	}
	in, err := mirror.FromSlices(of.Key(), copied, o)
	if err != nil {
		return slicer.Input{}, err
	}
	of.setMeta(&in)
	of.adapt(&in)
	in.Warnings = append(in.Warnings, leftOut.warnings...)
	in.Normal = append(in.Normal, leftOut.normal...)
	return in, nil
}

// setMeta sets metadata and address types.
func (i *Import) setMeta(in *slicer.Input) {
	if i.Owner != (metav1.OwnerReference{}) {
		in.Meta.OwnerReferences = []metav1.OwnerReference{*i.Owner.DeepCopy()}
	}
	if i.DerivedService != "" {
		in.Meta.Labels = map[string]string{discoveryv1.LabelServiceName: i.DerivedService}
	}
	in.Options.KeepLabels = i.DerivedService == ""
	for _, f := range distinct(i.Spec.IPFamilies) {
		in.Options.AddressTypes = append(in.Options.AddressTypes, discoveryv1.AddressType(f))
	}
}

// notices has what is left out.
type notices struct{ warnings, normal slicer.Notices }

// leaveOut returns the slices with an empty one in place of each slice that is not copied. So the
// paths in Notices are those of the caller's list. If endpoints are transformed, their address
// types are known only afterwards.
func (i *Import) leaveOut(from []*discoveryv1.EndpointSlice,
	transformed bool) (copied []*discoveryv1.EndpointSlice, n notices) {
	families := distinct(i.Spec.IPFamilies)
	for k, s := range from {
		family := corev1.IPFamily(s.AddressType)
		switch {
		case len(s.Endpoints) == 0:
		case len(families) > 0 && !slices.Contains(families, family) && !transformed:
			err := field.NotSupported(source.Path(k).Child("addressType"), string(s.AddressType), families)
			err.Detail = "the import does not have this IP family"
			n.normal = append(n.normal, slicer.Notice{Reason: "OtherAddressType", Path: err.Field, Err: err})
			s = &discoveryv1.EndpointSlice{AddressType: s.AddressType}
		case len(s.Ports) == 0 && len(i.Spec.Ports) > 0 && !isHeadless(&i.Spec):
			err := field.Required(source.Path(k).Child("ports"),
				"the import has ports, and these endpoints serve none of them: no client would reach them")
			n.warnings = append(n.warnings, slicer.Notice{Reason: "NoPorts", Path: err.Field, Err: err})
			s = &discoveryv1.EndpointSlice{AddressType: s.AddressType}
		}
		copied = append(copied, s)
	}
	return copied, n
}

// inFamilies returns a Transform that leaves out each endpoint whose new address is of a family that
// the import does not have. An address that is not an IP is a Warning.
func (i *Import) inFamilies(
	transform func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error,
	from []*discoveryv1.EndpointSlice, n *notices,
) func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error {
	families, at := distinct(i.Spec.IPFamilies), map[*discoveryv1.EndpointSlice]int{}
	for k, s := range from {
		at[s] = k
	}
	return func(e *discoveryv1.Endpoint, s *discoveryv1.EndpointSlice) error {
		if err := transform(e, s); err != nil || len(e.Addresses) == 0 {
			return err
		}
		addressType := endpoint.AddressType(e.Addresses[0])
		if slices.Contains(families, corev1.IPFamily(addressType)) {
			return nil
		}
		why := field.NotSupported(source.Path(at[s]), string(addressType), families)
		why.Detail = "Transform returned an address of another type than the import has"
		list := &n.normal
		if addressType == discoveryv1.AddressTypeFQDN {
			list = &n.warnings
		}
		*list = append(*list, slicer.Notice{
			Reason: "OtherAddressType", Object: endpoint.TargetOf(e), Address: e.Addresses[0],
			Path: why.Field, Err: why,
		})
		e.Addresses = nil
		return nil
	}
}

// adapt removes from the copies what the import cannot have, and rewrites errors that speak of
// CopyOptions.
func (i *Import) adapt(in *slicer.Input) {
	if sameNode(&i.Spec) {
		for _, g := range in.Groups {
			for k := range g.Endpoints {
				e := &g.Endpoints[k].API
				e.Hints = endpoint.Hints(endpoint.HintsOf(e.Hints).ForZones, nil)
			}
		}
	}
	for k := range in.Warnings {
		n := &in.Warnings[k]
		if fault, ok := n.Err.(*field.Error); ok && n.Reason == "PortsFiltered" {
			err := *fault
			err.Detail = "the import has none of these ports for this cluster: give Import.Spec the ports that " +
				"Merged.ByCluster has for it"
			n.Err = &err
		}
	}
}

func (i *Import) validate() error {
	path := field.NewPath("import")
	faults := accept.Faults{checkCluster(i.Cluster, path.Child("cluster"))}
	if msgs := validation.IsValidLabelValue(i.Name); len(msgs) > 0 {
		faults.Add(field.Invalid(path.Child("name"), i.Name, "is the value of a label: "+msgs[0]))
	}
	if i.ManagedBy == mirror.KubernetesManager || i.ManagedBy == endpoint.ServiceController {
		faults.Add(field.Invalid(path.Child("managedBy"), i.ManagedBy,
			"Kubernetes would delete these slices: choose a name of your own"))
	}
	for n, f := range i.Spec.IPFamilies {
		if f != corev1.IPv4Protocol && f != corev1.IPv6Protocol {
			faults.Add(field.NotSupported(path.Child("spec", "ipFamilies").Index(n), string(f),
				[]corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}))
		}
	}
	return faults.Err()
}
