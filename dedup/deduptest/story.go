package deduptest

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
)

// story tells a history with its events, up to the one at which a guarantee failed.
func story(g Guarantee, h history, failed fault) string {
	var b strings.Builder
	fmt.Fprintln(&b, g.heading())
	moments := h.moments()
	if failed.moment < len(moments) {
		moments = moments[:failed.moment+1]
	}
	next := 0
	for i := range moments {
		for ; next <= moments[i].step; next++ {
			fmt.Fprintf(&b, "  %d. %s\n", next+1, h[next].text)
		}
		fmt.Fprintf(&b, "      %s\n", eventText(&moments[i].event))
	}
	fmt.Fprintf(&b, "      ! %s\n", failed.text)
	for i, seen := range failed.seen {
		intro := "  seen:"
		if i > 0 {
			intro = "       "
		}
		fmt.Fprintf(&b, "%s %s\n", intro, seen)
	}
	return b.String()
}

// repeat says how to see the failure again.
func (f *failure) repeat() string {
	how := "every run goes through this pair of changes"
	if f.random {
		how = fmt.Sprintf("repeat with Options{Seed: %d, Histories: 1}", f.seed)
	}
	return fmt.Sprintf("(%d histories fail; %s)", f.count, how)
}

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
	service := shown.Labels[discoveryv1.LabelServiceName]
	if service == "" {
		service = "no Service"
	}
	return fmt.Sprintf("%s/%s of %s %s rv=%s | %s | %s", shown.Namespace, shown.Name, service,
		notation.AddressType(shown.AddressType), shown.ResourceVersion, notation.Ports(shown.Ports),
		notation.Endpoints(shown.Endpoints, shown.Namespace))
}
