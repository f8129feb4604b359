package dedup_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

// sameAddress returns k slices that all have one address, each for a Pod of its own or all for one.
func sameAddress(k int, onePod bool) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, k)
	for i := range list {
		pod := fmt.Sprint("u", i)
		if onePod {
			pod = "u"
		}
		list[i] = slice(fmt.Sprintf("web-%05d", i), "10.0.0.1")
		list[i].Endpoints[0].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod, UID: types.UID(pod)}
		list[i].ResourceVersion = fmt.Sprint(i + 1)
	}
	return list
}
