package mirror

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

func (m *mirroring) skip(s Skip) { m.skipped = append(m.skipped, skippedLine{s, m.lines}) }

// skipClaim skips the address of a claim.
func (m *mirroring) skipClaim(i int32, reason SkipReason) {
	m.skipped = append(m.skipped, skippedLine{Skip{Reason: reason, Count: 1}, m.claims.list[i].at})
}

// report brings the skips into the order of the input and gives them their paths.
func (m *mirroring) report(groups []slicer.Group) Report {
	var r Report
	for i := range groups {
		r.Taken += len(groups[i].Endpoints)
	}
	for _, i := range m.claims.twice {
		m.skipClaim(i, Duplicate)
	}
	at := cursor{subsets: m.endpoints.Subsets}
	for _, s := range inOrder(m.skipped) {
		if s.Err == nil {
			path, ip := at.moveTo(int(s.line))
			s.Err = m.explain(s.Reason, path, ip)
		}
		r.Skipped = append(r.Skipped, s.Skip)
	}
	return r
}

func (m *mirroring) explain(reason SkipReason, at *field.Path, ip string) *field.Error {
	switch reason {
	case Duplicate:
		err := field.Duplicate(at, ip)
		err.Detail = "is listed before for these ports: list it once, as ready or as not ready"
		return err
	case OverLimit:
		err := field.TooMany(at, m.options.limit()+1, m.options.limit())
		err.BadValue, err.Detail = ip, "too many addresses have these ports: list fewer, or choose MoreSlices"
		return err
	default:
		return field.Invalid(at, ip, "use an IP that other nodes can reach: not unspecified, loopback or link-local")
	}
}

// cursor finds the addresses of subsets by their number, going forward.
type cursor struct {
	subsets []corev1.EndpointSubset
	subset  int // where it is
	before  int // addresses in earlier subsets
}

func (c *cursor) moveTo(line int) (ip *field.Path, value string) {
	for {
		s := &c.subsets[c.subset]
		ready, all := len(s.Addresses), len(s.Addresses)+len(s.NotReadyAddresses)
		n := line - c.before
		switch {
		case n < ready:
			return subsetPath(c.subset).Child("addresses").Index(n).Child("ip"), s.Addresses[n].IP
		case n < all:
			n -= ready
			return subsetPath(c.subset).Child("notReadyAddresses").Index(n).Child("ip"), s.NotReadyAddresses[n].IP
		}
		c.subset, c.before = c.subset+1, c.before+all
	}
}
