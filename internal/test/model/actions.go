package model

import (
	"slices"
)

// action is what happens next.
type action struct {
	kind   kind
	writer int
	pod    int
	name   string // of a slice that another client changes
}

type kind string

const (
	podChanges   kind = "pod"            // it becomes wanted, or stops being so
	portChanges  kind = "port"           // the target port changes
	maxChanges   kind = "max"            // to one less, or back
	addressMoves kind = "address"        // Pod 1 takes the address of Pod 2, or its own again
	parentDies   kind = "dying"          // the parent is being deleted
	cacheShows   kind = "cache"          // one more write
	cacheSkips   kind = "cache-skips"    // a write, and will show the one after it first
	makePlan     kind = "plan"           // from the cache
	listLive     kind = "list"           // and plan from the list
	writeStep    kind = "write"          // the next step of the plan
	loseAnswer   kind = "write-no-reply" // the next step is done, and the writer does not learn of it
	loseRequest  kind = "lose"           // the next step is not done, and the writer does not learn of it
	cutOff       kind = "cut"            // the rest of the plan is not written
	lands        kind = "lands"          // what was lost is done now
	neverLands   kind = "never-lands"    // what was lost is never done
	restart      kind = "restart"        // with a current cache
	startListed  kind = "restart-listed" // with the cache as it was, and a live list
	startBlind   kind = "restart-blind"  // with the cache as it was
	otherUpdate  kind = "other-updates"  // another client, a slice
	otherDelete  kind = "other-deletes"
	otherReplace kind = "other-replaces" // deletes it and makes it again
)

// ordinary actions leave what is wanted as it is and no fault behind: after enough of them a writer
// must be at rest.
func (a action) ordinary() bool {
	return slices.Contains([]kind{cacheShows, makePlan, writeStep, cutOff, listLive}, a.kind)
}

// outcome is what an action did.
type outcome struct {
	text    string
	wrote   bool
	refused bool
	own     bool  // no other client caused the refusal
	lost    pairs // taken away though wanted all the while
	pods    uint32
	held    bool
}

// actions are the possible actions.
func (m *model) actions(s *state) []action {
	list := m.possible[:0]
	for pod := range m.Pods {
		list = append(list, action{kind: podChanges, pod: pod})
	}
	if m.Ports > 1 {
		list = append(list, action{kind: portChanges})
	}
	if m.Shrinks {
		list = append(list, action{kind: maxChanges})
	}
	if m.Reuses {
		list = append(list, action{kind: addressMoves})
	}
	if m.World.Dying && s.wish&dyingBit == 0 {
		list = append(list, action{kind: parentDies})
	}
	room := m.Late
	for i := range m.writers {
		w := &s.writers[i]
		room = min(room, m.Late-(len(s.log)-w.seen))
		list = m.actionsOf(s, i, list)
	}
	if room > 0 {
		list = m.faults(s, room, list)
	}
	m.possible = list
	return list
}

func (m *model) actionsOf(s *state, i int, list []action) []action {
	w := &s.writers[i]
	late := len(s.log) - w.seen
	do := func(possible bool, k kind) {
		if possible {
			list = append(list, action{kind: k, writer: i})
		}
	}
	idle := len(w.plan) == 0
	do(late > 0, cacheShows)
	do(m.Reorders && late > 1 && s.mayMeet(w.seen), cacheSkips)
	do(idle && !(m.Crash && s.atWork()), makePlan)
	do(idle && (m.Lists || m.mayNeedList() && w.remembers()), listLive)
	do(!idle, cutOff)
	do(!idle && m.roomFor(s), writeStep)
	do(!idle && m.roomFor(s) && m.Lost, loseAnswer)
	do(!idle && m.Lost && s.landing == nil, loseRequest)
	do(late > 0 && m.Restart, restart)
	do(m.Listed, startListed)
	do(m.Blind && w.remembers(), startBlind)
	return list
}

