package kubeproxy

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/proxy"

	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/internal/test/conformance/known"
)

// Reasons for what kube-proxy breaks.
const (
	keptByService = "kube-proxy keeps slices by the Service that their label names, and looks for an earlier version " +
		"of a slice in " +
		"that Service only. So a slice whose label changes stays in its first Service until kube-proxy restarts."
	mapOrder = "kube-proxy goes through the slices of a Service in the order of a Go map, and a later copy that does " +
		"not terminate " +
		"replaces an earlier one. So chance decides between copies that do not terminate, anew for each change of " +
		"the Service."
	anyAge = "kube-proxy does not compare how new slices are; its comment says that it cannot easily know."
)

// knownOfKubeProxy is what kube-proxy breaks.
var knownOfKubeProxy = []known.Weakness{
	{"only: seen, and no slice says so: …", "web-b / relabel", keptByService},
	{"steady: the event is about something else, and the reader changes its mind: …", "web-b / contradict=20 hints=17", mapOrder},
	{"order: seen in another state: …", "web-b / contradict", anyAge},
	{"same-list: a new reader that gets the same slices gives another list: …", "web-b / relabel", keptByService + " " + mapOrder},
}

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// TestKubeProxy holds kube-proxy to all guarantees: it shows no cause that is not known, and each
// that is known in its history.
func TestKubeProxy(t *testing.T) {
	o := deduptest.Options{ShowsAll: true, Also: []string{"same-list"}}
	known.Exactly(t, knownOfKubeProxy, func(replay string) ([]deduptest.Finding, error) {
		o.Replay = replay
		return deduptest.Check(o, start)
	}, func(f deduptest.Finding) string { return f.Cause })
}

// start makes a kube-proxy that has an informer and no network: a tracker and a map of endpoints
// for each address family.
func start() deduptest.Reader {
	var trackers []*proxy.EndpointsChangeTracker
	var maps []proxy.EndpointsMap
	for _, family := range []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol} {
		trackers = append(trackers, proxy.NewEndpointsChangeTracker(family, "node-1", nil, nil))
		maps = append(maps, proxy.EndpointsMap{})
	}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			for _, tracker := range trackers { // of which only that of the slice's family takes it
				tracker.EndpointSliceUpdate(cmp.Or(e.New, e.Old), e.New == nil)
			}
		},
		See: func() (all []deduptest.Seen) {
			for i, endpoints := range maps {
				endpoints.Update(trackers[i])
				all = append(all, seenIn(endpoints)...)
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
