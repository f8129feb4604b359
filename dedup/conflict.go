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

// conflict returns what readers see of a dispute, and false if nobody disagrees.
func (d *dispute) conflict(port ServicePort) (Conflict, bool) {
	c := Conflict{Port: port}
	for _, l := range d.contest.losers() {
		if fields := differ(d.item.record, l.claim.record); fields != 0 {
			c.Losers = append(c.Losers, Loser{Endpoint: l.claim.record.endpoint(d.item.number), Reason: l.why, Fields: fields})
		}
	}
	if c.Losers == nil {
		return Conflict{}, false
	}
	c.Winner = d.item.endpoint()
	return c, true
}
