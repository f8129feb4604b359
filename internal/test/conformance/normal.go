package conformance

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check"
)

// What endpoints mean, as text that is equal when they mean the same. It shares the normal forms of
// the checks, and no code with what plans.

// meaning is an endpoint without hints.
func meaning(e *discoveryv1.Endpoint) string {
	var b strings.Builder
	b.WriteString(strings.Join(check.CanonicalSet(e.Addresses), "+"))
	for _, c := range []struct {
		word string
		is   bool
	}{{"ready", isReady(e)}, {"serving", isTrue(e.Conditions.Serving, true)},
		{"terminating", isTrue(e.Conditions.Terminating, false)}} {
		if c.is {
			b.WriteString(" " + c.word)
		}
	}
	fmt.Fprintf(&b, " host=%s node=%s zone=%s", check.Text(e.Hostname), check.Text(e.NodeName), check.Text(e.Zone))
	if r := e.TargetRef; r != nil {
		fmt.Fprintf(&b, " %s/%s/%s/%s", r.Kind, r.Namespace, r.Name, r.UID)
	}
	return b.String()
}

// hintsOf is an endpoint's hints, "" for none.
func hintsOf(e *discoveryv1.Endpoint) string {
	var b strings.Builder
	if e.Hints != nil {
		for _, z := range e.Hints.ForZones {
			b.WriteString(" >zone:" + z.Name)
		}
		for _, n := range e.Hints.ForNodes {
			b.WriteString(" >node:" + n.Name)
		}
	}
	return b.String()
}

// place is which endpoint it is, on which ports.
func place(s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint) string {
	return check.KeyOf(s) + " " + anyPorts(s, e)
}

// anyPorts is which endpoint it is, whatever its ports.
func anyPorts(s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint) string {
	return fmt.Sprintf("%s %s %s %s", s.AddressType, strings.Join(check.CanonicalSet(e.Addresses), "+"),
		check.Text(e.Hostname), targetName(e))
}

func targetName(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	return e.TargetRef.Namespace + "/" + e.TargetRef.Name
}

func isReady(e *discoveryv1.Endpoint) bool { return isTrue(e.Conditions.Ready, true) }

func isTrue(value *bool, otherwise bool) bool {
	if value == nil {
		return otherwise
	}
	return *value
}