// remembers reports whether a writer has something to wait for, or to look up.
func (w *writer) remembers() bool { return w.memory != nil && !w.memory.Empty() }

// atWork reports whether a plan is under way: in worlds with "crash" another writer takes over only
// between two plans.
func (s *state) atWork() bool {
	return slices.ContainsFunc(s.writers[:], func(w writer) bool { return len(w.plan) > 0 })
}

// mayNeedList reports whether a writer may have to list live to go on.
func (m *model) mayNeedList() bool {
	return m.Waits && (m.Lost || !m.UpTo && (m.Deletes || m.Replaces))
}

// roomFor reports whether no cache is as late as it may be.
func (m *model) roomFor(s *state) bool {
	for i := range m.writers {
		if len(s.log)-s.writers[i].seen >= m.Late {
			return false
		}
	}
	return true
}

// faults are what others do, and a write that comes late.
func (m *model) faults(s *state, room int, list []action) []action {
	if s.landing != nil {
		list = append(list, action{kind: lands}, action{kind: neverLands})
	}
	for _, o := range s.server().view {
		if m.Updates {
			list = append(list, action{kind: otherUpdate, name: o.name})
		}
		if m.Deletes {
			list = append(list, action{kind: otherDelete, name: o.name})
		}
		if m.Replaces && room > 1 {
			list = append(list, action{kind: otherReplace, name: o.name})
		}
	}
	return list
}

// do returns the state after an action, and what it did.
func (m *model) do(s *state, a action) (state, outcome) {
	n := *s
	w := &n.writers[a.writer]
	out := outcome{text: "done"}
	switch a.kind {
	case podChanges:
		n.wish ^= 1 << a.pod
	case portChanges:
		n.wish ^= portBit
	case maxChanges:
		n.wish ^= smallBit
	case addressMoves:
		n.wish ^= reuseBit
	case parentDies:
		n.wish |= dyingBit
	case cacheShows:
		w.seen++
		n.trim(m.writers)
	case cacheSkips:
		n.reorder(w.seen)
	case makePlan:
		out = m.plan(&n, w)
	case listLive:
		out = m.planFromList(&n, w)
	case cutOff:
		w.plan = nil
	case writeStep, loseAnswer, loseRequest:
		out = m.write(&n, a)
	case lands, neverLands:
		l := n.landing
		n.landing = nil
		if a.kind == lands {
			out = m.land(&n, l)
		}
	case restart:
		*w = writer{seen: len(n.log), memory: m.memory()}
		n.trim(m.writers)
	case startListed, startBlind:
		*w = writer{seen: w.seen, memory: m.memory()}
		if a.kind == startListed {
			out = m.planFromList(&n, w)
		}
	default:
		m.others(&n, a)
	}
	if len(w.plan) == 0 {
		w.plan = nil
		w.by = 0
		w.other = 0
		w.robbed = 0
		w.common = 0
	}
	return n, out
}

// others does what another client does to a slice.
func (m *model) others(n *state, a action) {
	before := n.server().view
	o := before[before.find(a.name)]
	bit := m.nameBit(a.name)
	if a.kind != otherUpdate {
		n.record(object{name: a.name}, bit, 0)
	}
	if a.kind == otherReplace {
		n.uid++
		o.uid = n.uid
	}
	if a.kind != otherDelete {
		n.record(o, bit, 0)
	}
	for i := range m.writers {
		if w := &n.writers[i]; len(w.plan) > 0 {
			w.other |= bit
			w.robbed |= m.robbed(before, a.name, n.server().view)
		}
	}
}

// robbed is what a slice held that another client deleted or replaced.
func (m *model) robbed(before view, name string, after view) pairs {
	at, now := before.find(name), after.find(name)
	if at < 0 || now >= 0 && before[at].uid == after[now].uid {
		return 0
	}
	return m.contents[before[at].content].pairs
}
