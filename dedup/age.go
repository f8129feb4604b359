package dedup

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// age says how new a slice is. It has a version or a time, or neither: the zero value is older than any other.
type age struct {
	version string // a number without leading zeros
	time    time.Time
}

func ageOf(slice *discoveryv1.EndpointSlice) age {
	if version := endpoint.VersionNumber(slice.ResourceVersion); version != "" {
		return age{version: version}
	}
	text := slice.Annotations[corev1.EndpointsLastChangeTriggerTime]
	if text == "" {
		return age{}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return age{}
	}
	return age{time: t}
}

// compare is negative if a is older. It is one total order: any version is newer than any time, because a rule of its own
// for pairs of both kinds would go round in circles.
func (a age) compare(b age) int {
	if a.version != b.version {
		return endpoint.CompareVersions(a.version, b.version)
	}
	return a.time.Compare(b.time)
}
