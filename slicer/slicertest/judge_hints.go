package slicertest

import (
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
	svc := r.cluster.service
	own := r.kit.Can("OwnHints") && svc.Spec.TrafficDistribution != nil && !isTopologyAware(svc)
	judge := func(what kit.Word, name string, existing func(int) string, is *string) {
		switch {
		case name != existing(0) && name != existing(1) && name != existing(2):
			r.log.Fail("nothing-false", "%s has a hint for %s %s, which does not exist", p, what, name)
		case own && is != nil && name != *is:
			r.log.Fail("nothing-false", "%s has a hint for %s %s, and is in %s", p, what, name, *is)
		}
	}
	for _, z := range h.ForZones {
		judge("zone", z.Name, zoneName, want.Zone)
	}
	for _, n := range h.ForNodes {
		judge("Node", n.Name, nodeName, want.NodeName)
	}
}
