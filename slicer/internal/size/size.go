// Package size computes how many bytes EndpointSlices are in storage and in watches, in the Kubernetes protobuf encoding.
package size

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Stored is an object's size in storage, where it has no resourceVersion.
func Stored(s *discoveryv1.EndpointSlice) int {
	stored := *s
	stored.ResourceVersion = ""
	return enveloped(stored.Size())
}

// Event is the size of a watch event, its type and the object inside a message, in a frame of four bytes.
func Event(event string, s *discoveryv1.EndpointSlice) int {
	return 4 + fieldSize(len(event)) + fieldSize(fieldSize(enveloped(s.Size())))
}

// enveloped is the size of a message in its envelope, after four bytes that say what follows.
func enveloped(message int) int {
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"}}
	return len("k8s\x00") + envelope.Size() + fieldSize(message)
}

// fieldSize is the size of a protobuf field of n bytes: a tag, the length, and the bytes.
func fieldSize(n int) int {
	size := 2 + n
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}
