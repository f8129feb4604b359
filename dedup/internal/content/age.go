package content

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Age says how new a slice is. It has a version or a time, or neither: the zero value is older than any other.
type Age struct {
	version string // a number without leading zeros
	time    time.Time
}

// AgeOf reads how new a slice is: by its resourceVersion if that is a number, else by its last trigger time.
func AgeOf(slice *discoveryv1.EndpointSlice) Age {
	if version := endpoint.VersionNumber(slice.ResourceVersion); version != "" {
		return Age{version: version}
	}
	text := slice.Annotations[corev1.EndpointsLastChangeTriggerTime]
	if text == "" {
		return Age{}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return Age{}
	}
	return Age{time: t}
}

// Compare is negative if a is older. It is one total order: any version is newer than any time, because a rule of its own
// for pairs of both kinds would go round in circles.
func (a Age) Compare(b Age) int {
	if a.version != b.version {
		return endpoint.CompareVersions(a.version, b.version)
	}
	return a.time.Compare(b.time)
}

// Newest chooses between two slices of one name, whatever their order: the newer one, and of equally new ones the one with the
// smaller encoding.
func Newest(a, b *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	switch c := AgeOf(a).Compare(AgeOf(b)); {
	case c > 0:
		return a
	case c < 0:
		return b
	}
	x, errX := a.Marshal()
	y, errY := b.Marshal()
	if errX == nil && (errY != nil || string(x) <= string(y)) {
		return a
	}
	return b
}
