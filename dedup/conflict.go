package dedup

import (
	"fmt"
	"strings"
)

// Conflict is an address and port about which slices disagree.
type Conflict struct {
	Port   ServicePort
	Winner Endpoint
	// Losers differ from Winner in at least one field and are in order of preference; there is at least one.
	Losers []Loser
}

// Loser is an endpoint that another one of the same address and port hides.
type Loser struct {
	Endpoint Endpoint
	Reason   LossReason
	// Fields are those in which it differs from the winner.
	Fields Fields
}

// String is the place, the slice that won, and for each loser its slice, reason and fields.
func (c Conflict) String() string {
	losers := make([]string, len(c.Losers))
	for i, l := range c.Losers {
		losers[i] = fmt.Sprintf("%s (%v: %v)", l.Endpoint.Slice, l.Reason, l.Fields)
	}
	return fmt.Sprintf("%v %v: %s over %s", c.Port, c.Winner, c.Winner.Slice, strings.Join(losers, ", "))
}

// conflict returns what readers see of an item's contest, and false if nobody disagrees.
func (it *item) conflict(port ServicePort) (Conflict, bool) {
	if it.contest == nil {
		return Conflict{}, false
	}
	losers := it.contest.losers()
	c := Conflict{Port: port}
	for _, l := range losers {
		if fields := differ(it.record, l.claim.record); fields != 0 {
			c.Losers = append(c.Losers, Loser{Endpoint: l.claim.record.endpoint(it.number), Reason: l.why, Fields: fields})
		}
	}
	if c.Losers == nil {
		return Conflict{}, false
	}
	c.Winner = it.record.endpoint(it.number)
	return c, true
}
