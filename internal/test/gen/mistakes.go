package gen

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// Mistaken draws a world and lets the caller make one mistake in it.
func Mistaken(t *rapid.T) World {
	in := Draw(t)
	which := 0
	for range 3 { // of single numbers the small ones are drawn far more often
		which += rapid.IntRange(0, len(mistakes)-1).Draw(t, "mistake")
	}
	mistakes[which%len(mistakes)](&in)
	return in
}

var mistakes = []func(in *World){
	func(in *World) { in.Key.Namespace = "" },
	func(in *World) { in.Key.Namespace = "Not_A_Label" },
	func(in *World) { in.Key.Name = "" },
	func(in *World) { in.Key.Name, in.Key.MatchLabels = "two words", nil },
	func(in *World) { in.Key.ManagedBy = "" },
	func(in *World) { in.Key.ManagedBy = "two words" },
	func(in *World) { in.Key.MatchLabels = map[string]string{"key": "two words"} },
	func(in *World) { in.Meta.Labels = map[string]string{"two words": ""} },
	func(in *World) { in.Meta.Annotations = map[string]string{"two words": ""} },
	func(in *World) {
		in.Meta.OwnerReferences = []metav1.OwnerReference{{Kind: "Service", Name: Name, UID: "1"}}
	},
	func(in *World) {
		in.Meta.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Event", Name: Name, UID: "1"}} // owns nothing
	},
	func(in *World) {
		second := current
		second.UID = "another"
		in.Meta.OwnerReferences = []metav1.OwnerReference{current, second} // two controllers
	},
	func(in *World) { in.Meta.OwnerReferences = make([]metav1.OwnerReference, 101) },
	func(in *World) { in.Options.AddressTypes = []discoveryv1.AddressType{"IPv5"} },
	func(in *World) { in.Options.MaxEndpointsPerSlice = -1 },
	func(in *World) { in.Options.MaxEndpointsPerSlice = 1001 },
	func(in *World) { in.Pending = []slicer.Pending{{Address: "10.0.0.1"}} },
	func(in *World) { in.Hints = hints.Options{Mode: "Nonsense"} },
	func(in *World) { in.Existing = append(slices.Clone(in.Existing), nil) },
	func(in *World) { in.Existing = append(slices.Clone(in.Existing), &discoveryv1.EndpointSlice{}) },
	func(in *World) { addSlice(in, "", Namespace) },
	func(in *World) { addSlice(in, "elsewhere", "other") },
	func(in *World) { addSlice(in, "twice", Namespace); addSlice(in, "twice", Namespace) },
	func(in *World) { addGroup(in, slicer.Group{AddressType: "IPv5"}) },
	func(in *World) { addGroup(in, slicer.Group{}) },
}

func addSlice(in *World, name, namespace string) {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Name = name
	s.Namespace = namespace
	s.Labels = maps.Clone(in.Key.MatchLabels)
	if len(s.Labels) == 0 {
		s.Labels = map[string]string{discoveryv1.LabelServiceName: in.Key.Name}
	}
	in.Existing = append(slices.Clone(in.Existing), s)
}

func addGroup(in *World, g slicer.Group) { in.Groups = append(slices.Clone(in.Groups), g) }

// badPorts are lists of ports that the API server refuses.
var badPorts = []func(in *World){
	func(in *World) { addPorts(in, discoveryv1.EndpointPort{Port: ptr(int32(0))}) },
	func(in *World) { addPorts(in, discoveryv1.EndpointPort{Port: ptr(int32(65536))}) },
	func(in *World) {
		addPorts(in, discoveryv1.EndpointPort{}, discoveryv1.EndpointPort{Name: ptr("")})
	},
	func(in *World) { addPorts(in, discoveryv1.EndpointPort{Name: ptr("Not_A_Label")}) },
	func(in *World) { addPorts(in, discoveryv1.EndpointPort{Protocol: ptr(corev1.Protocol("tcp"))}) },
	func(in *World) { addPorts(in, discoveryv1.EndpointPort{AppProtocol: ptr("")}) },
}

func addPorts(in *World, ports ...discoveryv1.EndpointPort) {
	addGroup(in, slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports,
		Endpoints: Want(discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}})})
}
