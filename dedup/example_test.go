package dedup_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

var webHTTP = dedup.ServicePort{
	Service: types.NamespacedName{Namespace: "default", Name: "web"}, Port: "http", Protocol: corev1.ProtocolTCP,
}

func ExampleMerge() {
	view := dedup.Merge([]*discoveryv1.EndpointSlice{
		slice("web-b", "10.0.0.10", "10.0.0.2"),
		slice("web-a", "10.0.0.2", "10.0.0.1"), // 10.0.0.2 is on its way from one slice to the other
	}, dedup.Options{})
	for e := range view.Endpoints(webHTTP) {
		fmt.Println(e, "from", e.Slice)
	}
	// Output:
	// 10.0.0.1:8080 from web-a
	// 10.0.0.2:8080 from web-a
	// 10.0.0.10:8080 from web-b
}

func ExampleNewIndex() {
	ix, err := dedup.NewIndex(dedup.Options{AllAddresses: true})
	if err != nil {
		fmt.Println(err) // an option that this version does not know
		return
	}
	ix.Replace([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), slice("web-b", "10.0.0.2")})
	changes, _ := ix.Flush()
	fmt.Println(changes.Appeared, changes.Gone, changes.Ports)

	ix.Upsert(slice("web-b", "10.0.0.1")) // both slices hold it now
	changes, _ = ix.Flush()
	fmt.Println(changes.Appeared, changes.Gone, changes.Ports)

	ix.Delete("default", "web-a")
	ix.Delete("default", "web-b")
	changes, problems := ix.Flush()
	fmt.Println(changes.Appeared, changes.Gone, changes.Ports)
	fmt.Println(len(problems), "problems of the last flush")
	// Output:
	// [default/web] [] [default/web:http/TCP appeared +10.0.0.1:8080 +10.0.0.2:8080]
	// [] [] [default/web:http/TCP -10.0.0.2:8080]
	// [] [default/web] [default/web:http/TCP gone -10.0.0.1:8080]
	// 0 problems of the last flush
}

// Handlers of an informer call it with what they get. One Flush for each push is enough.
func ExampleIndex_Handle() {
	var ix dedup.Index
	old, changed := slice("web-a", "10.0.0.1"), slice("web-a", "10.0.0.2")
	fmt.Println(ix.Handle(nil, old), ix.Handle(old, changed))
	changes, _ := ix.Flush()
	fmt.Println(changes.Ports)
	fmt.Println(ix.Handle(changed, nil), ix.Handle("no slice", nil))
	changes, problems := ix.Flush()
	fmt.Println(changes.Gone, problems[0].Reason)
	// Output:
	// true true
	// [default/web:http/TCP appeared +10.0.0.2:8080]
	// true true
	// [default/web] NoSlice
}

// What was skipped is for a log; the rest is good.
func ExampleProblems() {
	found, problems := dedup.OnePort([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1", "10.0.0.300")},
		dedup.PortOptions{Port: "http"})
	fmt.Println(len(found), problems)
	// Output: 1 default/web-a: endpoints[1].addresses[0]: Invalid value: "10.0.0.300": must be an address of the slice's type
}

func ExampleView_ByTarget() {
	pod := &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web-1", UID: "u1"}
	v4, v6 := slice("web-4", "10.0.0.1"), slice("web-6", "fd00::1")
	v6.AddressType = discoveryv1.AddressTypeIPv6
	v4.Endpoints[0].TargetRef, v6.Endpoints[0].TargetRef = pod, pod
	view := dedup.Merge([]*discoveryv1.EndpointSlice{v4, v6}, dedup.Options{})
	for group := range view.ByTarget(webHTTP.Service) {
		fmt.Println(group[0].Endpoint.Target.Name, "has", len(group), "addresses")
	}
	// Output: web-1 has 2 addresses
}

func ExampleView_Conflicts() {
	gone := slice("web-a", "10.0.0.1")
	gone.Endpoints[0].Conditions = discoveryv1.EndpointConditions{Ready: ptr(false), Terminating: ptr(true)}
	view := dedup.Merge([]*discoveryv1.EndpointSlice{gone, slice("web-b", "10.0.0.1")}, dedup.Options{})
	for c := range view.Conflicts() {
		fmt.Println(c)
	}
	// Output: default/web:http/TCP 10.0.0.1:8080: web-b over web-a (Terminating: conditions)
}

func ExampleResolvePort() {
	s := slice("web-a")
	s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("all")})
	fmt.Println(dedup.ResolvePort(s, "http", corev1.ProtocolTCP))
	fmt.Println(dedup.ResolvePort(s, "http", corev1.ProtocolUDP))
	fmt.Println(dedup.ResolvePort(s, "all", ""))
	fmt.Println(dedup.ResolvePort(nil, "http", ""))
	// Output:
	// 8080 MatchNumber
	// 0 NoProtocol
	// 0 MatchAny
	// 0 NoPorts
}
