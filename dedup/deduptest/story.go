package deduptest

import (
	"cmp"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
)

func eventText(e *Event) string {
	switch {
	case e.Type == Deleted && e.Tombstone:
		return "deleted, tombstone " + sliceText(e.Old)
	case e.Type == Deleted:
		return "deleted " + e.Old.Namespace + "/" + e.Old.Name
	default:
		return string(e.Type) + " " + sliceText(e.New)
	}
}

// sliceText is namespace/name of Service, address type, version | ports | endpoints, in the notation of plans.
func sliceText(slice *discoveryv1.EndpointSlice) string {
	shown := slice.DeepCopy()
	for i := range shown.Endpoints {
		leaveOut(&shown.Endpoints[i].Conditions)
	}
	service := cmp.Or(shown.Labels[discoveryv1.LabelServiceName], "no Service")
	return fmt.Sprintf("%s/%s of %s %s rv=%s | %s | %s", shown.Namespace, shown.Name, service,
		notation.AddressType(shown.AddressType), shown.ResourceVersion, notation.Ports(shown.Ports),
		notation.Endpoints(shown.Endpoints, shown.Namespace))
}
