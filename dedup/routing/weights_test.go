package routing_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup/routing"
)

// TestZoneWeights: shares sum to the total, none is 0, and each is less than one away from the
// exact fraction. What the endpoints of a zone can take of its own traffic stays, and the rest goes
// where there is room, in proportion to it.
func TestZoneWeights(t *testing.T) {
	zones := []string{"a", "b", "c", "d"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (by map[string]int64, sum int64) {
			by = map[string]int64{}
			for _, zone := range zones {
				if rapid.IntRange(0, 3).Draw(t, name) > 0 {
					by[zone] = rapid.SampledFrom([]int64{-1, 0, 1, 2, 3, 7, 1 << 40}).Draw(t, zone)
					sum += max(0, by[zone])
				}
			}
			return by, sum
		}
		from, sent := draw("from")
		to, taken := draw("to")
		limit, total := rapid.SampledFrom([]int{-50, 1, 20, 100}).Draw(t,
			"limit"), rapid.SampledFrom([]int{0, 1, 7, 100, 10000}).Draw(t, "total")
		got, err := routing.ZoneWeights(from, to, limit, total)
		if limit < 0 || total == 0 {
			if got != nil || err == nil ||
				limit < 0 && !strings.Contains(err.Error(),
					"limit: Invalid value: -50: must be a percentage of 0 or more") {
				t.Fatalf("limit %d and total %d give %v and the error %v", limit, total, got, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if sent == 0 || taken == 0 || total == 0 {
			if got != nil {
				t.Fatalf("%v, although there is nothing", got)
			}
			return
		}
		traffic, takes := map[string]*big.Rat{}, map[string]*big.Rat{}
		room, all := map[string]*big.Rat{}, new(big.Rat)
		for _, zone := range zones {
			traffic[zone] = big.NewRat(max(0, from[zone]), sent)
			takes[zone] = new(big.Rat).Mul(big.NewRat(max(0, to[zone]), taken),
				big.NewRat(int64(100+max(0, limit)), 100))
			room[zone] = atLeastZero(new(big.Rat).Sub(takes[zone], traffic[zone]))
			all.Add(all, room[zone])
		}
		for client, weight := range traffic {
			if (got[client] != nil) != (weight.Sign() > 0) {
				t.Fatalf("zone %s sends %d, and gets %v", client, from[client], got[client])
			}
			if weight.Sign() == 0 {
				continue
			}
			sum, leaves := 0, atLeastZero(new(big.Rat).Sub(weight, takes[client]))
			for zone := range room {
				share := new(big.Rat).Sub(weight, leaves)
				if zone != client {
					share.SetInt64(0)
					if all.Sign() > 0 {
						share.Mul(leaves, new(big.Rat).Quo(room[zone], all))
					}
				}
				share.Mul(share.Quo(share, weight), big.NewRat(int64(total), 1))
				n, some := got[client][zone]
				off := share.Sub(share, big.NewRat(int64(n), 1))
				if off.Abs(off).Cmp(big.NewRat(1, 1)) >= 0 || some && n == 0 {
					t.Fatalf("the share of %s for %s is %d, which is %s off: %v", client, zone, n, off.FloatString(2),
						got)
				}
				sum += n
			}
			if sum != total {
				t.Fatalf("the shares of %s sum to %d, want %d", client, sum, total)
			}
		}
	})
}

func atLeastZero(r *big.Rat) *big.Rat {
	if r.Sign() < 0 {
		r.SetInt64(0)
	}
	return r
}

// Half of the traffic is in zone a, where one of five endpoints is.
func ExampleZoneWeights() {
	traffic, endpoints := map[string]int64{"a": 2, "b": 1, "c": 1}, map[string]int64{"a": 1, "b": 2, "c": 2}
	shares, err := routing.ZoneWeights(traffic, endpoints, 50, 100)
	if err != nil {
		panic(err)
	}
	fmt.Println(shares["a"], shares["b"], shares["c"])
	// Output:
	// map[a:60 b:20 c:20] map[b:100] map[c:100]
}

// TestWeightsWithoutLimit: without a limit, and with the largest one, all traffic stays in its zone
// if the zone has endpoints. Other traffic is divided by the numbers of endpoints.
func TestWeightsWithoutLimit(t *testing.T) {
	from, to := map[string]int64{"a": 9, "b": 1, "c": 5}, map[string]int64{"a": 1, "b": 9}
	want := map[string]map[string]int{"a": {"a": 100}, "b": {"b": 100}, "c": {"a": 10, "b": 90}}
	if got, err := routing.ZoneWeights(from, to, 0, 100); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	delete(from, "c")
	delete(want, "c")
	if got, err := routing.ZoneWeights(from, to, math.MaxInt, 100); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("with the largest limit: %v, %v, want %v", got, err, want)
	}
}

// TestPolicies: what Internal, External and Gateway read of a Service.
func TestPolicies(t *testing.T) {
	local, cluster := corev1.ServiceInternalTrafficPolicyLocal, corev1.ServiceInternalTrafficPolicyCluster
	near := func(d string) corev1.ServiceSpec { return corev1.ServiceSpec{TrafficDistribution: &d} }
	for _, row := range []struct {
		why                string
		spec               corev1.ServiceSpec
		internal, external bool // Local
		takes              bool // traffic from outside
		near               routing.Place
	}{
		{"nothing is set", corev1.ServiceSpec{}, false, false, false, ""},
		{"the defaults", corev1.ServiceSpec{InternalTrafficPolicy: &cluster, ExternalTrafficPolicy: "Cluster", Type: "ClusterIP"}, false, false, false, ""},
		{"internal", corev1.ServiceSpec{InternalTrafficPolicy: &local}, true, false, false, ""},
		{"external, where nothing comes from outside", corev1.ServiceSpec{ExternalTrafficPolicy: "Local"}, false, false, false, ""},
		{"a node port, before it has a number", corev1.ServiceSpec{Type: "NodePort", ExternalTrafficPolicy: "Local"}, false, true, true, ""},
		{"a load balancer", corev1.ServiceSpec{Type: "LoadBalancer"}, false, false, true, ""},
		{"both", corev1.ServiceSpec{Type: "LoadBalancer", InternalTrafficPolicy: &local, ExternalTrafficPolicy: "Local"}, true, true, true, ""},
		{"external IPs", corev1.ServiceSpec{ExternalIPs: []string{"192.0.2.1"}, ExternalTrafficPolicy: "Local"}, false, true, true, ""},
		{"near", near("PreferSameZone"), false, false, false, routing.Zone},
		{"near by its first name", near("PreferClose"), false, false, false, routing.Zone},
		{"nearer", near("PreferSameNode"), false, false, false, routing.Node},
		{"near in a way that does not exist", near("PreferSameRack"), false, false, false, ""},
	} {
		svc := &corev1.Service{Spec: row.spec}
		external, takes := routing.External(svc)
		if got := routing.Internal(svc); got != (routing.Policy{Local: row.internal}) {
			t.Errorf("%s: Internal %+v", row.why, got)
		}
		if external != (routing.Policy{Local: row.external}) || takes != row.takes {
			t.Errorf("%s: External %+v, %v", row.why, external, takes)
		}
		if got := routing.Gateway(svc); got != (routing.Policy{Near: row.near, AnyFamily: true}) {
			t.Errorf("%s: Gateway %+v", row.why, got)
		}
	}
	if external, takes := routing.External(nil); routing.Internal(nil) != (routing.Policy{}) ||
		external != (routing.Policy{}) || takes || routing.Gateway(nil) != (routing.Policy{AnyFamily: true}) {
		t.Error("nil has another policy")
	}
}
