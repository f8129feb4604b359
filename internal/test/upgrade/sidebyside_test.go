package upgrade

import (
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// planner is one instance of a controller: what it writes for the Pods that there are and the
// slices that it sees.
type planner func(pods []*corev1.Pod, existing []*discoveryv1.EndpointSlice) ([]slicer.Step, error)

// current plans with this version.
func current(most int, packing slicer.Packing) planner {
	return func(pods []*corev1.Pod, existing []*discoveryv1.EndpointSlice) ([]slicer.Step, error) {
		o := services.Options{ManagedBy: "slices.example.com"}
		o.Slices.MaxEndpointsPerSlice, o.Slices.Packing = most, packing
		plan, err := services.Plan(usual().svc, pods, nil, existing, o)
		return plan.Steps, err
	}
}

// TestTwoInstances: two instances that differ in what a release may change, packing and maximum,
// work side by side.
func TestTwoInstances(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		packings := []slicer.Packing{slicer.InPlace, slicer.Compact}
		sideBySide(t, r, current(1+r.IntN(6), packings[r.IntN(2)]), current(1+r.IntN(6), packings[r.IntN(2)]))
	}
}

// sideBySide lets two instances sync, from caches that are late, while Pods come and go: a Pod that
// is always there, and published once, is published after every write. Then both see everything,
// and come to rest with all Pods published once.
func sideBySide(t *testing.T, r *rand.Rand, instances ...planner) {
	t.Helper()
	server, all := &sim.Server{}, usual().pods
	caches := make([][]*discoveryv1.EndpointSlice, len(instances))
	pods, stay := all, map[string]bool{all[0].Status.PodIPs[0].IP: false, all[1].Status.PodIPs[0].IP: false}
	sync := func(i int) (writes int) {
		steps, err := instances[i](pods, caches[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if check.Apply(server, s) != nil {
				break // late: it plans again
			}
			writes++
			held := addresses(server)
			for ip, published := range stay {
				if stay[ip] = published || held[ip] > 0; published && held[ip] == 0 {
					t.Fatalf("%s is missing after %v", ip, s)
				}
			}
		}
		return writes
	}
	for range 20 {
		switch i := r.IntN(len(instances)); r.IntN(3) {
		case 0:
			pods = append(all[:2:2], present(all[2+r.IntN(5):], r.IntN(2) == 0)...)
		case 1:
			caches[i] = server.List()
		case 2:
			sync(i)
		}
	}
	for rounds, rest := 0, 0; rest < len(instances); rounds++ {
		if rounds > 10*len(instances) {
			t.Fatalf("they do not come to rest: %d slices", len(server.List()))
		}
		i := rounds % len(instances)
		caches[i] = server.List()
		if rest++; sync(i) > 0 {
			rest = 0
		}
	}
	held := addresses(server)
	for _, p := range pods {
		if held[p.Status.PodIPs[0].IP] != 1 {
			t.Fatalf("%s is published %d times", p.Name, held[p.Status.PodIPs[0].IP])
		}
	}
	if len(held) != len(pods) {
		t.Fatalf("%d addresses of %d Pods", len(held), len(pods))
	}
}

// addresses counts how often each address is published.
func addresses(server *sim.Server) map[string]int {
	held := map[string]int{}
	for _, s := range server.List() {
		for _, e := range s.Endpoints {
			held[e.Addresses[0]]++
		}
	}
	return held
}
