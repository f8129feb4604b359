package mirror

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

func (m *mirroring) skip(at place, s Skip) { m.skipped = append(m.skipped, placedSkip{s, at}) }

// skipMention skips the address of a mention.
func (m *mirroring) skipMention(i int32, reason SkipReason) {
	m.skip(m.mentions.list[i].at, Skip{Reason: reason, Count: 1})
}

// report brings the skips into the order of the input, and says what to do about them.
func (m *mirroring) report(groups []slicer.Group) Report {
	var r Report
	for i := range groups {
		r.Taken += len(groups[i].Endpoints)
	}
	for _, i := range m.mentions.twice {
		m.skipMention(i, Duplicate)
	}
	for _, s := range inOrder(m.skipped) {
		if s.Err == nil {
			s.Err = m.explain(s.Reason, s.at)
		}
		r.Skipped = append(r.Skipped, s.Skip)
	}
	return r
}

// explain says what is wrong with the address at a place.
func (m *mirroring) explain(reason SkipReason, at place) *field.Error {
	name := [2]string{"addresses", "notReadyAddresses"}[at.list%2]
	path := subsetPath(int(at.list / 2)).Child(name).Index(int(at.index)).Child("ip")
	ip := m.mentions.addresses[at.list][at.index].IP
	switch reason {
	case Duplicate:
		err := field.Duplicate(path, ip)
		err.Detail = "is listed before for these ports: list it once, as ready or as not ready"
		return err
	case OverLimit:
		err := field.TooMany(path, m.options.limit()+1, m.options.limit())
		err.BadValue, err.Detail = ip, "too many addresses have these ports: list fewer"
		return err
	default:
		return field.Invalid(path, ip, "use an IP that other nodes can reach: not unspecified, loopback or link-local")
	}
}
