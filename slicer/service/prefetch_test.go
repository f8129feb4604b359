package service

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestReadPodsPrefetches: Pods whose addresses ascend are not prefetched, except very many; others are from the second block on.
func TestReadPodsPrefetches(t *testing.T) {
	const block = endpoint.PrefetchDistance
	for _, row := range []struct {
		n        int
		address  func(i int) string
		prefetch bool
	}{
		{3 * block, ascending, false},
		{fewInOrder, ascending, false},
		{fewInOrder + 1, ascending, true},
		{block, func(i int) string { return ascending(1000 - i) }, false},
		{block + 1, func(i int) string { return ascending(1000 - i) }, true},
	} {
		svc, m := &corev1.Service{}, &memory{}
		svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
		pods := make([]*corev1.Pod, row.n)
		for i := range pods {
			pods[i] = &corev1.Pod{}
			pods[i].Name, pods[i].Status.PodIPs = fmt.Sprint("web-", i), []corev1.PodIP{{IP: row.address(i)}}
		}
		w := readPods(rulesOf(svc, Options{}), pods, nil, m)
		if len(w.endpoints) != row.n || (m.lists.sink > 0) != row.prefetch {
			t.Errorf("%d Pods: %d endpoints, prefetched: %v, want %v", row.n, len(w.endpoints), m.lists.sink > 0, row.prefetch)
		}
	}
}
