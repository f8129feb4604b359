package dedup

import (
	"fmt"
	"iter"
	"strings"

	"github.com/slicewright/slicewright/dedup/internal/table"
	"github.com/slicewright/slicewright/internal/quote"
)

// Conflicts yields a line for each endpoint about which slices disagree: the port, the endpoint,
// the slice whose copy won, and for each slice whose copy differs the reason why it lost, and the
// fields. Slices with equal copies do not disagree. Reasons are OlderSlice, Terminating, NotReady,
// NotServing and LaterName.
func (v View) Conflicts() iter.Seq[string] {
	return func(yield func(string) bool) {
		var choose table.Chooser
		for _, s := range v.at().all().Services {
			for _, p := range s.Ports {
				for copies := range p.Copies {
					if len(copies) == 1 {
						continue
					}
					text := conflictOf(&choose, copies)
					if text != "" && !yield(portName(s.Name, p.PortName).String()+" "+text) {
						return
					}
				}
			}
		}
	}
}

// conflictOf returns the text about copies of one endpoint, or "" if all are equal.
func conflictOf(choose *table.Chooser, copies []table.Claim) string {
	i, losses := choose.Decide(copies)
	winner := copies[i]
	var losers []string
	for _, l := range losses {
		loser := copies[l.Claim]
		if fields := winner.Differences(loser); fields != nil {
			text := fmt.Sprintf("%s (%s: %s)", quote.Text(loser.Slice.API.Name), l.Reason, strings.Join(fields, ","))
			if len(losers) == 0 || losers[len(losers)-1] != text { // a slice may have an address twice
				losers = append(losers, text)
			}
		}
	}
	if losers == nil {
		return ""
	}
	return fmt.Sprintf("%v: %s over %s", endpointOf(winner), quote.Text(winner.Slice.API.Name),
		strings.Join(losers, ", "))
}
