package main

import (
	"fmt"
	"strconv"
	"strings"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"

	"github.com/slicewright/slicewright/hints/forecast"
)

// spread says how much clients in each zone send, so that localities get weights whatever hints say: as much as possible stays in its
// zone, and no zone's endpoints get more than limit percent above the mean. nil: hints decide.
type spread struct {
	traffic map[string]int64
	limit   int
}

// parseSpread reads a=2,b=1; nothing is nil.
func parseSpread(text string, limit int) (*spread, error) {
	if text == "" {
		return nil, nil
	}
	if limit < 0 {
		return nil, fmt.Errorf("-limit %d: want a percentage of 0 or more", limit)
	}
	s := &spread{map[string]int64{}, limit}
	for _, part := range strings.Split(text, ",") {
		zone, number, _ := strings.Cut(part, "=")
		n, err := strconv.ParseInt(number, 10, 64)
		if zone == "" || err != nil || n <= 0 {
			return nil, fmt.Errorf("-traffic has %q; it must be zones and what they send, as in a=2,b=1", part)
		}
		s.traffic[zone] = n
	}
	return s, nil
}

const wholeTraffic = 10000

// weigh gives the localities of priority 0 the weights for clients in a zone. Those without a share follow as the next priority. A zone
// that is not known to send anything uses all endpoints alike.
func (s *spread) weigh(a *endpoint.ClusterLoadAssignment, zone string) {
	ready := map[string]int64{}
	for _, l := range a.Endpoints {
		if l.Priority == 0 && l.LbEndpoints[0].HealthStatus == core.HealthStatus_HEALTHY {
			ready[l.Locality.Zone] = int64(len(l.LbEndpoints))
		}
	}
	all, err := forecast.Spread(s.traffic, ready, s.limit, wholeTraffic)
	shares := all[zone]
	if err != nil || shares == nil { // there is no error for a limit that parseSpread has read
		return
	}
	later := uint32(0)
	if len(shares) < len(ready) {
		later = 1
	}
	for _, l := range a.Endpoints {
		switch share := shares[l.Locality.Zone]; {
		case l.Priority > 0:
			l.Priority += later
		case share > 0:
			l.LoadBalancingWeight.Value = uint32(share)
		default:
			l.Priority = 1
		}
	}
}
