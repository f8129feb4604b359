package slicer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
)

// SkipReason is why something is left out of a plan. Packages that make an Input declare further
// reasons. Every reason is a CamelCase word that is valid as the reason of an Event and of a
// metav1.Condition. A Skip that Compute makes for one of the reasons below has the severity
// Warning. In a Skip of another package, these reasons may have the severity Routine.
type SkipReason string

const (
	// InvalidAddress: the endpoint has no address, too many addresses, or an address that the API
	// server refuses for its type.
	InvalidAddress SkipReason = "InvalidAddress"
	// InvalidHostname: the hostname is not an RFC 1123 label.
	InvalidHostname SkipReason = "InvalidHostname"
	// InvalidNodeName: the nodeName is not a name that a Node can have.
	InvalidNodeName SkipReason = "InvalidNodeName"
	// InvalidHints: the API server refuses a hint for a zone or a Node.
	InvalidHints SkipReason = "InvalidHints"
	// InvalidPorts: the API server refuses a port of the group. None of its endpoints is published.
	InvalidPorts SkipReason = "InvalidPorts"
	// OwnerWithoutUID: one of Set.Owners has no UID. The slices do not get this owner, because the
	// API server refuses an owner reference without a UID.
	OwnerWithoutUID SkipReason = "OwnerWithoutUID"
	// UnwantedAddressType: the address is of a type that Set.AddressTypes does not have.
	UnwantedAddressType SkipReason = "UnwantedAddressType"
	// DifferingDuplicate: another wanted endpoint has the same identity and different content.
	DifferingDuplicate SkipReason = "DifferingDuplicate"
	// NoRoom: no slice has room, and no slice is created while the parent is being deleted.
	NoRoom SkipReason = "NoRoom"
	// OtherOwner: an existing slice has the labels of this set, but its controlling owner
	// (controller: true) is another object of the same kind as one of Set.Owners, for example
	// another Service. Two parents publish under the same labels, and readers join the endpoints of
	// both. The plan does not write the slice. Plan.Ignored lists it, too.
	OtherOwner SkipReason = "OtherOwner"
	// OtherService: Set.Key or Set.Labels have the label kubernetes.io/service-name with the name
	// of a Service that is neither the parent nor one of Set.Owners. The slices get the label, so
	// kube-proxy and cluster DNS join their endpoints with those of that Service.
	OtherService SkipReason = "OtherService"
	// NoWeights: Hints.Limit is set, and no zone has a weight, for example because no Node reports
	// CPU. The hints are those of hints.PreferSameZone without a limit.
	NoWeights SkipReason = "NoWeights"
	// LimitUnused: Hints.Limit is set, and the mode is not hints.PreferSameZone. Only that mode has
	// a limit.
	LimitUnused SkipReason = "LimitUnused"
)

// Severity says whether a Skip needs attention. The zero value is Warning.
type Severity int

const (
	// Warning: something is wrong and should be corrected. Plan.Warnings lists these Skips.
	Warning Severity = iota
	// Routine: the Skip needs no action, for example because the Pod has no address yet.
	Routine
)

// String returns the constant's name.
func (s Severity) String() string {
	switch s {
	case Warning:
		return "Warning"
	case Routine:
		return "Routine"
	default:
		return "Severity(" + strconv.Itoa(int(s)) + ")"
	}
}

// Skip is something that a plan leaves out: an endpoint, a Pod or another object that is not
// published, one address or port of it, or a slice that the plan must not write although it has the
// labels of the set. A Skip is an error, so that Plan.Retry can wrap it. It shares no memory with
// the inputs.
type Skip struct {
	// Reason says why the Skip's subject is left out.
	Reason SkipReason
	// Severity says whether the Skip needs attention. Report a Warning once, and not in each sync
	// that repeats it.
	Severity Severity
	// Object is the object that is not published, or only in part: a Pod, or the targetRef of an
	// endpoint, without resourceVersion. Object can be given to an EventRecorder. If zero, the
	// object is not known.
	Object corev1.ObjectReference
	// AddressType is the type of the slices that do not publish the object. If empty, the Skip is
	// about all types.
	AddressType discoveryv1.AddressType
	// Address is the address that is not published. For an endpoint with several addresses it is
	// the first one. If empty, there is no address, or none of the object's addresses is published.
	Address string
	// Port is the port that is missing, or else the ports on which the object is not published, as
	// in "http:80" or "http:80,dns:53/UDP". If empty, the Skip is about all ports.
	Port string
	// Path is the position in the arguments of the call, such as "groups[0].endpoints[7].hostname"
	// or "pods[3]". If the API server would refuse a field of an endpoint, Path is that field in
	// the Input of Compute; in package services it is pods[i] or backends[i]. No other field
	// depends on the order of the arguments.
	Path string
	// Retry says that a later call with the same arguments may publish the object. See
	// [Plan.Retry].
	Retry bool
	// Err says what is wrong and, if the caller can correct it, what to do. It is never nil. If a
	// callback returned an error, Err wraps that error. If the API server would refuse something,
	// Err is a *field.Error whose Field is Path.
	Err error
}

// Error returns one line for people: what is not published, the reason and the cause, as in `Pod
// shop/web-1 127.0.0.1: InvalidAddress: Invalid value: "127.0.0.1": ...`. The line has Path only if
// no other field names what is not published, because Path depends on the order of the arguments.
func (s Skip) Error() string {
	text := s.subject() + ": " + string(s.Reason)
	if cause := s.cause(); cause != "" {
		text += ": " + cause
	}
	return text
}

