package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"maps"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// checkNames returns the mistakes in what names the mirrors.
func checkNames(endpoints *corev1.Endpoints, service *corev1.Service) error {
	if endpoints == nil && service == nil {
		return field.Required(field.NewPath("endpoints"), "give the Endpoints to mirror, or the Service whose Endpoints are gone")
	}
	meta, path := named(endpoints, service)
	var errs []error
	if meta.Namespace == "" {
		errs = append(errs, field.Required(path.Child("namespace"), "mirrors are in the same namespace"))
	}
	if meta.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), "mirrors are found by it"))
	}
	if service != nil && (service.Name != meta.Name || service.Namespace != meta.Namespace) {
		errs = append(errs, field.Invalid(field.NewPath("service", "metadata", "name"), service.Namespace+"/"+service.Name,
			"give the Service of the Endpoints' namespace and name, "+meta.Namespace+"/"+meta.Name+", or nil"))
	}
	return errors.Join(errs...)
}

// named returns the metadata that names the mirrors: the Endpoints', or the Service's if there are no Endpoints.
func named(endpoints *corev1.Endpoints, service *corev1.Service) (*metav1.ObjectMeta, *field.Path) {
	if endpoints != nil {
		return &endpoints.ObjectMeta, field.NewPath("endpoints", "metadata")
	}
	return &service.ObjectMeta, field.NewPath("service", "metadata")
}

// nameSet returns the set of the mirrors with all that is needed to find them.
func nameSet(endpoints *corev1.Endpoints, service *corev1.Service, o Options) slicer.Set {
	meta, _ := named(endpoints, service)
	set := slicer.Set{ManagedBy: o.ManagedBy, Namespace: meta.Namespace, Name: meta.Name}
	shortenKey(&set)
	return set
}

// dress adds to the set all that the mirrors carry: owner, labels and annotations.
func dress(set *slicer.Set, endpoints *corev1.Endpoints, service *corev1.Service, o Options) {
	set.Terminating = endpoints.DeletionTimestamp != nil
	yes := [2]bool{true, true}
	set.Owners = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "Endpoints", Name: endpoints.Name, UID: endpoints.UID,
		Controller: &yes[0], BlockOwnerDeletion: &yes[1],
	}}
	set.Labels = without(endpoints.Labels, endpoint.ReservedLabels[:]...)
	switch value, has := endpoints.Labels[corev1.IsHeadlessService]; {
	case o.asKubernetes() && has:
		put(&set.Labels, corev1.IsHeadlessService, value)
	case o.asKubernetes():
	case service.Spec.ClusterIP == corev1.ClusterIPNone || service.Spec.ClusterIP == "":
		put(&set.Labels, corev1.IsHeadlessService, "")
	}
	set.Annotations = without(endpoints.Annotations, corev1.EndpointsLastChangeTriggerTime, corev1.LastAppliedConfigAnnotation)
}

// computed plans an Input whose owner is at this path of the call.
func computed(in slicer.Input, existing []*discoveryv1.EndpointSlice, owner string) (slicer.Plan, error) {
	plan, err := slicer.Compute(in, existing)
	for i := range plan.Skips {
		s := &plan.Skips[i]
		if fault, ok := s.Err.(*field.Error); ok && s.Reason == slicer.OwnerWithoutUID {
			of := *fault
			of.Field, s.Path, s.Err = owner, owner, &of
		}
	}
	return plan, err
}

// without returns a copy of a map without some keys; nil if no key is left.
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
