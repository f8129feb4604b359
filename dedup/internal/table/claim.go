// Package table has the endpoints of Services: for each port, one claim wins each address and port
// number. Tables never change. An update makes new ones, which share all ports and Services that
// did not change.
package table

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Claim is an address in a slice, behind one port of the slice. Several claims may have the same
// address and port number.
type Claim struct {
	*content.Place
	Port int32 // an index in Slice.Ports, or -1 for the address alone
}

// FQDN returns the name that the endpoint has instead of an address.
func (c Claim) FQDN() string {
	if !c.Host.IsName() {
		return ""
	}
	return strings.TrimSuffix(c.Endpoint().Addresses[c.Address], ".")
}

// Number returns the port number.
func (c Claim) Number() uint16 {
	if c.Port < 0 {
		return 0
	}
	return c.Slice.Ports[c.Port].Number
}

// AppProtocol returns the application protocol of the port.
func (c Claim) AppProtocol() string {
	if c.Port < 0 {
		return ""
	}
	return c.Slice.Ports[c.Port].AppProtocol
}

// Endpoint returns the endpoint in the slice.
func (c Claim) Endpoint() *discoveryv1.Endpoint { return &c.Slice.API.Endpoints[c.Place.Endpoint] }

// compare orders claims by address, then by port number. Names come first, in alphabetical order.
func compare(c, d Claim) int {
	order := c.Host.Compare(d.Host)
	if order == 0 && c.Host.IsName() {
		order = strings.Compare(c.FQDN(), d.FQDN())
	}
	return cmp.Or(order, compareNumbers(c, d))
}

func compareNumbers(c, d Claim) int { return int(c.Number()) - int(d.Number()) }

// Differences returns the fields in which two claims with the same address and port number differ,
// as the API names them. The slices that have the claims are not compared, because a move between
// slices is no change for readers.
func (c Claim) Differences(d Claim) (fields []string) {
	a, b := c.Endpoint(), d.Endpoint()
	for i, differs := range [...]bool{
		conditions.Of(a.Conditions) != conditions.Of(b.Conditions),
		endpoint.Text(a.Hostname) != endpoint.Text(b.Hostname),
		endpoint.Text(a.NodeName) != endpoint.Text(b.NodeName),
		endpoint.Text(a.Zone) != endpoint.Text(b.Zone),
		!sameReference(a.TargetRef, b.TargetRef),
		!sameHints(a.Hints, b.Hints),
		c.AppProtocol() != d.AppProtocol(),
		!maps.Equal(c.Slice.Labels, d.Slice.Labels),
	} {
		if differs {
			fields = append(fields, fieldNames[i])
		}
	}
	return fields
}

var fieldNames = [...]string{
	"conditions", "hostname", "nodeName", "zone", "targetRef", "hints", "appProtocol", "labels",
}

// compareFields orders endpoints by all fields except for addresses and conditions.
func compareFields(a, b *discoveryv1.Endpoint) int {
	t, u := endpoint.TargetOf(a), endpoint.TargetOf(b)
	zones, nodes := hintSets(a.Hints)
	otherZones, otherNodes := hintSets(b.Hints)
	return cmp.Or(
		strings.Compare(endpoint.Text(a.NodeName), endpoint.Text(b.NodeName)),
		cmp.Compare(t.UID, u.UID), strings.Compare(t.Name, u.Name), strings.Compare(t.Kind, u.Kind),
		strings.Compare(t.Namespace, u.Namespace), strings.Compare(endpoint.Text(a.Zone), endpoint.Text(b.Zone)),
		slices.Compare(zones, otherZones), strings.Compare(endpoint.Text(a.Hostname), endpoint.Text(b.Hostname)),
		slices.Compare(nodes, otherNodes))
}

func sameReference(a, b *corev1.ObjectReference) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		a = cmp.Or(a, &noReference)
		b = cmp.Or(b, &noReference)
	}
	return a.UID == b.UID && a.Name == b.Name && a.Namespace == b.Namespace && a.Kind == b.Kind
}

var noReference corev1.ObjectReference

// sameHints reports whether hints name the same zones and nodes, in any order.
func sameHints(a, b *discoveryv1.EndpointHints) bool {
	if a == b { // both are nil for most endpoints
		return true
	}
	x, y := endpoint.HintsOf(a), endpoint.HintsOf(b)
	if slices.Equal(x.ForZones, y.ForZones) && slices.Equal(x.ForNodes, y.ForNodes) {
		return true
	}
	zones, nodes := hintSets(a)
	otherZones, otherNodes := hintSets(b)
	return slices.Equal(zones, otherZones) && slices.Equal(nodes, otherNodes)
}

// hintSets returns the names in hints, sorted, each once.
func hintSets(h *discoveryv1.EndpointHints) (zones, nodes []string) {
	zones, nodes = endpoint.HintNames(h)
	slices.Sort(zones)
	slices.Sort(nodes)
	return slices.Compact(zones), slices.Compact(nodes)
}

// Chooser chooses between claims that have the same address and port number. It keeps its working
// memory, so that a reader of many claims needs only one.
type Chooser struct {
	decide.Claims
	copies []Claim
}

// Winner returns the claim that readers see. There must be a claim.
func (c *Chooser) Winner(copies []Claim) Claim {
	if len(copies) == 1 {
		return copies[0]
	}
	c.read(copies)
	return copies[c.Claims.Winner()]
}

// Decide returns the index of the winning claim, and the other claims with the reasons why they
// lost.
func (c *Chooser) Decide(copies []Claim) (int32, []decide.Loss) {
	c.read(copies)
	return c.Claims.Decide()
}

func (c *Chooser) read(copies []Claim) {
	if c.Fields == nil {
		c.Fields = func(i, j int32) int { return compareFields(c.copies[i].Endpoint(), c.copies[j].Endpoint()) }
	}
	c.copies = copies
	c.List = c.List[:0]
	for _, copied := range copies {
		e := copied.Endpoint()
		c.List = append(c.List, decide.Claim{From: &copied.Slice.Origin, Target: e.TargetRef,
			State: conditions.Of(e.Conditions)})
	}
}
