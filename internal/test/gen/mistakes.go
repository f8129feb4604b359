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
func Mistaken(t *rapid.T) Case {
	in := Draw(t)
	which := 0
	for range 3 { // of single numbers the small ones are drawn far more often
		which += rapid.IntRange(0, len(mistakes)-1).Draw(t, "mistake")
	}
	mistakes[which%len(mistakes)](&in)
	return in
}

var mistakes = []func(in *Case){
	func(in *Case) { in.Key.Namespace = "" },
	func(in *Case) { in.Key.Namespace = "Not_A_Label" },
	func(in *Case) { in.Key.Name = "" },
	func(in *Case) { in.Key.Name, in.Key.MatchLabels = "two words", nil },
	func(in *Case) { in.Key.ManagedBy = "" },
	func(in *Case) { in.Key.ManagedBy = "two words" },
	func(in *Case) { in.Key.MatchLabels = map[string]string{"key": "two words"} },
	func(in *Case) { in.Meta.Labels = map[string]string{"two words": ""} },
	func(in *Case) { in.Meta.Annotations = map[string]string{"two words": ""} },
	func(in *Case) {
		in.Meta.OwnerReferences = []metav1.OwnerReference{{Kind: "Service", Name: Name, UID: "1"}}
	},
	func(in *Case) {
		in.Meta.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Event", Name: Name, UID: "1"}} // owns nothing
	},
	func(in *Case) {
		second := current
		second.UID = "another"
		in.Meta.OwnerReferences = []metav1.OwnerReference{current, second} // two controllers
	},
	func(in *Case) { in.Meta.OwnerReferences = make([]metav1.OwnerReference, 101) },
	func(in *Case) { in.Options.AddressTypes = []discoveryv1.AddressType{"IPv5"} },
	func(in *Case) { in.Options.MaxEndpointsPerSlice = -1 },
	func(in *Case) { in.Options.MaxEndpointsPerSlice = 1001 },
	func(in *Case) { in.Pending = []slicer.Pending{{Address: "10.0.0.1"}} },
	func(in *Case) { in.Hints = hints.Options{Mode: "Nonsense"} },
	func(in *Case) { in.Existing = append(slices.Clone(in.Existing), nil) },
	func(in *Case) { in.Existing = append(slices.Clone(in.Existing), &discoveryv1.EndpointSlice{}) },
	func(in *Case) { addSlice(in, "", Namespace) },
	func(in *Case) { addSlice(in, "elsewhere", "other") },
	func(in *Case) { addSlice(in, "twice", Namespace); addSlice(in, "twice", Namespace) },
	func(in *Case) { addGroup(in, slicer.Group{AddressType: "IPv5"}) },
	func(in *Case) { addGroup(in, slicer.Group{}) },
}

func addSlice(in *Case, name, namespace string) {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Name = name
	s.Namespace = namespace
	s.Labels = maps.Clone(in.Key.MatchLabels)
	if len(s.Labels) == 0 {
		s.Labels = map[string]string{discoveryv1.LabelServiceName: in.Key.Name}
	}
	in.Existing = append(slices.Clone(in.Existing), s)
}

func addGroup(in *Case, g slicer.Group) { in.Groups = append(slices.Clone(in.Groups), g) }

// badPorts are lists of ports that the API server refuses.
var badPorts = []func(in *Case){
	func(in *Case) { addPorts(in, discoveryv1.EndpointPort{Port: ptr(int32(0))}) },
	func(in *Case) { addPorts(in, discoveryv1.EndpointPort{Port: ptr(int32(65536))}) },
	func(in *Case) {
		addPorts(in, discoveryv1.EndpointPort{}, discoveryv1.EndpointPort{Name: ptr("")})
	},
	func(in *Case) { addPorts(in, discoveryv1.EndpointPort{Name: ptr("Not_A_Label")}) },
	func(in *Case) { addPorts(in, discoveryv1.EndpointPort{Protocol: ptr(corev1.Protocol("tcp"))}) },
	func(in *Case) { addPorts(in, discoveryv1.EndpointPort{AppProtocol: ptr("")}) },
}

func addPorts(in *Case, ports ...discoveryv1.EndpointPort) {
	addGroup(in, slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports,
		Endpoints: Want(discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}})})
}
