package slicertest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// This file has the guarantees that are judged when all is quiet, and at the end of a history.

// judgeQuiet judges the slices when all is quiet, or when syncs succeed but do not stop writing.
func (r *replay) judgeQuiet() {
	r.judgeable = true
	if r.log.Silent {
		return
	}
	r.judgeComplete()
	r.judgeStep()
	r.excused, r.collector = false, true
	if writes, _ := r.round(); writes > 0 { // this sync gets the lists in the other order
		r.log.Fail("fixed-point", "a sync with the same lists in another order writes")
	}
}

// judgeComplete compares the published endpoints with the wanted ones. The slices of a Service that
// is not managed may stay as they are.
func (r *replay) judgeComplete() {
	if !r.shownCluster().deleted && !r.shownCluster().isManaged() && !r.kit.Can("Withdraws") {
		return
	}
	wanted := map[pair]Want{}
	for _, w := range r.wanted() {
		wanted[w.pair()] = w
	}
	at, own, empty := map[pair]string{}, r.own(), map[string]string{}
	if r.cluster.deleted && !r.visiting {
		own = slices.DeleteFunc(own, func(s *discoveryv1.EndpointSlice) bool {
			return slices.ContainsFunc(s.OwnerReferences, isForeign) // the garbage collector leaves it
		})
	}
	awaited := r.shownCluster().awaited()
	for _, p := range places(own) {
		if other, twice := at[p.pair]; twice {
			r.log.Fail("once", "%s is in slices %s and %s", p, other, p.slice)
		}
		at[p.pair] = p.slice
		if ref := p.endpoint.TargetRef; ref == nil || !awaited[ref.Name] {
			w, ok := wanted[p.pair]
			r.judgePlace(p, w, ok)
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(wanted), comparePairs) {
		if at[p] == "" && !wanted[p].Optional {
			r.log.Fail("complete", "%s is wanted, and is in no slice", p)
		}
	}
	for _, s := range own {
		if other := empty[groupOf(s)]; len(s.Endpoints) == 0 && other != "" {
			r.log.Fail("tidy", "slices %s and %s have no endpoints, and the same ports", other, s.Name)
		} else if len(s.Endpoints) == 0 {
			empty[groupOf(s)] = s.Name
		}
		if !r.shownCluster().deleted {
			r.judgeSlice(s)
		}
	}
}

// judgePlace compares a published endpoint with what is wanted there, if anything is.
func (r *replay) judgePlace(p place, w Want, isWanted bool) {
	ready := w.Endpoint.Conditions.Ready
	switch {
	case !isWanted:
		r.log.Fail("complete", "%s is in slice %s, and is not wanted", p, p.slice)
		return
	case ready != nil && *ready != *p.endpoint.Conditions.Ready:
		r.log.Fail("complete", "%s is ready=%t in slice %s, and should be ready=%t", p,
			*p.endpoint.Conditions.Ready, p.slice, *ready)
	}
	r.judgeDetails(p, w)
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(a.ports, b.ports))
}

// fresh runs a new instance of the writer on an empty API server, with the same Service, Pods and
// Nodes. The result is judgeable if all became quiet.
func (r *replay) fresh() *replay {
	w := *r.cluster
	f := r.kit.newReplay(&w, r.log.Silenced())
	f.restart()
	f.untilQuiet()
	return f
}

