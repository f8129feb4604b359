package slicertest

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
)

// What other people do to slices, and what an older version or a second instance of the writer may have left. Nothing of it takes
// away an endpoint, except the deletion of a slice.

// publishElsewhere has a Service of the same name in another namespace, with slices that look like the writer's.
func publishElsewhere(r *replay, n int) string {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Namespace, s.Name = otherNamespace, "web-of-bank"
	if own := r.one(n); own != nil {
		s.Name = own.Name
	}
	s.Labels = map[string]string{discoveryv1.LabelServiceName: r.world.service.Name, discoveryv1.LabelManagedBy: r.kit.ManagedBy}
	s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"192.168.1.1"}}}
	_, err := r.api.elsewhere.Create(s)
	r.people.elsewhere = r.api.elsewhere.Writes()
	return when(err == nil, "a Service of the same name in namespace %s has slice %s", otherNamespace, s.Name)
}

func deleteOne(r *replay, n int) string {
	s := r.one(n)
	if s == nil {
		return ""
	}
	_ = r.api.server.Delete(s.Name, nil)
	r.excused = true
	return "somebody deletes slice " + s.Name
}

func markAll(r *replay, _ int) string {
	for _, s := range r.copies() {
		r.mark(s)
	}
	return when(len(r.own()) > 0, "somebody puts an annotation, a finalizer and an owner on all slices")
}

func copyOne(r *replay, n int) string {
	s := r.one(n)
	if s == nil {
		return ""
	}
	name := s.Name
	clearServerFields(s)
	s.Name = name + "-again"
	_, _ = r.api.server.Create(s)
	return "there is slice " + name + " twice"
}

func writeAsOlderVersion(r *replay, _ int) string {
	for _, s := range r.copies() {
		slices.Reverse(s.Ports)
		slices.Reverse(s.Endpoints)
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			e.NodeName, e.Zone, e.Conditions.Serving, e.Conditions.Terminating = nil, nil, nil, nil
		}
		_, _ = r.api.server.Update(s)
	}
	return when(len(r.own()) > 0, "an older version has written all slices, without nodeName, zone, serving and terminating")
}

// one returns a copy of one of the writer's slices, nil if it has none.
func (r *replay) one(n int) *discoveryv1.EndpointSlice {
	own := r.copies()
	if len(own) == 0 {
		return nil
	}
	return own[n%len(own)]
}

// clearServerFields clears what the API server sets, and what other people put on a slice.
func clearServerFields(s *discoveryv1.EndpointSlice) {
	s.UID, s.ResourceVersion, s.GenerateName, s.Annotations, s.Finalizers = "", "", "", nil, nil
	s.OwnerReferences = slices.DeleteFunc(s.OwnerReferences, isForeign)
}

// publishForeign puts a slice with a free place beside the writer's own: one of another manager for the same Service, or one of
// the same manager for another Service.
func publishForeign(r *replay, n int) string {
	r.people.others++
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Namespace, s.Name = namespace, fmt.Sprintf("other-%d", r.people.others)
	s.Labels = map[string]string{
		discoveryv1.LabelServiceName: r.world.service.Name, discoveryv1.LabelManagedBy: otherManager,
	}
	if n%2 == 1 && r.kit.ManagedBy != "" {
		s.Labels[discoveryv1.LabelServiceName], s.Labels[discoveryv1.LabelManagedBy] = "other", r.kit.ManagedBy
	}
	name, number := "http", int32(portNumber)
	s.Ports = []discoveryv1.EndpointPort{{Name: &name, Port: &number}}
	s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{fmt.Sprintf("192.168.0.%d", r.people.others)}}}
	stored, err := r.api.server.Create(s)
	if err != nil {
		panic(err) // the kit's own slices are valid
	}
	r.people.kept[stored.Name] = stored
	return "somebody else publishes slice " + stored.Name
}

// joinSlices puts the endpoints of slices with the same ports and labels into the first of them.
func joinSlices(r *replay, _ int) string {
	first, joined := map[string]*discoveryv1.EndpointSlice{}, false
	for _, s := range r.copies() {
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
		}
	}
	return when(joined, "slices of an older version are above the maximum")
}
