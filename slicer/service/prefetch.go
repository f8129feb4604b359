package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

const (
	// cached is about how many Pods fit the cache of one core, so that it does not pay to prefetch them.
	cached = 4096
	// cachedInOrder is the same for Pods in the order of the slices, as they lie in memory then.
	cachedInOrder = 1 << 15
	// matchAhead is how many endpoints to prefetch with their Pods: half as many as of one kind alone.
	matchAhead = endpoint.PrefetchDistance / 2
)

// prefetchKeys reads what a slice's endpoints are found by; and if they are expected to be in order, also what they are compared
// by, and the Pods at the cursor.
func (m *matcher) prefetchKeys(endpoints []discoveryv1.Endpoint) {
	pods := m.w.pods
	switch {
	case len(pods) > cached && m.misses >= tooMany:
		m.sink += endpoint.PrefetchTargets(endpoints)
	case len(pods) > cachedInOrder && m.misses < tooMany:
		m.prefetch(endpoints, pods[m.cursor:min(int(m.cursor)+len(endpoints), len(pods))])
	}
}

// prefetchGuesses reads what a slice's endpoints and the Pods that they may be of are compared by.
func (m *matcher) prefetchGuesses(endpoints []discoveryv1.Endpoint, guesses []int32) {
	if len(m.w.pods) <= cached || m.misses < tooMany {
		return
	}
	var pods [matchAhead]*corev1.Pod
	for i, guess := range guesses {
		if guess != none {
			pods[i] = m.w.pods[guess]
		}
	}
	m.prefetch(endpoints, pods[:len(guesses)])
}

func (m *matcher) prefetch(endpoints []discoveryv1.Endpoint, pods []*corev1.Pod) {
	var list [matchAhead]*discoveryv1.Endpoint
	for i := range endpoints {
		list[i] = &endpoints[i]
	}
	m.sink += endpoint.Prefetch(list[:len(endpoints)]) + endpoint.PrefetchPods(pods) + endpoint.PrefetchIdentities(pods)
}

// prefetchRest reads many Pods of which none is done.
func (m *matcher) prefetchRest(start int, block []seen) {
	if !slices.Contains(block, seen{done: allFamilies}) {
		m.w.sink += m.w.prefetchPods(start, endpoint.PrefetchPods)
	}
}

// prefetchFrom reads what is wanted of many Pods, a block at a time.
func (r *reader) prefetchFrom(start int) {
	if start%endpoint.PrefetchDistance == 0 {
		r.sink += r.prefetchPods(start, endpoint.PrefetchPods)
	}
}

// prefetchNames reads the names of many Pods, a block at a time.
func (f *finder) prefetchNames(start int) {
	if start%endpoint.PrefetchDistance == 0 {
		f.sink += f.of.prefetchPods(start, endpoint.PrefetchNames)
	}
}

// prefetchPods reads something of the next Pods, if there are many in all. The sum is for nobody to read.
func (l *workloads) prefetchPods(start int, read func([]*corev1.Pod) int) int {
	if len(l.pods) <= cached {
		return 0
	}
	return read(l.pods[start:min(start+endpoint.PrefetchDistance, len(l.pods))])
}