// String returns the text of Error.
func (s Skip) String() string { return s.Error() }

// Unwrap returns Err.
func (s Skip) Unwrap() error { return s.Err }

// cause returns the text of Err without its path.
func (s *Skip) cause() string {
	if s.Err == nil {
		return ""
	}
	if f, ok := s.Err.(*field.Error); ok {
		return f.ErrorBody()
	}
	return s.Err.Error()
}

// object returns kind and name of Object, as in "Pod shop/web-1".
func (s *Skip) object() string {
	if s.Object.Name == "" && s.Object.Kind == "" {
		return ""
	}
	if s.Object.Name == "" {
		return notation.Quote(s.Object.Kind)
	}
	name := notation.Quote(s.Object.Name)
	if s.Object.Namespace != "" {
		name = notation.Quote(s.Object.Namespace) + "/" + name
	}
	if s.Object.Kind != "" {
		name = notation.Quote(s.Object.Kind) + " " + name
	}
	return name
}

// subject returns the object and the address that are not published, or Path if both are unknown.
func (s *Skip) subject() string {
	var words []string
	if object := s.object(); object != "" {
		words = append(words, object)
	}
	if s.Address != "" {
		words = append(words, notation.Quote(s.Address))
	}
	if len(words) == 0 {
		return s.Path
	}
	return strings.Join(words, " ")
}

// Skips is a list of Skips with a String method.
type Skips []Skip

const maxPrinted = 20 // Skips in one text

// String returns one line for each Skip, without a newline at the end. If there are more than
// twenty Skips, the text has the first twenty and a line with the number of the others. If there
// are no Skips, the text is empty.
func (s Skips) String() string {
	var lines []string
	for _, skip := range s[:min(len(s), maxPrinted)] {
		lines = append(lines, skip.Error())
	}
	if len(s) > maxPrinted {
		lines = append(lines, s.more())
	}
	return strings.Join(lines, "\n")
}

// more returns the last line of a list that is cut.
func (s Skips) more() string {
	return fmt.Sprintf("and %d more: Plan.Skips lists all", len(s)-maxPrinted)
}

// join returns the Skips as one error, or nil if there are none.
func (s Skips) join() error {
	var errs []error
	for _, skip := range s[:min(len(s), maxPrinted)] {
		errs = append(errs, skip)
	}
	if len(s) > maxPrinted {
		errs = append(errs, errors.New(s.more()))
	}
	return errors.Join(errs...)
}

// skipsWhere returns the Skips for which choose returns true, or nil if there are none.
func skipsWhere(skips []Skip, choose func(*Skip) bool) (chosen Skips) {
	for i := range skips {
		if choose(&skips[i]) {
			chosen = append(chosen, skips[i])
		}
	}
	return chosen
}

// sortSkips sorts Skips as Plan.Skips is sorted: by address type, ports, address, object, reason
// and error. Paths are compared last, because they depend on the order of the arguments.
func sortSkips(skips []Skip) {
	slices.SortStableFunc(skips, func(a, b Skip) int {
		return cmp.Or(
			cmp.Compare(typeOf(a.AddressType), typeOf(b.AddressType)), strings.Compare(a.Port, b.Port),
			cmp.Compare(min(len(a.Address), 1), min(len(b.Address), 1)), // Skips without an address come first
			endpoint.CompareAddresses(a.Address, b.Address),
			strings.Compare(a.Object.Namespace, b.Object.Namespace), endpoint.CompareReference(&a.Object, &b.Object),
			strings.Compare(string(a.Reason), string(b.Reason)), strings.Compare(a.cause(), b.cause()),
			strings.Compare(a.Path, b.Path),
		)
	})
}

var errNoRoom = errors.New("no slice has room, and none is created while the parent is being deleted")

// skips returns the value of Plan.Skips.
func (p *placement) skips() []Skip {
	skips := slices.Concat(p.in.Skips, p.wanted.rejected)
	for portSet, items := range p.unplaced {
		for _, i := range items {
			at := p.items[i].source
			s := p.in.skipped(at, endpoint.AddressTypes[p.wanted.portSets[portSet].typ])
			s.Reason = NoRoom
			s.Path = at.path().String()
			s.Err = errNoRoom
			skips = append(skips, s)
		}
	}
	for _, i := range p.present.claimed {
		skips = append(skips, claimedSkip(p.in.existing[i], i))
	}
	if s, ok := otherServiceSkip(&p.in.Set); ok {
		skips = append(skips, s)
	}
	if s, ok := p.limitSkip(); ok {
		skips = append(skips, s)
	}
	sortSkips(skips)
	return skips
}

// skipped returns a Skip about a wanted endpoint. The caller sets its Reason, Path and Err. t is
// the address type of the endpoint, or empty if it has none.
func (in *request) skipped(at source, t discoveryv1.AddressType) Skip {
	g := &in.Groups[at.group]
	e := &g.Endpoints[at.endpoint]
	s := Skip{AddressType: t, Object: endpoint.TargetOf(e)}
	if len(g.Ports) > 0 {
		s.Port = notation.Ports(notation.Defaulted(g.Ports))
	}
	if len(e.Addresses) > 0 {
		s.Address = endpoint.Canonical(e.Addresses[0])
	}
	return s
}
