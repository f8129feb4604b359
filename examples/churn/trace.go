package main

// trace is a history of a Service's Pods, cut into what a controller sees between one plan and the next.
type trace struct {
	name, what string
	rounds     []round
}

// round lists the Pods that changed since the one before, by number. A Pod that is neither ready nor gone is published as
// not ready: it starts, terminates or fails its probe.
type round struct {
	ready, unready, gone []int
}
