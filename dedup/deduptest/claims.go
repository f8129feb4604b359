package deduptest

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// claim is what one endpoint of a slice says about one place.
type claim struct {
	place      Seen
	state      string
	usefulness int                    // the guarantee "order" compares it
	target     corev1.ObjectReference // zero if there is none
	version    int
	slice      string
	hints      [2]string // the nodes and the zones of the hint, each joined by commas
	// An optional claim may be seen or not: it is for a second address, a host name, or a port
	// without a number.
	optional bool
}

// ledger has the claims of all slices that a reader may take to exist at one moment, by place. A
// ledger never changes.
type ledger struct {
	places []Seen // all places, in the order in which they occur in the slices, sorted by name
	claims map[Seen][]claim
	// sure has each place for which some slice has, in all of its versions, a claim that is not
	// optional.
	sure map[Seen]bool
	// doubtful says that some slice has two versions.
	doubtful bool
}

// ledgerOf joins the claims that read returns for all slices that may exist. Slices are read in the
// order of their names.
func ledgerOf(known knowledge, read func(*discoveryv1.EndpointSlice) []claim) ledger {
	l := ledger{claims: map[Seen][]claim{}, sure: map[Seen]bool{}}
	for _, name := range sortedNames(known) {
		versions := known[name]
		l.doubtful = l.doubtful || len(versions) > 1
		for _, slice := range versions {
			for _, c := range read(slice) {
				if l.claims[c.place] == nil {
					l.places = append(l.places, c.place)
				}
				l.claims[c.place] = append(l.claims[c.place], c)
			}
		}
		for _, c := range read(versions[0]) {
			without := func(slice *discoveryv1.EndpointSlice) bool { return !holds(read(slice), c.place) }
			if !c.optional && !slices.ContainsFunc(versions[1:], without) {
				l.sure[c.place] = true
			}
		}
	}
	return l
}

// ready returns the service ports that have a ready endpoint in every version of the slices, each
// with the address family of that endpoint. Readers may decide for each family, as kube-proxy does.
func (l *ledger) ready() map[Seen]bool {
	ports := map[Seen]bool{}
	for place, claims := range l.claims {
		if l.sure[place] && agree(claims) && claims[0].state == isReady {
			ports[place.family()] = true
		}
	}
	return ports
}

// holds reports whether a list of claims has one for the place that is not optional.
func holds(list []claim, place Seen) bool {
	return slices.ContainsFunc(list, func(c claim) bool { return c.place == place && !c.optional })
}

func sortedNames(known knowledge) []sliceName {
	return slices.SortedFunc(maps.Keys(known), compareNames)
}

func compareNames(a, b sliceName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// claimsOf returns the claims of a slice. It returns none for nil and for a slice without a
// Service.
func claimsOf(slice *discoveryv1.EndpointSlice) (list []claim) {
	if slice == nil || slice.Labels[discoveryv1.LabelServiceName] == "" {
		return nil
	}
	version, _ := strconv.Atoi(slice.ResourceVersion)
	for i := range slice.Ports {
		for j := range slice.Endpoints {
			e := &slice.Endpoints[j]
			for k, address := range e.Addresses {
				place := placeOf(slice, &slice.Ports[i], address)
				list = append(list, claim{
					place: place, version: version, target: endpoint.TargetOf(e), hints: hintsOf(e),
					slice: slice.Name, state: stateOf(e.Conditions), usefulness: usefulness(e.Conditions),
					optional: k > 0 || place.Number == 0 || slice.AddressType == discoveryv1.AddressTypeFQDN,
				})
			}
		}
	}
	return list
}

func placeOf(slice *discoveryv1.EndpointSlice, p *discoveryv1.EndpointPort, address string) Seen {
	place := Seen{
		Service: types.NamespacedName{Namespace: slice.Namespace, Name: slice.Labels[discoveryv1.LabelServiceName]},
		Port:    *p.Name, Protocol: *p.Protocol, Address: sim.Canonical(address),
	}
	if p.Port != nil {
		place.Number = *p.Port
	}
	return place
}

// usefulness compares conditions: not terminating counts most, then ready, then serving.
func usefulness(c discoveryv1.EndpointConditions) (sum int) {
	s := conditions.Of(c)
	for _, better := range []bool{!s.Terminating, s.Ready, s.Serving} {
		if sum *= 2; better {
			sum++
		}
	}
	return sum
}

// The indexes of claim.hints.
const (
	forNodes = iota
	forZones
)

func hintsOf(e *discoveryv1.Endpoint) (names [2]string) {
	h := endpoint.HintsOf(e.Hints)
	for _, node := range h.ForNodes {
		names[forNodes] += "," + node.Name
	}
	for _, zone := range h.ForZones {
		names[forZones] += "," + zone.Name
	}
	for by := range names {
		names[by] = strings.TrimPrefix(names[by], ",")
	}
	return names
}

// serves reports whether the claim's hint of a kind names the place, or the kind is -1.
func (c claim) serves(by int, at routing.Location) bool {
	return by < 0 || slices.Contains(strings.Split(c.hints[by], ","), []string{at.NodeName, at.Zone}[by])
}

// agree reports whether all claims have the same state.
func agree(claims []claim) bool {
	return !slices.ContainsFunc(claims, func(c claim) bool { return c.state != claims[0].state })
}

// winner returns the state that the guarantee "order" demands. Of the claims with the same target
// only the newest counts. Of the claims that count, the most useful wins.
func winner(claims []claim) string {
	left := slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return outdated(c, claims) })
	best := slices.MaxFunc(left, func(a, b claim) int { return cmp.Compare(a.usefulness, b.usefulness) })
	return best.state
}

// outdated reports whether a newer slice has a claim with the same target.
func outdated(c claim, claims []claim) bool {
	return c.target != (corev1.ObjectReference{}) && slices.ContainsFunc(claims, func(other claim) bool {
		return other.target == c.target && other.version > c.version
	})
}
