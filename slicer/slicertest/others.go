package slicertest

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/notation"
)

// sliceEvents are writes of other clients, and slices that an older version or a second instance of
// the writer may have left. Only the events that delete a slice remove endpoints.
var sliceEvents = []event{
	{"foreign", []string{"Others"}, publishForeign},
	{"elsewhere", []string{"Namespaces"}, publishElsewhere},
	{"delete", []string{"Others"}, onSlice("another client deletes %s", func(r *replay, s *discoveryv1.EndpointSlice) {
		_ = r.api.server.Delete(s.Name, nil)
		r.excused = true
	})},
	{"delete-slowly", []string{"SlowDeletes"}, func(r *replay, n int) string {
		r.people.hold = 2 + n%3
		return onSlice("another client deletes slice %s, which a finalizer keeps for some syncs", deleteSlowly)(r, n)
	}},
	{"copy", []string{"Leftovers"}, onSlice("there is slice %s twice", func(r *replay, s *discoveryv1.EndpointSlice) {
		c := s.DeepCopy()
		c.Name = s.Name + "-again"
		c.UID = ""
		c.ResourceVersion = ""
		c.GenerateName = ""
		c.Annotations = nil
		c.Finalizers = nil
		c.OwnerReferences = slices.DeleteFunc(c.OwnerReferences, isForeign)
		_, _ = r.api.server.Create(c)
	})},
	{"older-version", []string{"Leftovers"}, func(r *replay, _ int) string {
		own := r.own()
		for _, s := range own {
			slices.Reverse(s.Ports)
			slices.Reverse(s.Endpoints)
			for i := range s.Endpoints {
				e := &s.Endpoints[i]
				e.NodeName = nil
				e.Zone = nil
				e.Conditions.Serving = nil
				e.Conditions.Terminating = nil
			}
			_, _ = r.api.server.Update(s)
		}
		return when(len(own) > 0, "an older version has written all slices, without nodeName, zone, serving and "+
			"terminating")
	}},
	{"join", []string{"Oversized"}, joinSlices},
}

// onSlice returns the function of an event that changes one of the writer's slices. text describes
// the event.
func onSlice(text string, do func(*replay, *discoveryv1.EndpointSlice)) func(*replay, int) string {
	return func(r *replay, n int) string {
		own := r.own()
		if len(own) == 0 {
			return ""
		}
		s := own[n%len(own)]
		do(r, s)
		return fmt.Sprintf(text, s.Name)
	}
}

func deleteSlowly(r *replay, s *discoveryv1.EndpointSlice) {
	r.excused = true
	if !slices.Contains(s.Finalizers, foreignKey) {
		s.Finalizers = append(s.Finalizers, foreignKey)
	}
	if _, err := r.api.server.Update(s); err == nil {
		_ = r.api.server.Delete(s.Name, nil)
	}
}

// publishElsewhere creates a Service of the same name in another namespace, for which the writer is
// called as well from then on. An older version may have left a slice for it, which has the name of
// one of the writer's slices.
func publishElsewhere(r *replay, n int) string {
	if r.cluster.beside != nil {
		return ""
	}
	w := newCluster()
	w.service.Namespace, w.service.Name = otherNamespace, r.cluster.service.Name
	w.service.UID = "service-of-bank"
	w.made = 500 // so that the Pod has another address
	w.addPod(portNumber).Namespace = otherNamespace
	r.cluster.beside = w
	text := fmt.Sprintf("a Service of the same name is in namespace %s", otherNamespace)
	if n%2 == 1 {
		return text
	}
	s := strange(otherNamespace, "web-of-bank", w.service.Name, r.kit.ManagedBy, "192.168.1.1")
	s.Labels[r.kit.NameLabel] = w.service.Name
	if own := r.own(); len(own) > 0 {
		s.Name = own[n%len(own)].Name
	}
	_, err := r.api.elsewhere.Create(s)
	r.people.elsewhere = r.api.elsewhere.Writes()
	return when(err == nil, "%s, and has slice %s", text, s.Name)
}

// publishForeign creates a slice that has room for more endpoints and is not the writer's: a slice
// of another manager for the same Service, or of the same manager for another Service.
func publishForeign(r *replay, n int) string {
	r.people.others++
	service := r.cluster.service.Name
	manager := otherManager
	name := "http"
	number := int32(portNumber)
	if n%2 == 1 && r.kit.ManagedBy != "" {
		service, manager = "other", r.kit.ManagedBy
	}
	address := fmt.Sprintf("192.168.0.%d", r.people.others)
	s := strange(namespace, fmt.Sprintf("other-%d", r.people.others), service, manager, address)
	s.Labels[r.kit.NameLabel] = service
	s.Ports = []discoveryv1.EndpointPort{{Name: &name, Port: &number}}
	stored, _ := r.api.server.Create(s) // it is valid
	r.people.kept[stored.Name] = stored
	return "another manager publishes slice " + stored.Name
}

