package mcs

import (
	"errors"

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

// labelCluster is the label that names the cluster of a slice beside endpoint.LabelImport.
const labelCluster = "multicluster.kubernetes.io/source-cluster"

// Import names the slices of PlanImport: those of one ServiceImport whose endpoints are in one
// cluster (KEP-1645).
type Import struct {
	// Namespace and Name are those of the ServiceImport. Required.
	Namespace, Name string
	// Cluster is the id of the cluster that exports, a label value. Required.
	Cluster string
	// ManagedBy is a name that no other manager of EndpointSlices uses, and not one of Kubernetes'
	// own. Required.
	ManagedBy string
	// Owner is the ServiceImport, so that the slices go with it. Leave controller and
	// blockOwnerDeletion nil: the ServiceImport does not write the slices, and waits for none of
	// them. Zero: no owner.
	Owner metav1.OwnerReference
	// DerivedService is the Service that kube-proxy knows for the import, and becomes the label
	// kubernetes.io/service-name. Empty: a label of that name that somebody else puts there stays,
	// as the controller of mcs-api does, and so do other labels.
	DerivedService string
	// IPFamilies are those of the ServiceImport, Merged.IPFamilies: endpoints of other families are
	// not published, and each of their slices is a routine Skip (slicer.UnwantedAddressType). Leave
	// out a family that this cluster does not have. nil and empty: all.
	IPFamilies []corev1.IPFamily
	// Traffic is that of the ServiceImport, Merged.Traffic. With the policy Local or the
	// distribution PreferSameNode the names of Nodes and the hints for them are dropped, whatever
	// CopyOptions say, because a Node of another cluster may have the name of one here.
	Traffic Traffic
}

// Set returns the set of slices that [PlanImport] plans, for
// [github.com/slicewright/slicewright/slicer/publish]: its names, Key and owner.
func (of Import) Set() slicer.Set {
	set := slicer.Set{
		Namespace: of.Namespace, Name: of.Name, ManagedBy: of.ManagedBy,
		Key: map[string]string{endpoint.LabelImport: of.Name, labelCluster: of.Cluster},
	}
	if of.Owner != (metav1.OwnerReference{}) {
		set.Owners = []metav1.OwnerReference{of.Owner}
	}
	return set
}

// PlanImport plans the writes that make the existing slices what one cluster gives to a
// ServiceImport: copies of the slices of its Service, and of no other cluster's, recognized by the
// labels multicluster.kubernetes.io/service-name and source-cluster.
//
//   - ports are those that the cluster may serve, Merged.ByCluster of MergeExports: a slice's port
//     is copied if one of them has its name and protocol, whatever the numbers are, because those
//     of a Service are fronts and those of slices targets. A slice without ports is copied as such.
//     nil and empty: no other slice is.
//   - from are the slices of the Service in that cluster, in any order. nil and empty mean that it
//     does not export the Service any more: all slices of that cluster are deleted, and no other.
//   - existing are the slices of the namespace here, or only those with the two labels, of every
//     manager.
//   - All else is as mirror.PlanCopy does it. For a headless Service, whose DNS names are made of
//     hostnames, set HostnameFromPod.
//
// The error is made of *field.Errors: a missing or bad name, a cluster id that is no label value,
// slices of several Services, or a mistake in the arguments of mirror.PlanCopy. With it the plan is
// zero.
func PlanImport(of Import, ports []corev1.ServicePort, from, existing []*discoveryv1.EndpointSlice,
	o mirror.CopyOptions) (slicer.Plan, error) {
	if err := errors.Join(of.validate(), source.OneService(from, endpoint.LabelImport)); err != nil {
		return slicer.Plan{}, err
	}
	set := of.Set()
	if of.DerivedService != "" {
		set.Labels = map[string]string{discoveryv1.LabelServiceName: of.DerivedService}
	}
	for _, f := range distinct(of.IPFamilies) {
		set.AddressTypes = append(set.AddressTypes, discoveryv1.AddressType(f))
	}
	served, wanted := map[endpoint.Port]bool{}, o.Port
	for _, p := range ports {
		served[endpoint.Port{Name: p.Name, Protocol: bare(p).Protocol}] = true
	}
	o.Port = func(p discoveryv1.EndpointPort) bool {
		return served[endpoint.Port{Name: *p.Name, Protocol: *p.Protocol}] && (wanted == nil || wanted(p))
	}
	if of.Traffic.sameNode() {
		o.Node = mirror.Drop
	}
	in, err := mirror.FromSlices(set, from, o)
	if err != nil {
		return slicer.Plan{}, err
	}
	if of.Traffic.sameNode() {
		for _, g := range in.Groups {
			for i, e := range g.Endpoints { // whose hints may be in the source's memory
				g.Endpoints[i].Hints = endpoint.Hints(endpoint.HintsOf(e.Hints).ForZones, nil)
			}
		}
	}
	in.Options.KeepForeignLabels = of.DerivedService == ""
	plan, err := slicer.Compute(in, existing)
	for i := range plan.Skips {
		ofImport(&plan.Skips[i])
	}
	return plan, err
}

// ofImport says of a Skip what it means for an import.
func ofImport(s *slicer.Skip) {
	fault, ok := s.Err.(*field.Error)
	if !ok {
		return
	}
	err := *fault
	switch s.Reason {
	case mirror.PortsFiltered:
		err.Detail = "the import has none of these ports for this cluster: give PlanImport the ports that " +
			"Merged.ByCluster has for it"
	case slicer.OwnerWithoutUID:
		err.Field, s.Path = "import.owner.uid", "import.owner.uid"
	case slicer.UnwantedAddressType:
		err.Detail, s.Severity = "the import does not have this IP family", slicer.Routine
	default:
		return
	}
	s.Err = &err
}

func (of *Import) validate() error {
	path := field.NewPath("import")
	faults := accept.Faults{checkCluster(of.Cluster, path.Child("cluster"))}
	if msgs := validation.IsValidLabelValue(of.Name); len(msgs) > 0 {
		faults.Add(field.Invalid(path.Child("name"), of.Name, "is the value of a label: "+msgs[0]))
	}
	if of.ManagedBy == mirror.KubernetesManager || of.ManagedBy == endpoint.ServiceController {
		faults.Add(field.Invalid(path.Child("managedBy"), of.ManagedBy,
			"Kubernetes would delete these slices: choose a name of your own"))
	}
	for i, f := range of.IPFamilies {
		if f != corev1.IPv4Protocol && f != corev1.IPv6Protocol {
			faults.Add(field.NotSupported(path.Child("ipFamilies").Index(i), string(f),
				[]corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}))
		}
	}
	return faults.Err()
}
