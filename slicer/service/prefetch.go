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
	// matchAhead is how many endpoints to prefetch with their Pods: half as many as of one kind alone.
	matchAhead = endpoint.PrefetchDistance / 2
)

// scattered reports whether the Pods of a slice lie all over memory. Those in the order of the slices do not.
func (m *matcher) scattered() bool { return len(m.w.pods) > cached && m.misses >= tooMany }

// prefetchKeys reads what a slice's endpoints are found by.
func (m *matcher) prefetchKeys(endpoints []discoveryv1.Endpoint) {
	if m.scattered() {
		endpoint.PrefetchTexts(endpoints, m.finder.keyOf)
	}
}

// prefetchGuesses reads what a slice's endpoints and the Pods that they may be of are compared by.
func (m *matcher) prefetchGuesses(endpoints []discoveryv1.Endpoint, guesses []int32) {
	if !m.scattered() {
		return
	}
	var list [matchAhead]*discoveryv1.Endpoint
	var pods [matchAhead]*corev1.Pod
	for i, guess := range guesses {
		list[i] = &endpoints[i]
		if guess != none {
			pods[i] = m.w.pods[guess]
		}
	}
	n := len(guesses)
	endpoint.Prefetch(list[:n])
	endpoint.PrefetchPods(pods[:n])
	endpoint.PrefetchIdentities(pods[:n])
}

// block returns the Pods from one on that are to be prefetched: a block at a time, where there are many Pods in all.
func (l *workloads) block(start int) []*corev1.Pod {
	if start%endpoint.PrefetchDistance != 0 || len(l.pods) <= cached {
		return nil
	}
	return l.pods[start:min(start+endpoint.PrefetchDistance, len(l.pods))]
}

// prefetchNames reads the names of the next Pods.
func (f *finder) prefetchNames(start int) {
	if pods := f.of.block(start); pods != nil {
		endpoint.PrefetchTexts(pods, func(pod **corev1.Pod) string {
			if *pod == nil {
				return ""
			}
			return (*pod).Name
		})
	}
}

// prefetchRest reads what is wanted of the next Pods.
func (r *reader) prefetchRest(start int, all []seen) {
	if pods := r.restOf(start, all); pods != nil {
		endpoint.PrefetchPods(pods)
	}
}

// restOf returns the next Pods, unless one of them is done.
func (l *workloads) restOf(start int, all []seen) []*corev1.Pod {
	pods := l.block(start)
	if slices.Contains(all[start:start+len(pods)], seen{done: allFamilies}) {
		return nil
	}
	return pods
}
