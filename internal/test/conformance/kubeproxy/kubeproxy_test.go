package kubeproxy

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/klog/v2"
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

// weakness is a cause that code breaks a guarantee by, with a history that shows it, not always if chance decides.
type weakness struct{ cause, replay, reason string }

// known is what kube-proxy breaks.
var known = []weakness{
	{"only: seen, and no slice says so: …", "web-b / relabel", keptByService},
	{"steady: the event is about something else, and the reader changes its mind: …", "web-b / contradict=20 hints=17", mapOrder},
	{"order: seen in another state: …", "web-b / contradict", anyAge},
	{"same-list: a new reader that gets the same slices gives another list: …", "web-b / relabel", keptByService + " " + mapOrder},
}

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// TestKubeProxy holds kube-proxy to all guarantees: it shows no cause that is not known, and each that is known in its history.
func TestKubeProxy(t *testing.T) {
	o := deduptest.Options{ShowsAll: true, Also: []string{"same-list"}}
	exactly(t, known, func(replay string) (map[string]string, error) {
		o.Replay = replay
		found, err := deduptest.Check(o, start)
		return histories(found, func(f deduptest.Finding) string { return f.Cause }), err
	})
}

func histories[F fmt.Stringer](found []F, cause func(F) string) map[string]string {
	byCause := map[string]string{}
	for _, f := range found {
		byCause[cause(f)] = f.String()
	}
	return byCause
}

// exactly fails on a cause that is not known, and on one that its history does not show any more. find returns the scenarios by
// cause, of all histories or of the one to replay.
func exactly(t *testing.T, known []weakness, find func(replay string) (map[string]string, error)) {
	t.Helper()
	shown := func(replay string) map[string]string {
		histories, err := find(replay)
		if err != nil {
			t.Fatal(err)
		}
		return histories
	}
	for cause, history := range shown("") {
		if !slices.ContainsFunc(known, func(k weakness) bool { return k.cause == cause }) {
			t.Error(history)
		}
	}
	for _, k := range known {
		met := false
		for range 100 { // chance
			met = met || shown(k.replay)[k.cause] != ""
		}
		if !met {
			t.Errorf("%q is not met any more in %q", k.cause, k.replay)
		}
	}
}

// tracked is kube-proxy's own: a tracker and a map of endpoints for each address family.
type tracked struct {
	trackers  []*proxy.EndpointsChangeTracker
	endpoints []proxy.EndpointsMap
}

func newTracked() *tracked {
	t := &tracked{}
	for _, family := range []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol} {
		t.trackers = append(t.trackers, proxy.NewEndpointsChangeTracker(family, "node-1", nil, nil))
		t.endpoints = append(t.endpoints, proxy.EndpointsMap{})
	}
	return t
}

func (t *tracked) update(s *discoveryv1.EndpointSlice, gone bool) {
	for _, tracker := range t.trackers { // of which only that of the slice's family takes it
		tracker.EndpointSliceUpdate(s, gone)
	}
}

func (t *tracked) flush() {
	for i, endpoints := range t.endpoints {
		endpoints.Update(t.trackers[i])
	}
}

// start makes a kube-proxy that has an informer and no network.
func start() deduptest.Reader {
	t := newTracked()
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			if e.New != nil {
				t.update(e.New, false)
			} else {
				t.update(e.Old, true)
			}
		},
		See: func() (all []deduptest.Seen) {
			t.flush()
			for _, endpoints := range t.endpoints {
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
