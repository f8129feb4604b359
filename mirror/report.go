package mirror

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Report says what a conversion took over and what it left out. The zero value says nothing.
type Report struct {
	// Taken counts the endpoints of the result: addresses, each once for every list of ports in which it stands.
	Taken int
	// Skipped is what was left out, in the order of the input; nil when there is nothing.
	Skipped []Skip
}

// Skip is something that was left out so that the rest could be taken over.
type Skip struct {
	Reason SkipReason
	// Count is how many addresses or endpoints this stands for; 1 for a port that was left out of its list.
	Count int
	// Err has the path (subsets[1].notReadyAddresses[7].ip, slices[0].ports[1]), the value and what to do about it.
	Err *field.Error
	// Cause is what CopyOptions.Transform returned; nil for all other reasons.
	Cause error
}

// SkipReason says why something was left out.
type SkipReason uint8

const (
	// InvalidAddress: no IP, or one that the API server refuses: unspecified, loopback or link-local.
	InvalidAddress SkipReason = iota + 1
	// Duplicate: the address is listed for these ports before; of a ready and a not ready one the ready one stays.
	Duplicate
	// OverLimit: there are more addresses with these ports than the options allow.
	OverLimit
	// InvalidPort: the API server would refuse the port, or its number is not 1 to 65535.
	InvalidPort
	// AllPorts: a port without number means all ports, which Endpoints cannot say.
	AllPorts
	// NoPorts: the slice declares no ports, but the Service has some: the endpoint serves none of them.
	NoPorts
	// PortsFiltered: CopyOptions.Port left none of the slice's ports. A slice that declares none is no such case.
	PortsFiltered
	// Dropped: CopyOptions.Transform returned an error, Skip.Cause.
	Dropped
	// OwnOutput: the slice is managed by the set's own manager.
	OwnOutput
	// OtherAddressType: the slice is of an address type that is not asked for.
	OtherAddressType
	// Terminating: the endpoint is being deleted and not published as ready.
	Terminating
	// InvalidHostname, InvalidNodeName and InvalidHints: the API server refuses this part of the endpoint.
	InvalidHostname
	InvalidNodeName
	InvalidHints
)

// Count returns how many addresses, endpoints or ports were left out for a reason.
func (r Report) Count(reason SkipReason) int {
	n := 0
	for i := range r.Skipped {
		if r.Skipped[i].Reason == reason {
			n += r.Skipped[i].Count
		}
	}
	return n
}

// String returns one line for people: "3 taken; skipped: invalid-address 1, over-limit 2".
func (r Report) String() string {
	var skipped []string
	for reason := InvalidAddress; reason <= InvalidHints; reason++ {
		if n := r.Count(reason); n > 0 {
			skipped = append(skipped, fmt.Sprintf("%s %d", reason, n))
		}
	}
	text := fmt.Sprintf("%d taken", r.Taken)
	if len(skipped) > 0 {
		text += "; skipped: " + strings.Join(skipped, ", ")
	}
	return text
}

// placedSkip is a Skip with the place in the input that it is about.
type placedSkip struct {
	Skip
	at place
}

// inOrder puts skips into the order of the input.
func inOrder(skips []placedSkip) []placedSkip {
	slices.SortStableFunc(skips, func(a, b placedSkip) int { return a.at.compare(b.at) })
	return skips
}
