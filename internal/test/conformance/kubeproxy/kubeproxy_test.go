package kubeproxy

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/proxy"

	"github.com/slicewright/slicewright/dedup/deduptest"
)

// Reasons for what kube-proxy breaks.
const (
	keptByService = "kube-proxy keeps slices by the Service that their label names, and looks for an earlier version of a slice in " +
		"that Service only. So a slice whose label changes stays in its first Service until kube-proxy restarts."
	mapOrder = "kube-proxy goes through the slices of a Service in the order of a Go map, and a later copy that does not terminate " +
		"replaces an earlier one. So chance decides between copies that do not terminate, anew for each change of the Service."
	anyAge = "kube-proxy does not compare how new slices are; its comment says that it cannot easily know."
)

// TestKubeProxy holds kube-proxy to all guarantees. What it breaks is known.
func TestKubeProxy(t *testing.T) {
	deduptest.Run(t, deduptest.Options{
		Shows:     deduptest.ShowsAll,
		Also:      []deduptest.Guarantee{deduptest.Order, deduptest.SameList},
		Histories: 2000, // chance fails in a few only
		Known: map[deduptest.Guarantee]string{
			deduptest.Only:     keptByService,
			deduptest.Steady:   mapOrder,
			deduptest.Order:    anyAge,
			deduptest.SameList: keptByService + " " + mapOrder,
		},
	}, start)
}

// TestLabelsThatStay leaves out what kube-proxy does not claim: slices that change their Service. So only what comes of the map is
// left.
func TestLabelsThatStay(t *testing.T) {
	deduptest.Run(t, deduptest.Options{
		Shows:     deduptest.ShowsAll,
		Without:   []deduptest.Feature{deduptest.Relabelling},
		Histories: 2000, // chance fails in a few only
		Known:     map[deduptest.Guarantee]string{deduptest.Steady: mapOrder},
	}, start)
}

// start makes a kube-proxy that has an informer and no network: one tracker for each family.
func start() deduptest.Reader {
	families := []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	trackers := map[corev1.IPFamily]*proxy.EndpointsChangeTracker{}
	endpoints := map[corev1.IPFamily]proxy.EndpointsMap{}
	for _, f := range families {
		trackers[f] = proxy.NewEndpointsChangeTracker(f, "node", nil, nil)
		endpoints[f] = proxy.EndpointsMap{}
	}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			for _, f := range families {
				if e.New != nil {
					trackers[f].EndpointSliceUpdate(e.New, false)
				} else {
					trackers[f].EndpointSliceUpdate(e.Old, true)
				}
			}
		},
		See: func() (all []deduptest.Seen) {
			for _, f := range families {
				endpoints[f].Update(trackers[f])
				all = append(all, seenIn(endpoints[f])...)
			}
			return all
		},
	}
}

// seenIn lists ports by name; the endpoints of a port are in kube-proxy's order.
func seenIn(endpoints proxy.EndpointsMap) (all []deduptest.Seen) {
	byName := func(a, b proxy.ServicePortName) int {
		return cmp.Or(cmp.Compare(a.String(), b.String()), cmp.Compare(a.Protocol, b.Protocol))
	}
	for _, port := range slices.SortedFunc(maps.Keys(endpoints), byName) {
		for _, e := range endpoints[port] {
			all = append(all, deduptest.Seen{
				Service: port.NamespacedName, Port: port.Port, Protocol: port.Protocol,
				Address: e.IP(), Number: int32(e.Port()), State: stateOf(e),
			})
		}
	}
	return all
}

func stateOf(e proxy.Endpoint) deduptest.State {
	switch {
	case e.IsReady():
		return deduptest.Ready
	case e.IsServing() && e.IsTerminating():
		return deduptest.Draining
	}
	return deduptest.Unready
}
