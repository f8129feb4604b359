package slicertest

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	foreignKey   = "example.com/by-somebody-else"
	foreignOwner = types.UID("somebody-else")
)

// people is what other people have put on the API server.
type people struct {
	others            int                                   // slices of their own so far
	kept              map[string]*discoveryv1.EndpointSlice // those slices, by name, as they must stay
	marked, annotated map[types.UID]bool                    // slices of the writer that carry all marks, or the annotation only
	elsewhere         int                                   // writes in the other namespace
}

// mark writes what other people may put on a slice. Whatever mark puts on a slice must be on it as long as it exists.
func (r *replay) mark(s *discoveryv1.EndpointSlice) {
	metav1.SetMetaDataAnnotation(&s.ObjectMeta, foreignKey, "yes")
	if !slices.Contains(s.Finalizers, foreignKey) {
		s.Finalizers = append(s.Finalizers, foreignKey)
	}
	if !slices.ContainsFunc(s.OwnerReferences, isForeign) {
		s.OwnerReferences = append(s.OwnerReferences, metav1.OwnerReference{
			APIVersion: "example.com/v1", Kind: "Audit", Name: "audit", UID: foreignOwner,
		})
	}
	if stored, err := r.api.server.Update(s); err == nil {
		r.people.marked[stored.UID] = true
	}
}

func isForeign(o metav1.OwnerReference) bool { return o.UID == foreignOwner }

// annotate writes an annotation, so that the slice has a resourceVersion that no view shows yet.
func (r *replay) annotate(s *discoveryv1.EndpointSlice) {
	metav1.SetMetaDataAnnotation(&s.ObjectMeta, foreignKey, s.ResourceVersion)
	if stored, err := r.api.server.Update(s); err == nil {
		r.people.annotated[stored.UID] = true
	}
}

// lost says what the slice has lost of its marks; empty: nothing.
func (r *replay) lost(s *discoveryv1.EndpointSlice) string {
	switch {
	case (r.people.marked[s.UID] || r.people.annotated[s.UID]) && s.Annotations[foreignKey] == "":
		return "the annotation"
	case r.people.marked[s.UID] && !slices.Contains(s.Finalizers, foreignKey):
		return "the finalizer"
	case r.people.marked[s.UID] && !slices.ContainsFunc(s.OwnerReferences, isForeign):
		return "the owner"
	}
	return ""
}

// release lets slices go that were deleted and wait for the finalizer only.
func (r *replay) release() {
	for _, s := range r.api.server.Originals() {
		if s.DeletionTimestamp != nil && slices.Contains(s.Finalizers, foreignKey) {
			s = s.DeepCopy()
			s.Finalizers = slices.DeleteFunc(s.Finalizers, func(f string) bool { return f == foreignKey })
			_, _ = r.api.server.Update(s)
		}
	}
}

// collect is the garbage collector, which deletes slices whose owners are all gone.
func (r *replay) collect() {
	if !r.collector {
		return
	}
	for _, s := range r.api.server.Originals() {
		if len(s.OwnerReferences) > 0 && !slices.ContainsFunc(s.OwnerReferences, r.exists) {
			_ = r.api.server.Delete(s.Name, nil)
			r.log.Line("      the garbage collector deletes %s", s.Name)
		}
	}
	r.release()
}

// collectLate has a garbage collector that comes when all is quiet, and reports whether it finds a slice.
func (r *replay) collectLate() bool {
	before := r.api.server.Writes()
	for _, s := range r.own() {
		r.judgeOwners(s)
	}
	r.collector = true
	r.collect()
	return r.api.server.Writes() > before
}

func (r *replay) exists(o metav1.OwnerReference) bool {
	return o.UID == r.world.service.UID || o.UID == foreignOwner || o.Kind != "Service"
}
