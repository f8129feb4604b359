package routing

import "github.com/slicewright/slicewright/hints/internal/vote"

// Verdict says whether a reader uses an endpoint, and why.
type Verdict struct {
	// Used reports whether the endpoint is in Routes.Endpoints.
	Used bool
	// Scope is the scope of the endpoint's tier in the result of Failover. An endpoint in no tier
	// has ScopeElsewhere with Why OtherNode, and ScopeNone with any other Why.
	Scope Scope
	// Why says why the endpoint is used, or why it is not.
	Why Why
}

// Why says why an endpoint is used or not used.
type Why string

// These reasons say why an endpoint is used.
const (
	// IsReady: the endpoint is ready, and no endpoints are preferred for being near.
	IsReady Why = "IsReady"
	// Hinted: the endpoint is ready, and has a hint for the reader's node or zone. Verdict.Scope
	// says which.
	Hinted Why = "Hinted"
	// IsNear: the endpoint is ready, and in the reader's node, zone or region. Verdict.Scope says
	// which.
	IsNear Why = "IsNear"
	// NoneReady: the endpoint serves while it terminates, and no endpoint is ready. With
	// Policy.Local, no endpoint on the node is ready.
	NoneReady Why = "NoneReady"
	// IsLastResort: the endpoint is not ready, and there is no better one. With Policy.Local, there
	// is no better one on the node.
	IsLastResort Why = "IsLastResort"
)

// These reasons say why an endpoint is not used.
const (
	// OthersHinted: the endpoint is ready, but other endpoints have hints for the reader.
	OthersHinted Why = "OthersHinted"
	// OthersNear: the endpoint is ready, but other endpoints are nearer.
	OthersNear Why = "OthersNear"
	// OthersReady: other endpoints come first, because this one is draining or unready
	// (Policy.LastResort).
	OthersReady Why = "OthersReady"
	// OtherNode: Policy.Local is set, and the endpoint is not on the reader's node.
	OtherNode Why = "OtherNode"
	// OtherAddress: another endpoint of the same target is used instead (Policy.AnyFamily).
	OtherAddress Why = "OtherAddress"
	// NotReady: the endpoint is neither ready nor terminating.
	NotReady Why = "NotReady"
	// Stopped: the endpoint terminates and no longer serves.
	Stopped Why = "Stopped"
)

// Explain returns a Verdict for each endpoint, in the order of the input: whether [Route] chooses
// the endpoint, and why. The arguments are those of Route. Routes.Families has the decisions about
// hints and places.
func Explain[E any](list []E, candidate func(E) Candidate, at Location, policy Policy) []Verdict {
	r := read(list, candidate, at, &policy)
	decisions := make([]vote.Decision, len(r.families))
	for family := range r.families {
		decisions[family] = r.families[family].Decide()
	}
	verdicts := make([]Verdict, len(list))
	for _, part := range r.runs {
		for i := part.from; i < part.to; i++ {
			verdicts[i] = policy.verdict(r.roles[i], &decisions[part.family])
		}
	}
	return verdicts
}

// verdict returns the verdict about an endpoint, given its roles and the decision of its family.
func (p *Policy) verdict(role vote.Role, d *vote.Decision) (v Verdict) {
	tier, in := d.TierOf(role)
	v.Used, v.Scope = in && tier == d.First, ScopeNone
	if in {
		v.Scope = Scope(vote.Scopes[tier])
	}
	switch {
	case role&vote.Hidden != 0:
		v.Why = OtherAddress
	case role&vote.Elsewhere != 0:
		v.Scope, v.Why = ScopeElsewhere, OtherNode
	case role&vote.NotReady != 0:
		v.Why = NotReady
	case role&vote.Stopped != 0:
		v.Why = Stopped
	case role&vote.IsReady != 0:
		v.Why = p.ready(v.Used, v.Scope)
	case !v.Used:
		v.Why = OthersReady
	case role&vote.IsDraining != 0:
		v.Why = NoneReady
	default:
		v.Why = IsLastResort
	}
	return v
}

// ready says why a ready endpoint is used or not.
func (p *Policy) ready(used bool, scope Scope) Why {
	byPlace := p.Local || p.Near&(Node|Zone|Region) != 0
	switch {
	case used && !scope.Near():
		return IsReady
	case used && byPlace:
		return IsNear
	case used:
		return Hinted
	case byPlace:
		return OthersNear
	default:
		return OthersHinted
	}
}
