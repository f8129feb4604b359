package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer"
)

// SetOf returns the set of slices of [Plan] with these arguments, for the function Sync of a
// publish.Syncer. The set has only what Sync reads: namespace, name, ManagedBy, Key and owner. If
// Plan would return an error for the arguments, the set may be incomplete.
func SetOf(endpoints *corev1.Endpoints, service *corev1.Service, o Options) slicer.Set {
	set, err := nameSet(endpoints, service, o)
	if err == nil && endpoints != nil {
		set.Owners = []metav1.OwnerReference{ownedBy(endpoints)}
	}
	return set
}

// nameSet returns the set of the mirrors with the fields that are needed to find them. Namespace
// and name are taken from the Endpoints, or from the Service if there are no Endpoints. The error
// lists the mistakes in these names.
func nameSet(endpoints *corev1.Endpoints, service *corev1.Service, o Options) (slicer.Set, error) {
	var meta *metav1.ObjectMeta
	var path *field.Path
	switch {
	case endpoints != nil:
		meta, path = &endpoints.ObjectMeta, field.NewPath("endpoints", "metadata")
	case service != nil:
		meta, path = &service.ObjectMeta, field.NewPath("service", "metadata")
	default:
		return slicer.Set{}, field.Required(field.NewPath("endpoints"),
			"give the Endpoints to mirror, or the Service whose Endpoints are gone")
	}
	var faults accept.Faults
	if meta.Namespace == "" {
		faults.Add(field.Required(path.Child("namespace"), "mirrors are in the same namespace"))
	}
	if meta.Name == "" {
		faults.Add(field.Required(path.Child("name"), "mirrors are found by it"))
	}
	if service != nil && (service.Name != meta.Name || service.Namespace != meta.Namespace) {
		faults.Add(field.Invalid(field.NewPath("service", "metadata", "name"), service.Namespace+"/"+service.Name,
			"give the Service of the Endpoints' namespace and name, "+quote.Name(meta.Namespace, meta.Name)+", or nil"))
	}
	set := slicer.Set{ManagedBy: o.ManagedBy, Namespace: meta.Namespace, Name: meta.Name}
	shortenKey(&set)
	return set, faults.Err()
}

// dress adds to the set what all mirrors have in common: owner, labels and annotations.
func dress(set *slicer.Set, endpoints *corev1.Endpoints, service *corev1.Service, o Options) {
	set.Terminating = endpoints.DeletionTimestamp != nil
	set.Owners = []metav1.OwnerReference{ownedBy(endpoints)}
	set.Labels = without(endpoints.Labels, endpoint.ReservedLabels[:]...)
	value, headless := endpoints.Labels[corev1.IsHeadlessService]
	if !o.asKubernetes() {
		value, headless = "", service.Spec.ClusterIP == corev1.ClusterIPNone || service.Spec.ClusterIP == ""
	}
	if headless {
		set.Labels = labels.Merge(set.Labels, labels.Set{corev1.IsHeadlessService: value})
	}
	set.Annotations = without(endpoints.Annotations, corev1.EndpointsLastChangeTriggerTime,
		corev1.LastAppliedConfigAnnotation)
}

func ownedBy(endpoints *corev1.Endpoints) metav1.OwnerReference {
	return *metav1.NewControllerRef(endpoints, corev1.SchemeGroupVersion.WithKind("Endpoints"))
}

// computed calls slicer.Compute. owner is the path of the owner's UID in the caller's arguments,
// for the Skip OwnerWithoutUID.
func computed(in slicer.Input, existing []*discoveryv1.EndpointSlice, owner string) (slicer.Plan, error) {
	plan, err := slicer.Compute(in, existing)
	for i := range plan.Skips {
		s := &plan.Skips[i]
		if fault, ok := s.Err.(*field.Error); ok && s.Reason == slicer.OwnerWithoutUID {
			of := *fault
			of.Field = owner
			s.Path = owner
			s.Err = &of
		}
	}
	return plan, err
}

// without returns a copy of a map without the given keys, or nil if no key is left.
func without(m map[string]string, keys ...string) map[string]string {
	m = maps.Clone(m)
	for _, k := range keys {
		delete(m, k)
	}
	if len(m) == 0 {
		return nil
	}
	return m
}
