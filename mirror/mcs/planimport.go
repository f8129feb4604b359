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

// labelCluster is the label that names the cluster of an imported slice. Such a slice also has
// endpoint.LabelImport.
const labelCluster = "multicluster.kubernetes.io/source-cluster"

// Import identifies the slices of one ServiceImport whose endpoints are in one cluster (KEP-1645).
type Import struct {
	// Namespace and Name are the namespace and name of the ServiceImport. Required.
	Namespace, Name string
	// Cluster is the id of the cluster that exports, a label value. Required.
	Cluster string
	// ManagedBy is a name that no other manager of EndpointSlices uses. The names of Kubernetes'
	// own controllers are an error. Required.
	ManagedBy string
	// Owner is the ServiceImport, so that the slices are deleted with it. If zero, they have no
	// owner. Leave the fields controller and blockOwnerDeletion nil: the program that manages the
	// ServiceImport does not write the slices, and the deletion of the ServiceImport need not wait
	// for the slices.
	Owner metav1.OwnerReference
	// DerivedService is the name of the Service that kube-proxy knows for the import. It becomes
	// the label kubernetes.io/service-name. If empty, the plan sets no such label, and labels that
	// other programs put on the slices stay. This is for clusters in which the controller of
	// mcs-api sets kubernetes.io/service-name itself.
	DerivedService string
	// IPFamilies are the families of the ServiceImport (Merged.IPFamilies). Leave out a family that
	// the importing cluster does not have. Endpoints of other families are not published, and each
	// of their slices gets a routine Skip (slicer.UnwantedAddressType). nil and empty mean all
	// families.
	IPFamilies []corev1.IPFamily
	// Traffic has the traffic fields of the ServiceImport (Merged.Traffic). With the policy Local
	// or the distribution PreferSameNode, Node names and hints for Nodes are dropped whatever
	// CopyOptions say, because a Node of another cluster may have the same name as one of this
	// cluster. Hints for zones are copied as CopyOptions say.
	Traffic Traffic
}

// Set returns the set of slices of [PlanImport], for the function Sync of a publish.Syncer: its
// names, Key and owner.
func (i Import) Set() slicer.Set {
	set := slicer.Set{
		Namespace: i.Namespace, Name: i.Name, ManagedBy: i.ManagedBy,
		Key: map[string]string{endpoint.LabelImport: i.Name, labelCluster: i.Cluster},
	}
	if i.Owner != (metav1.OwnerReference{}) {
		set.Owners = []metav1.OwnerReference{i.Owner}
	}
	return set
}

// PlanImport returns the writes that make the existing slices hold the endpoints of one cluster for
// a ServiceImport. They are copies of the slices of the Service in that cluster, recognized by the
// labels multicluster.kubernetes.io/service-name and multicluster.kubernetes.io/source-cluster.
// Slices for other clusters are not touched.
//
//   - ports are the ports that the cluster serves (Merged.ByCluster of MergeExports). A port of a
//     slice is copied if one of these has the same name and protocol. Numbers are not compared,
//     because a Service has the numbers that clients use, and a slice has the numbers of the Pods.
//     A slice without ports is copied without ports. If the argument ports is nil or empty, only
//     slices without ports are copied.
//   - from are the slices of the Service in that cluster, in any order. nil and empty mean that the
//     cluster no longer exports the Service, and the plan deletes all copies of its slices.
//   - existing are all slices of the importing namespace, of any manager. The slices with the two
//     labels suffice.
//   - Everything else is as in mirror.PlanCopy. For a headless Service, whose DNS names come from
//     hostnames, set HostnameFromPod.
//
// Errors are made of *field.Errors: a missing or invalid name, a cluster id that is not a label
// value, slices of several Services, or a mistake in the arguments of mirror.PlanCopy. With an
// error the plan is zero.
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
	served, keep := map[endpoint.Port]bool{}, o.Port
	for _, p := range ports {
		served[endpoint.Port{Name: p.Name, Protocol: bare(p).Protocol}] = true
	}
	o.Port = func(p discoveryv1.EndpointPort) bool {
		return served[endpoint.Port{Name: *p.Name, Protocol: *p.Protocol}] && (keep == nil || keep(p))
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
			for i, e := range g.Endpoints { // hints are replaced, because they may be in the source's memory
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

// ofImport rewrites the error of a Skip so that it speaks of the arguments of PlanImport.
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
	for n, f := range i.IPFamilies {
		if f != corev1.IPv4Protocol && f != corev1.IPv6Protocol {
			faults.Add(field.NotSupported(path.Child("ipFamilies").Index(n), string(f),
				[]corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}))
		}
	}
	return faults.Err()
}