// strange returns a slice that is not the writer's.
func strange(namespace, name, service, manager, address string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Namespace, s.Name = namespace, name
	s.Labels = map[string]string{discoveryv1.LabelServiceName: service, discoveryv1.LabelManagedBy: manager}
	s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{address}}}
	return s
}

// joinSlices moves the endpoints of slices with the same ports and labels into the first of these
// slices.
func joinSlices(r *replay, _ int) string {
	first, joined := map[string]*discoveryv1.EndpointSlice{}, false
	for _, s := range r.own() {
		key := fmt.Sprint(s.AddressType, notation.Ports(s.Ports), s.Labels)
		if first[key] == nil {
			first[key] = s
			continue
		}
		into := first[key]
		into.Endpoints = append(into.Endpoints, s.Endpoints...)
		if stored, err := r.api.server.Update(into); err == nil {
			first[key], joined = stored, true
			_ = r.api.server.Delete(s.Name, nil)
			r.people.joined = r.api.server.Writes()
		}
	}
	return when(joined, "slices of an older version are above the maximum")
}

const (
	foreignKey   = "example.com/by-somebody-else"
	foreignOwner = types.UID("somebody-else")
)

// people has the writes of other clients.
type people struct {
	others    int                                   // the number of slices that they have published
	kept      map[string]*discoveryv1.EndpointSlice // by name: these slices, which must not change
	marked    map[types.UID]bool                    // the writer's slices with the annotation; true if with all marks
	elsewhere int                                   // the number of writes in the other namespace
	joined    int                                   // the last write of an older version that has joined slices
	hold      int                                   // syncs until the finalizers of deleted slices are removed
}

// mark adds an annotation, a finalizer and an owner of another client to a slice. These marks must
// stay as long as the slice exists.
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
	if stored, err := r.api.server.Update(s); err == nil && !r.people.marked[stored.UID] {
		r.people.marked[stored.UID] = false
	}
}

// lost returns the name of a mark that the slice has lost, or "" if it has all its marks.
func (r *replay) lost(s *discoveryv1.EndpointSlice) string {
	all, some := r.people.marked[s.UID]
	switch {
	case some && s.Annotations[foreignKey] == "":
		return "the annotation"
	case all && !slices.Contains(s.Finalizers, foreignKey):
		return "the finalizer"
	case all && !slices.ContainsFunc(s.OwnerReferences, isForeign):
		return "the owner"
	}
	return ""
}

// release removes the finalizer of slices that were deleted. It reports whether there are such
// slices.
func (r *replay) release() (found bool) {
	if r.people.hold > 0 {
		return false
	}
	for _, s := range r.api.server.Originals() {
		if s.DeletionTimestamp != nil && slices.Contains(s.Finalizers, foreignKey) {
			s = s.DeepCopy()
			s.Finalizers = slices.DeleteFunc(s.Finalizers, func(f string) bool { return f == foreignKey })
			_, err := r.api.server.Update(s)
			found = found || err == nil
		}
	}
	return found
}

// releaseLate removes the finalizer of deleted slices when all is quiet. By then, the writer must
// have published their endpoints in other slices. It reports whether there are such slices.
func (r *replay) releaseLate() bool {
	if r.people.hold == 0 {
		return false
	}
	r.people.hold = 0
	if !slices.ContainsFunc(r.api.server.Originals(),
		func(s *discoveryv1.EndpointSlice) bool { return s.DeletionTimestamp != nil }) {
		return false
	}
	if !r.log.Silent {
		r.judgeComplete()
	}
	return r.release()
}

// collect does the work of the garbage collector, unless it is late: it deletes slices if none of
// their owners exists.
func (r *replay) collect() {
	for _, s := range r.api.server.Originals() {
		if r.collector && len(s.OwnerReferences) > 0 && !slices.ContainsFunc(s.OwnerReferences, r.exists) {
			_ = r.api.server.Delete(s.Name, nil)
			r.log.Line("      the garbage collector deletes %s", s.Name)
		}
	}
	r.people.hold = max(0, r.people.hold-1)
	r.release()
}

// collectLate runs the garbage collector when all is quiet, if it was late, and reports whether it
// has written.
func (r *replay) collectLate() bool {
	if r.collector {
		return false
	}
	before := r.api.server.Writes()
	for _, s := range r.own() {
		if !r.cluster.deleted && r.cluster.isManaged() {
			r.judgeOwners(s)
		}
	}
	r.collector = true
	r.collect()
	return r.api.server.Writes() > before
}

func (r *replay) exists(o metav1.OwnerReference) bool {
	return o.UID == r.cluster.service.UID && !r.cluster.deleted || o.UID == foreignOwner || o.Kind != "Service"
}
