package content

import (
	"bytes"
	"cmp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Origin is what decides between slices: the name, and how new the slice is.
type Origin struct {
	Name types.NamespacedName
	Age  Age
}

// OriginOf returns the origin of a slice.
func OriginOf(slice *discoveryv1.EndpointSlice) Origin {
	return Origin{Name: NameOf(slice), Age: AgeOf(slice)}
}

// NameOf returns the namespace and name of a slice.
func NameOf(slice *discoveryv1.EndpointSlice) types.NamespacedName {
	return types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
}

// CompareNames orders by namespace, then by name.
func CompareNames(a, b types.NamespacedName) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// Age says how new a slice is. It has a version, or a time, or neither. The zero value is older
// than all others.
type Age struct {
	version string // a number without leading zeros, of any length
	time    time.Time
}

// AgeOf returns how new a slice is: by its resourceVersion if that is a number, else by its last
// trigger time. For slices of one API server it must agree with sortByVersion of package slicer.
func AgeOf(slice *discoveryv1.EndpointSlice) Age {
	if version := endpoint.VersionNumber(slice.ResourceVersion); version != "" {
		return Age{version: version}
	}
	if text := slice.Annotations[corev1.EndpointsLastChangeTriggerTime]; text != "" {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return Age{time: t}
		}
	}
	return Age{}
}

// Compare is negative if a is older than b. Any version is newer than any time, so that Compare is
// a total order. If some times were newer than some versions, three slices could each be newer than
// the next one in a circle.
func (a *Age) Compare(b *Age) int {
	// Numbers without leading zeros: the longer one is the larger one.
	if c := cmp.Or(cmp.Compare(len(a.version), len(b.version)), strings.Compare(a.version, b.version)); c != 0 {
		return c
	}
	return a.time.Compare(b.time)
}

// Newest returns the newer one of two slices with one name, whatever their order. If they are
// equally new, Newest returns the slice with the smaller encoding.
func Newest(a, b *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	x, _ := a.Marshal() // Marshal of API types does not fail
	y, _ := b.Marshal()
	i, j := AgeOf(a), AgeOf(b)
	if cmp.Or(j.Compare(&i), bytes.Compare(x, y)) == 1 {
		return b
	}
	return a
}

// CompareUsability orders states, the most usable one first: not terminating, then ready, then
// serving.
func CompareUsability(a, b conditions.State) int { return usability(b) - usability(a) }

func usability(s conditions.State) (u int) {
	for i, usable := range [...]bool{s.Serving, s.Ready, !s.Terminating} {
		if usable {
			u |= 1 << i
		}
	}
	return u
}
