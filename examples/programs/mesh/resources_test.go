package main

import (
	"fmt"
	"math/rand"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// parseEndpoints reads "1 a ++- zone=a node=n": the last number of the address, the zone, whether
// it is ready, serving and terminating, and its hints; several endpoints are separated by commas.
func parseEndpoints(t *testing.T, text string) (list []dedup.Endpoint) {
	t.Helper()
	for part := range strings.SplitSeq(text, ", ") {
		f := strings.Fields(part)
		yes := func(i int) bool { return f[2][i] == '+' }
		e := dedup.Endpoint{Address: netip.MustParseAddr("10.0.0." + f[0]), Port: 80, Zone: strings.Trim(f[1], "?"),
			State: conditions.State{Ready: yes(0), Serving: yes(1), Terminating: yes(2)}}
		for _, hint := range f[3:] {
			if zone, is := strings.CutPrefix(hint, "zone="); is {
				e.ForZones = append(e.ForZones, discoveryv1.ForZone{Name: zone})
			} else {
				e.ForNodes = append(e.ForNodes, discoveryv1.ForNode{Name: strings.TrimPrefix(hint, "node=")})
			}
		}
		list = append(list, e)
	}
	return list
}

// notation writes each locality as "0:a*2(1 3)": priority, zone, weight and the last numbers of the
// addresses, with a d for those that drain and a u for unhealthy ones.
func notation(a *endpoint.ClusterLoadAssignment) string {
	var parts []string
	for _, l := range a.GetEndpoints() {
		var members []string
		for _, e := range l.GetLbEndpoints() {
			_, last, _ := strings.Cut(e.GetEndpoint().GetAddress().GetSocketAddress().GetAddress(), "10.0.0.")
			suffix := map[string]string{"HEALTHY": "", "DRAINING": "d", "UNHEALTHY": "u"}[e.GetHealthStatus().String()]
			members = append(members, last+suffix)
		}
		parts = append(parts, fmt.Sprintf("%d:%s*%d(%s)", l.GetPriority(), l.GetLocality().GetZone(),
			l.GetLoadBalancingWeight().GetValue(), strings.Join(members, " ")))
	}
	return strings.Join(parts, " ")
}

func TestAssignment(t *testing.T) {
	for _, c := range []struct {
		why, endpoints string
		at             routing.Location
		want           string
	}{{
		why:       "without hints, all ready endpoints get the same traffic, so zones weigh by their number",
		endpoints: "1 a ++-, 2 b ++-, 3 b ++-", at: routing.Location{Zone: "a"},
		want: "0:a*1(1) 0:b*2(2 3)",
	}, {
		why:       "hints name the client's zone; the others are what is left if it fails",
		endpoints: "1 a ++- zone=a, 2 b ++- zone=b, 3 b ++- zone=a", at: routing.Location{Zone: "a"},
		want: "0:a*1(1) 0:b*1(3) 1:b*1(2)",
	}, {
		why:       "the client's node, then its zone, then the rest: no gap, each endpoint once",
		endpoints: "1 a ++- zone=a node=n, 2 a ++- zone=a node=m, 3 b ++- zone=b node=o",
		at:        routing.Location{Zone: "a", NodeName: "n"},
		want:      "0:a*1(1) 1:a*1(2) 2:b*1(3)",
	}, {
		why:       "a client that does not say where it is gets all",
		endpoints: "1 a ++- zone=a, 2 b ++- zone=b",
		want:      "0:a*1(1) 0:b*1(2)",
	}, {
		why:       "those without traffic are last and do not count against the health of others",
		endpoints: "1 a -++, 2 a ++-, 3 b --- , 4 b --+, 5 b -+-", at: routing.Location{Zone: "a"},
		want: "0:a*1(2) 1:a*1(1d) 1:b*3(3u 4u 5u)",
	}, {
		why:       "if none is ready, endpoints that still serve are used: a client sends nothing to draining ones",
		endpoints: "1 a -++ zone=b, 2 b -++ zone=b, 3 b --+", at: routing.Location{Zone: "a"},
		want: "0:a*1(1) 0:b*1(2) 1:b*1(3u)",
	}, {
		why:       "nothing gets traffic: Envoy would send requests to unhealthy endpoints if there are no others",
		endpoints: "1 a ---, 2 b --+",
		want:      "",
	}, {
		why:       "an endpoint whose zone is not known has a locality too, or clients refuse all",
		endpoints: "1 ? ++-, 2 a ++-",
		want:      "0:*1(1) 0:a*1(2)",
	}} {
		endpoints := parseEndpoints(t, c.endpoints)
		before := slices.Clone(endpoints)
		if got := notation(assignmentOf("web", membersOf(endpoints, c.at))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.why, got, c.want)
		}
		if !slices.EqualFunc(endpoints, before, func(a, b dedup.Endpoint) bool { return a.Address == b.Address }) {
			t.Errorf("%s: the endpoints were changed", c.why)
		}
	}
}

// randomEndpoints are some in few zones and nodes, with hints for some of these.
func randomEndpoints(r *rand.Rand) (list []dedup.Endpoint) {
	hinted := r.Intn(3)
	for i := range 1 + r.Intn(6) {
		e := dedup.Endpoint{Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), Port: 80,
			Zone:     string(rune('a' + r.Intn(3))),
			NodeName: fmt.Sprint("n", r.Intn(3)), State: conditions.New(r.Intn(4) > 0, r.Intn(2) > 0, r.Intn(4) == 0)}
		if hinted > 0 && r.Intn(8) > 0 {
			e.ForZones = []discoveryv1.ForZone{{Name: string(rune('a' + r.Intn(2)))}}
		}
		if hinted > 1 && r.Intn(8) > 0 {
			e.ForNodes = []discoveryv1.ForNode{{Name: fmt.Sprint("n", r.Intn(2))}}
		}
		list = append(list, e)
	}
	return list
}

// TestSeenFrom: places share an assignment only if clients there get the same.
func TestSeenFrom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	shared := 0
	for range 5000 {
		list := randomEndpoints(r)
		p := newServicePort(list, dedup.ServicePort{})
		place := routing.Location{Zone: string(rune('a' + r.Intn(4))),
			NodeName: []string{"", "n0", "n1", "n2", "n3"}[r.Intn(5)]}
		if p.seenFrom(place) != place {
			shared++
		}
		if here, there := membersOf(list, place), membersOf(list, p.seenFrom(place)); !reflect.DeepEqual(here, there) {
			t.Fatalf("%v is not seen from %v as from %v:\n%v\n%v", list, place, p.seenFrom(place), here, there)
		}
	}
	if shared < 1000 {
		t.Errorf("%d places share, too few to show anything", shared)
	}
}

// TestCluster: Envoy sends nothing to unhealthy endpoints, and obeys the weights of localities.
func TestCluster(t *testing.T) {
	o := clusterOf(target).GetCommonLbConfig()
	if o.GetHealthyPanicThreshold() == nil || o.GetHealthyPanicThreshold().GetValue() != 0 ||
		o.GetLocalityWeightedLbConfig() == nil {
		t.Errorf("Envoy's defaults hold: %v", o)
	}
}
