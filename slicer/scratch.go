package slicer

import (
	corev1 "k8s.io/api/core/v1"
)

// Scratch is memory in which FromService and FromBackends make one Input after the other. A controller that gives each of
// its workers one, in ServiceOptions.Scratch, spares the garbage collector some 250 bytes for every endpoint of every
// change. The zero value is ready for use.
//
// A call overwrites the Input of the call before it with the same Scratch, and with it what the Rejected and Unplaced of
// a plan name of that Input's endpoints. Nothing else of a plan is touched: its slices have memory of their own. A
// Scratch must not be used by two calls at once.
//
// It grows to the largest Input so far and never shrinks, and it keeps the strings of the last one alive.
type Scratch struct {
	families  [len(serviceTypes)]family
	addresses shelf[string]
	texts     shelf[string]
	refs      shelf[corev1.ObjectReference]
	slots     []int32 // of places
	known     []place // of places
	ips       []string
	declared  []BackendPort
}

// reset makes everything free again.
func (s *Scratch) reset() {
	for i := range s.families {
		s.families[i].reset()
	}
	s.addresses.reset()
	s.texts.reset()
	s.refs.reset()
}

// shelf has places for values that are pointed to, so that they never move: when one board is full, the next is another.
type shelf[T any] struct {
	board  []T // those beyond its length are free
	before int // places on earlier boards, which the shelf has forgotten
}

// reset makes all places free, on one board that has as many as were taken.
func (s *shelf[T]) reset() {
	if s.before > 0 {
		s.board, s.before = make([]T, 0, s.before+len(s.board)), 0
	}
	s.board = s.board[:0]
}

// next returns a list of one place, which may hold a value from before the reset.
func (s *shelf[T]) next(d *derivation) []T {
	n := len(s.board)
	if n == cap(s.board) {
		s.before += n
		s.board, n = make([]T, 0, d.room()), 0
	}
	s.board = s.board[:n+1]
	return s.board[n : n+1 : n+1]
}
