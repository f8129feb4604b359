package gen

import (
	"fmt"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
)

// Routing draws everything that a few endpoints, a place and a policy can be. Port is the index of
// an endpoint.
func Routing(t *rapid.T) ([]dedup.Endpoint, routing.Location, routing.Policy) {
	families := rapid.SampledFrom([][]discoveryv1.AddressType{
		{"IPv4"}, {""}, {"IPv4", "IPv6"}, {"IPv6", "IPv4", "FQDN", ""},
	}).Draw(t, "families")
	d := endpoints{
		families: families,
		zoned:    rapid.IntRange(0, 4).Draw(t, "of four endpoints have zone hints"),
		noded:    rapid.SampledFrom([]int{0, 1, 3, 4, 4}).Draw(t, "of four endpoints have node hints"),
		ready:    rapid.SampledFrom([]int{0, 1, 3, 4}).Draw(t, "of four endpoints are ready"),
	}
	list := make([]dedup.Endpoint, rapid.IntRange(0, 7).Draw(t, "endpoints"))
	for i := range list {
		list[i] = d.draw(t, i)
	}
	at := routing.Location{NodeName: place(t, "at node"), Zone: place(t, "at zone"), Region: place(t, "at region")}
	return list, at, Policy(t)
}

// Policy draws a policy.
func Policy(t *rapid.T) routing.Policy {
	p := routing.Policy{
		Local:       chance(t, 4, "local"),
		LastResort:  chance(t, 2, "last resort"),
		AnyFamily:   chance(t, 3, "any family"),
		IgnoreHints: chance(t, 5, "ignore hints"),
	}
	if chance(t, 2, "near") {
		p.Near = rapid.SampledFrom([]routing.Place{routing.Node, routing.Zone, routing.Region, "Rack"}).Draw(t, "place")
	}
	if chance(t, 2, "at least") {
		p.AtLeast = rapid.IntRange(-1, 4).Draw(t, "at least")
	}
	return p
}

// place is a name that two endpoints often share, or none.
func place(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{"", "a", "a", "b"}).Draw(t, label)
}

// endpoints says how often endpoints are what they can be, so that each way to decide is met.
type endpoints struct {
	families            []discoveryv1.AddressType
	zoned, noded, ready int
}

func (d endpoints) draw(t *rapid.T, i int) (e dedup.Endpoint) {
	often := func(n int, label string) bool { return rapid.IntRange(1, 4).Draw(t, label) <= n }
	e.Port = int32(i)
	switch rapid.SampledFrom(d.families).Draw(t, "family") {
	case "IPv4":
		e.Address = netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)})
	case "IPv6":
		e.Address = netip.AddrFrom16([16]byte{0: 0xfd, 15: byte(i + 1)})
	case "FQDN":
		e.FQDN = fmt.Sprintf("%d.example.com", i)
	}
	e.Conditions = conditions.State{
		Ready: often(d.ready, "ready"), Serving: rapid.Bool().Draw(t, "serving"),
		Terminating: rapid.Bool().Draw(t, "terminating"),
	}
	e.NodeName = place(t, "node")
	e.Zone = place(t, "zone")
	e.Region = place(t, "region")
	zoned, noded := often(d.zoned, "zone hint"), often(d.noded, "node hint")
	if zoned || noded || chance(t, 3, "hints") {
		e.Hints = &discoveryv1.EndpointHints{}
		if zoned {
			e.Hints.ForZones = []discoveryv1.ForZone{{Name: place(t, "for zone")}, {Name: "c"}}
		}
		if noded {
			e.Hints.ForNodes = []discoveryv1.ForNode{{Name: "c"}, {Name: place(t, "for node")}}
		}
	}
	if n := rapid.IntRange(0, 5).Draw(t, "target"); n > 0 {
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: []string{"", "p", "q", "q", "r"}[n-1],
			ResourceVersion: rapid.SampledFrom([]string{"", "1"}).Draw(t, "version")}
		if n == 3 {
			e.TargetRef.UID = types.UID("1")
		}
	}
	return e
}
