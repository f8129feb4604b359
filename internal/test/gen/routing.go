package gen

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints/routing"
)

// Routing draws everything that a few endpoints, a place and a policy can be.
func Routing(t *rapid.T) ([]routing.Candidate, routing.Location, routing.Policy) {
	families := rapid.SampledFrom([][]discoveryv1.AddressType{
		{"IPv4"}, {""}, {"IPv4", "IPv6"}, {"IPv6", "IPv4", "FQDN", ""},
	}).Draw(t, "families")
	d := candidates{
		families: families,
		zoned:    rapid.IntRange(0, 4).Draw(t, "of four endpoints have zone hints"),
		noded:    rapid.SampledFrom([]int{0, 1, 3, 4, 4}).Draw(t, "of four endpoints have node hints"),
		ready:    rapid.SampledFrom([]int{0, 1, 3, 4}).Draw(t, "of four endpoints are ready"),
	}
	list := make([]routing.Candidate, rapid.IntRange(0, 7).Draw(t, "endpoints"))
	for i := range list {
		list[i] = d.draw(t)
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
		p.Near = routing.Nearness(rapid.IntRange(0, 7).Draw(t, "nearness"))
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

// candidates says how often endpoints are what they can be, so that each way to decide is met.
type candidates struct {
	families            []discoveryv1.AddressType
	zoned, noded, ready int
}

func (d candidates) draw(t *rapid.T) (c routing.Candidate) {
	often := func(n int, label string) bool { return rapid.IntRange(1, 4).Draw(t, label) <= n }
	c.AddressType = rapid.SampledFrom(d.families).Draw(t, "family")
	c.State = conditions.State{
		Ready: often(d.ready, "ready"), Serving: rapid.Bool().Draw(t, "serving"),
		Terminating: rapid.Bool().Draw(t, "terminating"),
	}
	c.NodeName = place(t, "node")
	c.Zone = place(t, "zone")
	c.Region = place(t, "region")
	c.NoVote = chance(t, 6, "no vote")
	if often(d.zoned, "zone hint") {
		c.ForZones = []discoveryv1.ForZone{{Name: place(t, "for zone")}, {Name: "c"}}
	}
	if often(d.noded, "node hint") {
		c.ForNodes = []discoveryv1.ForNode{{Name: "c"}, {Name: place(t, "for node")}}
	}
	if n := rapid.IntRange(0, 5).Draw(t, "target"); n > 0 {
		c.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: []string{"", "p", "q", "q", "r"}[n-1],
			ResourceVersion: rapid.SampledFrom([]string{"", "1"}).Draw(t, "version")}
		if n == 3 {
			c.TargetRef.UID = types.UID("1")
		}
	}
	return c
}
