package gen

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints/routing"
)

// Routing draws everything that a few endpoints, a place and a policy can be.
func Routing(t *rapid.T) ([]routing.Candidate, routing.Location, routing.Policy) {
	places := []string{"", "a", "b"}
	types := rapid.SampledFrom([][]discoveryv1.AddressType{
		{"IPv4"}, {""}, {"IPv4", "IPv6"}, {"IPv6", "IPv4", "FQDN", ""},
	}).Draw(t, "families")
	candidates := make([]routing.Candidate, rapid.IntRange(0, 6).Draw(t, "endpoints"))
	hinted := rapid.IntRange(0, 3).Draw(t, "how often hinted")
	for i := range candidates {
		c := &candidates[i]
		c.AddressType = rapid.SampledFrom(types).Draw(t, "family")
		c.State = conditions.State{
			Ready: rapid.Bool().Draw(t, "ready"), Serving: rapid.Bool().Draw(t, "serving"), Terminating: rapid.Bool().Draw(t, "terminating"),
		}
		c.NodeName = rapid.SampledFrom(places).Draw(t, "node")
		c.Zone = rapid.SampledFrom(places).Draw(t, "zone")
		c.NoVote = rapid.IntRange(0, 5).Draw(t, "no vote") == 0
		if rapid.IntRange(0, 3).Draw(t, "zone hint") <= hinted {
			c.ForZones = []discoveryv1.ForZone{{Name: rapid.SampledFrom(places).Draw(t, "for zone")}, {Name: "c"}}
		}
		if rapid.IntRange(0, 3).Draw(t, "node hint") < hinted {
			c.ForNodes = []discoveryv1.ForNode{{Name: "c"}, {Name: rapid.SampledFrom(places).Draw(t, "for node")}}
		}
	}
	at := routing.Location{NodeName: rapid.SampledFrom(places).Draw(t, "at node"), Zone: rapid.SampledFrom(places).Draw(t, "at zone")}
	policy := routing.Policy{
		InternalLocal: rapid.Bool().Draw(t, "internal local"), External: rapid.Bool().Draw(t, "external"),
		ExternalLocal: rapid.Bool().Draw(t, "external local"), IgnoreHints: rapid.IntRange(0, 4).Draw(t, "ignore hints") == 0,
		PreferZone: rapid.IntRange(0, 3).Draw(t, "prefer zone") == 0, AnyFamily: rapid.IntRange(0, 3).Draw(t, "any family") == 0,
	}
	return candidates, at, policy
}
