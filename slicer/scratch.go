package slicer

import (
	corev1 "k8s.io/api/core/v1"
)

// Scratch is memory in which FromService and FromBackends derive one Input after the other. A controller gives each of
// its workers one, in ServiceOptions.Scratch: then next to nothing is left for the garbage collector, and endpoints that
// slices hold already are not even made (see Derived). Plans are the same as without it. The zero value is ready for use.
//
// Each call overwrites the Input of the call before it, so compute the plan in between; of a plan nothing lies here. Two
// calls must not use one Scratch at the same time, nor one call while Compute reads what another has left there.
//
// A Scratch grows to the largest Input so far and never shrinks. It keeps the texts of the last one alive, but no Pod.
type Scratch struct {
	call      int // counts them
	records   []record
	used      int // records that there were in the last Input
	families  [len(serviceTypes)]family
	addresses shelf[string]
	texts     shelf[string]
	refs      shelf[corev1.ObjectReference]
	slots     []placeSlot
	known     []place
	ips       []string
	declared  []BackendPort
}

// reset makes everything free again.
func (s *Scratch) reset() {
	s.call++
	s.used, s.records = len(s.records), s.records[:0]
	for i := range s.families {
		s.families[i].reset()
	}
	s.addresses.reset()
	s.texts.reset()
	s.refs.reset()
}

// settle lets go of what the last Input had more than this one.
func (s *Scratch) settle() {
	if n := len(s.records); n < s.used {
		clear(s.records[n:s.used])
	}
	for i := range s.families {
		s.families[i].settle()
	}
	s.addresses.settle()
	s.texts.settle()
	s.refs.settle()
}

// shelf has places for values that are pointed to, so that they never move: when one board is full, the next is another.
type shelf[T any] struct {
	board  []T // those beyond its length are free
	before int // places on earlier boards, which the shelf has forgotten
	used   int // places of this board that were taken before the reset
}

// reset makes all places free, on one board that has as many as were taken.
func (s *shelf[T]) reset() {
	s.used = len(s.board)
	if s.before > 0 {
		s.board, s.before, s.used = make([]T, 0, s.before+len(s.board)), 0, 0
	}
	s.board = s.board[:0]
}

// settle lets go of values from before the reset.
func (s *shelf[T]) settle() {
	if n := len(s.board); n < s.used {
		clear(s.board[n:s.used])
	}
}

// forget is reset for a shelf that is to keep nothing alive.
func (s *shelf[T]) forget() {
	clear(s.board)
	s.reset()
}

// next returns a list of one place, which may hold a value from before the reset. d says how large the next board is.
func (s *shelf[T]) next(d interface{ room() int }) []T {
	n := len(s.board)
	if n == cap(s.board) {
		s.before += n
		s.board, s.used, n = make([]T, 0, d.room()), 0, 0
	}
	s.board = s.board[:n+1]
	return s.board[n : n+1 : n+1]
}
