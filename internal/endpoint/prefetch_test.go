package endpoint

import (
	"fmt"
	"math/rand"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

// BenchmarkPrefetch compares Pods with the endpoints that publish them, all in other orders than in memory, with and without
// prefetching both.
func BenchmarkPrefetch(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		pods, endpoints := scattered(n)
		for _, prefetch := range []bool{false, true} {
			b.Run(fmt.Sprintf("prefetch=%v/n=%d", prefetch, n), func(b *testing.B) {
				sink := 0
				for b.Loop() {
					same := 0
					for start := 0; start < n; start += PrefetchDistance {
						end := min(start+PrefetchDistance, n)
						if prefetch {
							sink += PrefetchPods(pods[start:end]) + Prefetch(endpoints[start:end])
						}
						for i := start; i < end; i++ {
							if published(pods[i], endpoints[i]) {
								same++
							}
						}
					}
					if same != n {
						b.Fatalf("%d of %d are the same, and %d", same, n, sink)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/endpoint")
			})
		}
	}
}

// TestPrefetchNothing: what is not there is not read.
func TestPrefetchNothing(t *testing.T) {
	PrefetchPods([]*corev1.Pod{nil, {}, {Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady}}}}})
	Prefetch([]*discoveryv1.Endpoint{nil, {}, {TargetRef: &corev1.ObjectReference{}, NodeName: new(string)}})
	PrefetchAddresses([]discoveryv1.Endpoint{{}, {Addresses: []string{""}}})
}

func published(pod *corev1.Pod, e *discoveryv1.Endpoint) bool {
	return pod.DeletionTimestamp == nil && pod.Status.Conditions[0].Status == corev1.ConditionTrue && *e.Conditions.Ready &&
		pod.Status.PodIPs[0].IP == e.Addresses[0] && pod.Spec.NodeName == *e.NodeName &&
		pod.Name == e.TargetRef.Name && pod.UID == e.TargetRef.UID
}

// scattered makes Pods and their endpoints, shuffled.
func scattered(n int) ([]*corev1.Pod, []*discoveryv1.Endpoint) {
	pods, endpoints := make([]*corev1.Pod, n), make([]*discoveryv1.Endpoint, n)
	for i := range pods {
		text := func(format string) string { return fmt.Sprintf(format, i) }
		pods[i], endpoints[i] = &corev1.Pod{}, &discoveryv1.Endpoint{}
		pods[i].Name, pods[i].UID, pods[i].Spec.NodeName = text("web-%d"), types.UID(text("0f3e7a52-9d41-%d")), text("node-%d")
		pods[i].Status.PodIPs = []corev1.PodIP{{IP: text("10.0.%d")}}
		pods[i].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		ready, node := true, text("node-%d")
		endpoints[i].Addresses, endpoints[i].Conditions.Ready, endpoints[i].NodeName = []string{text("10.0.%d")}, &ready, &node
		endpoints[i].TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: text("web-%d"), UID: types.UID(text("0f3e7a52-9d41-%d"))}
	}
	rand.New(rand.NewSource(1)).Shuffle(n, func(i, j int) {
		pods[i], pods[j] = pods[j], pods[i]
		endpoints[i], endpoints[j] = endpoints[j], endpoints[i]
	})
	return pods, endpoints
}
