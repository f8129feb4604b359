package slicertest

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// judgeHints judges the hints of an endpoint, without a comparison with other slices. Each hint
// must name a zone or Node that exists. With trafficDistribution, this must be the endpoint's own
// zone or Node.
func (r *replay) judgeHints(p place, want discoveryv1.Endpoint) {
	h := p.endpoint.Hints
	if h == nil {
		return
	}
	svc := r.world.service
	own := r.kit.Can("OwnHints") && svc.Spec.TrafficDistribution != nil && !isTopologyAware(svc)
	for _, z := range h.ForZones {
		r.judgeHint(p, "zone", z.Name, zoneName, want.Zone, own)
	}
	for _, n := range h.ForNodes {
		r.judgeHint(p, "Node", n.Name, nodeName, want.NodeName, own)
	}
}

// judgeHint judges one name of a zone or a Node in a hint.
func (r *replay) judgeHint(p place, what kit.Word, name string, existing func(int) string, is *string, own bool) {
	var all []string
	for i := range nodes {
		all = append(all, existing(i))
	}
	switch {
	case !slices.Contains(all, name):
		r.log.Fail("nothing-false", "%s has a hint for %s %s, which does not exist", p, what, name)
	case own && is != nil && name != *is:
		r.log.Fail("nothing-false", "%s has a hint for %s %s, and is in %s", p, what, name, *is)
	}
}
