package service

import (
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

// ahead reports whether it pays to prefetch the next endpoints of a slice and their Pods.
func (m *matcher) ahead() bool {
	n := len(m.w.pods)
	return n > cachedInOrder || n > cached && m.misses >= tooMany
}

// prefetch reads what a slice's endpoints and the Pods that they may be of are compared by.
func (m *matcher) prefetch(endpoints []discoveryv1.Endpoint, guesses []int32) {
	var list [matchAhead]*discoveryv1.Endpoint
	var pods [matchAhead]*corev1.Pod
	for i, guess := range guesses {
		list[i] = &endpoints[i]
		if guess != none {
			pods[i] = m.w.pods[guess]
		}
	}
	m.sink += endpoint.Prefetch(list[:len(guesses)]) + endpoint.PrefetchPods(pods[:len(guesses)]) +
		endpoint.PrefetchIdentities(pods[:len(guesses)])
}

// prefetch reads what is wanted of many Pods, from one on to before another. The sum is for nobody to read.
func (l *workloads) prefetch(start, end int) int {
	if len(l.pods) <= cached {
		return 0
	}
	return endpoint.PrefetchPods(l.pods[start:end])
}

// prefetchNames reads the names of many Pods.
func (l *workloads) prefetchNames(start int) int {
	if len(l.pods) <= cached || start%endpoint.PrefetchDistance != 0 {
		return 0
	}
	return endpoint.PrefetchNames(l.pods[start:min(start+endpoint.PrefetchDistance, len(l.pods))])
}