// compareWithFresh compares the slices with those that the same writer makes on an empty API
// server.
func (r *replay) compareWithFresh() {
	if !r.judgeable || r.log.Silent || r.cluster.deleted || !r.cluster.isManaged() || len(r.cluster.awaited()) > 0 {
		return
	}
	f := r.fresh()
	if !f.judgeable {
		return
	}
	own, fresh := r.own(), f.own()
	hints := !shareZones(own) && !shareZones(fresh) && !isTopologyAware(r.cluster.service)
	have, want := texts(own, hints), texts(fresh, hints)
	for _, text := range slices.Sorted(maps.Keys(have)) {
		if !want[text] {
			r.log.Fail("same-as-fresh", "a slice says %s", text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(want)) {
		if !have[text] {
			r.log.Fail("same-as-fresh", "no slice says %s", text)
		}
	}
	r.compareLabels(own, fresh)
}

// shareZones reports whether an endpoint has hints for several zones. The hints may then depend on
// earlier hints.
func shareZones(list []*discoveryv1.EndpointSlice) bool {
	return slices.ContainsFunc(places(list), func(p place) bool {
		return p.endpoint.Hints != nil && len(p.endpoint.Hints.ForZones) > 1
	})
}

// compareLabels checks the labels of each of the writer's slices: some fresh slice with the same
// address type and ports must have the same labels.
func (r *replay) compareLabels(own, fresh []*discoveryv1.EndpointSlice) {
	sets := map[string][]map[string]string{}
	for _, s := range fresh {
		sets[groupOf(s)] = append(sets[groupOf(s)], judgedLabels(s))
	}
	for _, s := range own {
		have, sets := judgedLabels(s), sets[groupOf(s)]
		if len(sets) > 0 && !slices.ContainsFunc(sets,
			func(want map[string]string) bool { return maps.Equal(want, have) }) {
			r.log.Fail("labels", "slice %s has these labels wrong: %v", s.Name, kit.Differences(sets[0], have))
		}
	}
}

// judgedLabels returns the labels of a slice. Only labels of the Service and of Kubernetes keep
// their values, because a writer may number its slices with a label of its own.
func judgedLabels(s *discoveryv1.EndpointSlice) map[string]string {
	judged := map[string]string{}
	for key, value := range s.Labels {
		if domain, _, _ := strings.Cut(key, "/"); key != teamKey && !strings.HasSuffix(domain, "kubernetes.io") &&
			domain != "k8s.io" {
			value = "any"
		}
		judged[key] = value
	}
	return judged
}

func groupOf(s *discoveryv1.EndpointSlice) string {
	return string(s.AddressType) + " " + portsOf(s.Ports)
}

// texts returns the set of the texts of all endpoints in slices, with or without hints.
func texts(list []*discoveryv1.EndpointSlice, hints bool) map[string]bool {
	set := map[string]bool{}
	for _, p := range places(list) {
		if !hints {
			p.endpoint.Hints = nil
		}
		set[p.text()] = true
	}
	return set
}

// judgeDetails compares the fields of a published endpoint, other than address, ports and
// readiness, with those of the wanted endpoint. A field that is set must have the wanted value. A
// field that is missing is judged only if Options.Also asks for it, except the hostname. Unset
// conditions have the values that readers assume.
func (r *replay) judgeDetails(p place, w Want) {
	have := p.endpoint
	want := plain(&w.Endpoint)
	given := w.Endpoint.Conditions
	serving, terminating := *have.Conditions.Serving, *have.Conditions.Terminating
	if given.Serving != nil && serving != *want.Conditions.Serving && (p.serving || terminating) {
		r.log.Fail("nothing-false", "%s says serving=%t by its conditions, which is not so", p, serving)
	}
	if given.Terminating != nil && terminating != *want.Conditions.Terminating {
		r.log.Fail("nothing-false", "%s says terminating=%t by its conditions, which is not so", p, terminating)
	}
	for key, value := range w.Labels {
		if p.labels[key] != value {
			r.log.Fail("labels", "%s is in slice %s with label %s=%s, and should be in one with %s", p, p.slice,
				kit.Word(key), p.labels[key], value)
		}
	}
	for _, d := range []struct {
		feature, name string
		have, want    *string
	}{
		{"Zone", "zone", have.Zone, want.Zone},
		{"NodeName", "nodeName", have.NodeName, want.NodeName},
		{"TargetRef", "targetRef", refOf(have.TargetRef, want.TargetRef), refOf(want.TargetRef, have.TargetRef)},
		{"Hostnames", "hostname", have.Hostname, want.Hostname},
	} {
		switch {
		case d.want == nil, d.have == nil && *d.want == "":
		case d.have != nil && *d.have != *d.want:
			r.log.Fail("nothing-false", "%s says %s %q, and it is %q", p, kit.Word(d.name), *d.have, *d.want)
		case d.have == nil && d.feature == "Hostnames" && r.kit.Can(d.feature):
			r.log.Fail("complete", "%s has no %s", p, kit.Word(d.name))
		case d.have == nil && r.kit.Can(d.feature):
			r.log.Fail("detailed", "%s has no %s", p, kit.Word(d.name))
		}
	}
	r.judgeHints(p, want)
}

// refOf returns kind, namespace and name of a reference as text, and its UID if the other reference
// has a UID as well. It returns nil if there is no reference.
func refOf(ref, other *corev1.ObjectReference) *string {
	if ref == nil {
		return nil
	}
	text := ref.Kind + " " + ref.Namespace + "/" + ref.Name
	if other != nil && ref.UID != "" && other.UID != "" {
		text += " with UID " + string(ref.UID)
	}
	return &text
}

// judgeSlice judges the label and the owner that Kubernetes' own controller puts on a slice.
func (r *replay) judgeSlice(s *discoveryv1.EndpointSlice) {
	svc := r.shownCluster().service
	_, labelled := s.Labels[corev1.IsHeadlessService]
	switch headless := svc.Spec.ClusterIP == corev1.ClusterIPNone; {
	case headless && !labelled && r.kit.Can("HeadlessLabel"):
		r.log.Fail("detailed", "slice %s of a headless Service has no label %s", s.Name,
			kit.Word(corev1.IsHeadlessService))
	case !headless && labelled:
		r.log.Fail("nothing-false", "slice %s of a Service with a cluster IP has label %s", s.Name,
			kit.Word(corev1.IsHeadlessService))
	}
	r.judgeOwners(s)
	owned := slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool { return o.UID == svc.UID })
	if !owned && r.kit.Can("Owner") {
		r.log.Fail("detailed", "slice %s has not the Service as owner, so that it will stay when the Service is "+
			"deleted", s.Name)
	}
}

func (r *replay) judgeOwners(s *discoveryv1.EndpointSlice) {
	for _, o := range s.OwnerReferences {
		if o.Kind == "Service" && o.UID != r.shownCluster().service.UID {
			r.log.Fail("nothing-false", "slice %s has an owner that is gone, and will be deleted with it", s.Name)
		}
	}
}
