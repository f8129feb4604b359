package routing

import (
	"fmt"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/quote"
)

// Verdict says whether an endpoint is used, and why.
type Verdict struct {
	// Used says that Route returns the endpoint.
	Used bool
	// Reason is a word such as OthersHinted. The package comment lists them.
	Reason string
	// Message is one line of text.
	Message string
}

// Explain returns a Verdict for each endpoint, in their order.
func Explain(endpoints []dedup.Endpoint, at Location, p Policy) []Verdict {
	r := read(endpoints, at, &p)
	var makers [families]verdicts
	for f := range makers {
		d := r.votes[f].decide()
		makers[f] = verdicts{decision: d, policy: &p, at: at, ready: "ready" + p.notNear(&d, at, endpoints)}
	}
	list := make([]Verdict, len(endpoints))
	for i := range endpoints {
		list[i] = makers[r.family(&endpoints[i])].of(r.roles[i])
	}
	return list
}

// verdicts makes the Verdicts of a family.
type verdicts struct {
	decision
	policy *Policy
	at     Location
	ready  string // the message for an endpoint that is used because it is ready
}

// of returns the verdict about an endpoint, given its roles.
func (m *verdicts) of(r role) Verdict {
	tier, in := m.tierOf(r)
	used := in && tier == m.first
	onNode := ""
	if m.policy.Local {
		onNode = " on the node"
	}
	switch {
	case r&hidden != 0:
		return Verdict{used, "OtherAddress", "another address of its target is used"}
	case r&elsewhere != 0:
		return Verdict{used, "OtherNode", "not on the reader's node, and the traffic policy is Local"}
	case r&stopped != 0:
		return Verdict{used, "NotReady", "terminates, and no longer serves"}
	case r&notReady != 0:
		return Verdict{used, "NotReady", "not ready"}
	case r&isReady != 0:
		return m.readyVerdict(used)
	case !used:
		return Verdict{used, "OthersReady", "others come first, because this one is not ready"}
	case r&isDraining != 0:
		return Verdict{used, "NoneReady", "serves while it terminates, and no endpoint" + onNode + " is ready"}
	default:
		return Verdict{used, "IsLastResort", "not ready, and no endpoint" + onNode + " is better"}
	}
}

// readyVerdict returns the verdict about a ready endpoint.
func (m *verdicts) readyVerdict(used bool) Verdict {
	if m.first >= everywhere {
		return Verdict{used, "IsReady", m.ready}
	}
	place := placeText(m.first, m.at)
	byPlace := m.policy.Local || m.policy.byPlace()
	switch {
	case used && byPlace:
		return Verdict{used, "IsNear", "ready, and in " + place}
	case used:
		return Verdict{used, "Hinted", "ready, with a hint for " + place}
	case byPlace:
		return Verdict{used, "OthersNear", "ready, but others are in " + place}
	default:
		return Verdict{used, "OthersHinted", "ready, but others have a hint for " + place}
	}
}

// placeText returns a place in words.
func placeText(tier int, at Location) string {
	kind := [...]string{"node", "zone", "region"}[tier]
	name := [...]string{at.NodeName, at.Zone, at.Region}[tier]
	if name == "" {
		return "the reader's " + kind
	}
	return kind + " " + quote.Text(name)
}

// notNear says why no endpoints are preferred for their hints or place, or "" if nothing asks for
// that.
func (p *Policy) notNear(d *decision, at Location, endpoints []dedup.Endpoint) (text string) {
	for tier, standing := range d.near {
		switch standing {
		case "", noneReady, noHints, present, hintsObeyed:
		case placeUnknown:
			if tier != region { // few readers know their region
				text += "; " + placeText(tier, at) + " is not known"
			}
		case hintMissing:
			text += fmt.Sprintf("; hints for %ss are not used, because %v has none",
				[...]string{"node", "zone"}[tier], endpoints[d.missing[tier]])
		case notNamed:
			text += "; no hint names " + placeText(tier, at)
		case tooFew:
			text += fmt.Sprintf("; %s has fewer than %d ready endpoints", placeText(tier, at), p.AtLeast)
		default:
			text += "; " + placeText(tier, at) + " " + string(standing)
		}
	}
	return text
}
