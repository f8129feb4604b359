package conditions

// Usable returns the endpoints that a reader may send traffic to: the ready ones; if there are none, those that serve
// while they terminate (KEP-1669); else none. state reads an endpoint's conditions and must not be nil. The result keeps the
// order of the input, is nil when nothing is usable, and is a slice of its own: the input is neither changed nor kept.
// Call it once for each set that falls back on its own, such as all endpoints and those of one node.
func Usable[E any](endpoints []E, state func(E) State) []E {
	var ready, draining []E
	for _, e := range endpoints {
		switch s := state(e); {
		case s.Ready:
			ready = append(ready, e)
		case s.ServesWhileTerminating():
			draining = append(draining, e)
		}
	}
	if ready != nil {
		return ready
	}
	return draining
}
