package slicertest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/kit"
)

// What is judged when all is quiet, and at the end of a history.

// judgeQuiet judges what is published when all is quiet, or when syncs succeed and nevertheless go on to write.
func (r *replay) judgeQuiet() {
	r.judgeable = true
	if r.log.Silent {
		return
	}
	r.judgeComplete()
	r.judgeStep()
	r.excused, r.collector = false, true
	if writes, _ := r.round(); writes > 0 { // the lists are in the other order now
		r.fail("fixed-point", "a sync with the same lists in another order writes")
	}
}

// judgeComplete compares what is published with what is wanted.
func (r *replay) judgeComplete() {
	wanted := map[pair]Want{}
	for _, w := range r.kit.Options.Want(State{Service: r.world.service, Pods: r.world.pods, Nodes: r.world.nodes, Own: r.own()}) {
		wanted[w.pair()] = w
	}
	at := map[pair]string{}
	for _, p := range places(r.own()) {
		if other, twice := at[p.pair]; twice {
			r.fail("once", "%s is in slices %s and %s", p, other, p.slice)
		}
		at[p.pair] = p.slice
		w, ok := wanted[p.pair]
		ready := w.Endpoint.Conditions.Ready
		switch {
		case !ok:
			r.fail("complete", "%s is in slice %s, and is not wanted", p, p.slice)
			continue
		case ready != nil && *ready != *p.endpoint.Conditions.Ready:
			r.fail("complete", "%s is ready=%t in slice %s, and should be ready=%t", p, *p.endpoint.Conditions.Ready, p.slice, *ready)
		}
		r.judgeDetails(p, w)
	}
	for _, p := range slices.SortedFunc(maps.Keys(wanted), comparePairs) {
		if at[p] == "" && !wanted[p].Optional {
			r.fail("complete", "%s is wanted, and is in no slice", p)
		}
	}
	for _, s := range r.own() {
		r.judgeSlice(s)
	}
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(a.ports, b.ports))
}

// fresh is a writer of its own on an empty API server, in the same world; nil when that never becomes quiet.
func (r *replay) fresh() *replay {
	w := *r.world
	f := r.kit.newReplay(&w, &kit.Log{Silent: true})
	f.restart()
	f.untilQuiet()
	if !f.judgeable {
		return nil
	}
	return f
}

// compareWithFresh compares what the slices say with what the same writer says on an empty API server.
func (r *replay) compareWithFresh() {
	if !r.judgeable || r.log.Silent {
		return
	}
	f := r.fresh()
	if f == nil {
		return
	}
	have, want := texts(r.own()), texts(f.own())
	for _, text := range slices.Sorted(maps.Keys(have)) {
		if !want[text] {
			r.fail("same-as-fresh", "a slice says %s", text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(want)) {
		if !have[text] {
			r.fail("same-as-fresh", "no slice says %s", text)
		}
	}
	r.compareLabels(f.own())
}

// compareLabels compares the sets of label sets of slices with the same address type and ports.
func (r *replay) compareLabels(fresh []*discoveryv1.EndpointSlice) {
	sets := map[string][]map[string]string{}
	for _, s := range fresh {
		sets[groupOf(s)] = append(sets[groupOf(s)], judgedLabels(s))
	}
	for _, s := range r.own() {
		have, sets := judgedLabels(s), sets[groupOf(s)]
		if len(sets) > 0 && !slices.ContainsFunc(sets, func(want map[string]string) bool { return maps.Equal(want, have) }) {
			r.fail("labels", "slice %s has these labels wrong: %v", s.Name, notation.Differences(sets[0], have))
		}
	}
}

// judgedLabels are the labels of a slice, without the values of those that are neither the Service's nor Kubernetes': a writer
// may number its slices.
func judgedLabels(s *discoveryv1.EndpointSlice) map[string]string {
	judged := map[string]string{}
	for key, value := range s.Labels {
		if domain, _, _ := strings.Cut(key, "/"); key != teamKey && !strings.HasSuffix(domain, "kubernetes.io") && domain != "k8s.io" {
			value = "any"
		}
		judged[key] = value
	}
	return judged
}

func groupOf(s *discoveryv1.EndpointSlice) string {
	return string(s.AddressType) + " " + portsOf(s.Ports)
}

// texts is the set of all that slices say of endpoints.
func texts(list []*discoveryv1.EndpointSlice) map[string]bool {
	set := map[string]bool{}
	for _, p := range places(list) {
		set[p.text()] = true
	}
	return set
}
