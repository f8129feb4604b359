package dedup

import (
	"fmt"
	"strings"

	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// Conflict is an address and port about which slices disagree.
type Conflict struct {
	Port   ServicePort // behind which the address is
	Winner Endpoint    // what a View shows
	// Losers differ from Winner in at least one field and are in order of preference; there is at least one.
	Losers []Loser
}

// Loser is an endpoint that another one of the same address and port hides.
type Loser struct {
	Endpoint Endpoint   // as its slice has it
	Reason   LossReason // why it lost
	// Fields are those in which it differs from the winner.
	Fields Fields
}

// String is the service port, the winner and its slice, and for each loser its slice, reason and fields.
func (c Conflict) String() string {
	losers := make([]string, len(c.Losers))
	for i, l := range c.Losers {
		losers[i] = fmt.Sprintf("%s (%v: %v)", l.Endpoint.Slice, l.Reason, l.Fields)
	}
	return fmt.Sprintf("%v %v: %s over %s", c.Port, c.Winner, c.Winner.Slice, strings.Join(losers, ", "))
}

// LossReason says why an endpoint lost, to another one of its targetRef (the first round) or to the winner.
type LossReason string

const (
	// OlderSlice: a newer slice holds the same targetRef here, as the winner or as another loser.
	OlderSlice LossReason = "OlderSlice"
	// Terminating: the winner does not terminate.
	Terminating LossReason = "Terminating"
	// NotReady: the winner is ready.
	NotReady LossReason = "NotReady"
	// NotServing: the winner serves.
	NotServing LossReason = "NotServing"
	// LaterName: nothing better tells them apart, and the winner's slice comes first by name, or, in one slice, its fields do.
	LaterName LossReason = "LaterName"
)

// lossReasons are the reasons that package decide gives.
var lossReasons = [...]LossReason{
	decide.OlderSlice: OlderSlice, decide.Terminating: Terminating, decide.NotReady: NotReady,
	decide.NotServing: NotServing, decide.LaterName: LaterName,
}

// conflictOf returns what readers see of an item that several slices claim. It has no losers if all slices say the same.
func conflictOf(port ServicePort, item *view.Item) Conflict {
	c := Conflict{Port: port}
	for _, l := range item.Conflict.Losers {
		if fields := Fields(item.Differences(l.Claim)); fields != 0 {
			c.Losers = append(c.Losers, Loser{Endpoint: endpointOf(l.Claim), Reason: lossReasons[l.Reason], Fields: fields})
		}
	}
	if c.Losers != nil {
		c.Winner = endpointOf(item.Claim)
	}
	return c
}
