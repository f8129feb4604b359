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

// OriginOf is the origin that a slice is.
func OriginOf(slice *discoveryv1.EndpointSlice) Origin {
	return Origin{Name: NameOf(slice), Age: AgeOf(slice)}
}

// Target is what an endpoint stands for.
type Target struct {
	Kind, Namespace, Name string
	UID                   types.UID
}

// TargetOf is the target that an endpoint of a slice names; zero for none.
func TargetOf(e *discoveryv1.Endpoint) Target {
	if t := e.TargetRef; t != nil {
		return Target{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, UID: t.UID}
	}
	return Target{}
}

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
	if text := slice.Annotations[corev1.EndpointsLastChangeTriggerTime]; text != "" {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return Age{time: t}
		}
	}
	return Age{}
}

// Compare is negative if a is older. It is one total order: any version is newer than any time, because a rule of its own
// for pairs of both kinds would go round in circles.
func (a *Age) Compare(b *Age) int {
	if c := cmp.Or(cmp.Compare(len(a.version), len(b.version)), strings.Compare(a.version, b.version)); c != 0 {
		return c
	}
	return a.time.Compare(b.time)
}

// Newest chooses between two slices of one name, whatever their order: the newer one, and of equally new ones the one with the
// smaller encoding.
func Newest(a, b *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	x, _ := a.Marshal() // only a broken extension of the API could fail
	y, _ := b.Marshal()
	i, j := AgeOf(a), AgeOf(b)
	if cmp.Or(j.Compare(&i), bytes.Compare(x, y)) == 1 {
		return b
	}
	return a
}

// CompareUsability orders states, the most usable one first: not terminating comes before ready, and that before serving.
func CompareUsability(a, b conditions.State) int { return usability(b) - usability(a) }

func usability(s conditions.State) (u int) {
	for i, usable := range [...]bool{s.Serving, s.Ready, !s.Terminating} {
		if usable {
			u |= 1 << i
		}
	}
	return u
}
