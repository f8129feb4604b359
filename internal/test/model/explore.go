package model

import (
	"fmt"
	"runtime/debug"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Report is what exploring a world found.
type Report struct {
	States, Edges int
	// writes that the server accepted, and those of them that took an endpoint away that is wanted
	Done, Lost int
	// writes that it refused, and of these, the ones on slices that no other client had written
	Refused, Own int
	Held         int               // states in which nothing may be planned yet
	Late         int               // late writes that took an endpoint away
	Unrest       int               // states that do not come to rest
	Cycles       int               // writes that can go on for ever while what is wanted stands still
	First        map[string]string // the shortest trace to one of each kind
	Computed     int               // plans
}

func (r Report) String() string {
	return fmt.Sprintf("%d states, %d transitions, %d held; %d writes, %d lost; %d refused, %d by own writes; %d "+
		"late losses; %d without rest, %d cycles; %d plans computed",
		r.States, r.Edges, r.Held, r.Done, r.Lost, r.Refused, r.Own, r.Late, r.Unrest, r.Cycles, r.Computed)
}

// model is a world while it is explored or replayed.
type model struct {
	World
	writers int
	types   []discoveryv1.AddressType
	judged  wish
	talk    bool // outcomes have texts

	contents []content
	numbers  map[string]int16
	plans    map[string][]step
	names    []string
	rested   map[string]string // what is wrong with a state at rest, "" for nothing, by key
	space    []byte
	possible []action
	keyer    keyer
}

func newModel(w World) *model {
	m := &model{World: w, writers: max(w.Writers, 1), numbers: map[string]int16{}, plans: map[string][]step{},
		rested: map[string]string{}}
	m.contents = []content{{}} // number 0 is none
	m.types = []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4}
	if w.DualStack {
		m.types = append(m.types, discoveryv1.AddressTypeIPv6)
	}
	if w.Crash {
		m.judged = everything
	}
	return m
}

func (m *model) start() state {
	var s state
	for i := range m.writers {
		s.writers[i].memory = m.memory()
	}
	return s
}

// explorer visits every state, the nearest first.
type explorer struct {
	*model
	ids    map[identity]int32
	ahead  []*state // states that are not expanded yet
	parent []int32
	how    []action
	start  []int32 // of each state, where its transitions begin
	// the states that actions without a fault lead to, twice the number, and 1 if something was
	// written
	faultless []int32
	report    Report
}

// Explore visits every state of a world. More states than the limit are an error.
func Explore(w World, limit int) (Report, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // most of what is allocated is kept
	x := &explorer{model: newModel(w), ids: map[identity]int32{}}
	x.report.First = map[string]string{}
	first := x.model.start()
	x.add(&first, -1, action{})
	for at := int32(0); int(at) < len(x.parent); at++ {
		if len(x.parent) > limit {
			return x.report, fmt.Errorf("more than %d states", limit)
		}
		s := x.ahead[0]
		x.ahead[0], x.ahead = nil, x.ahead[1:]
		x.expand(s, at)
	}
	x.cycles()
	x.report.States, x.report.Computed = len(x.parent), len(x.plans)
	return x.report, nil
}

func (x *explorer) add(s *state, parent int32, how action) int32 {
	id := x.identity(s)
	at, known := x.ids[id]
	if !known {
		at = int32(len(x.parent))
		x.ids[id] = at
		x.ahead = append(x.ahead, s)
		x.parent = append(x.parent, parent)
		x.how = append(x.how, how)
	}
	return at
}

func (x *explorer) expand(s *state, at int32) {
	r := &x.report
	x.start = append(x.start, int32(len(x.faultless)))
	for _, a := range append([]action(nil), x.actions(s)...) {
		n, out := x.do(s, a)
		to := x.add(&n, at, a)
		r.Edges++
		lost := out.pods|uint32(out.lost) != 0
		switch {
		case out.wrote && a.kind == lands && lost:
			r.Late++
			x.found("late", at, a)
		case out.wrote:
			r.Done++
			if lost {
				r.Lost++
				x.found("lost", at, a)
			}
		case out.refused:
			r.Refused++
			if out.own {
				r.Own++
				x.found("refused", at, a)
			}
		case out.held:
			r.Held++
		}
		if a.ordinary() {
			edge := to << 1
			if out.wrote {
				edge |= 1
			}
			x.faultless = append(x.faultless, edge)
		}
	}
	if what := x.rest(*s); what != "" {
		r.Unrest++
		x.found("unrest: "+what, at, action{kind: cutOff})
	}
}

// found keeps the first trace of a kind, which is a shortest one.
func (x *explorer) found(what string, at int32, a action) {
	what, _, _ = strings.Cut(what, ":")
	if x.report.First[what] != "" {
		return
	}
	list := []action{a}
	for ; at > 0; at = x.parent[at] {
		list = append(list, x.how[at])
	}
	var actions []action
	for i := len(list) - 1; i >= 0; i-- {
		actions = append(actions, list[i])
	}
	x.report.First[what] = Trace(x.World, actions)
}

// rest lets the caches catch up, and the first writer sync. It must be at rest after one round of
// writes, none of them refused, and what is wanted must be published. It returns what is wrong.
func (m *model) rest(s state) string {
	s.landing = nil
	w := &s.writers[0]
	for i := range m.writers {
		s.writers[i].plan, s.writers[i].seen = nil, len(s.log)
	}
	s.trim(m.writers)
	a := action{kind: makePlan}
	if m.Waits {
		n, out := m.do(&s, a)
		if out.held && !w.unknown && (m.UpTo || !m.mayNeedList() && !m.Lists) {
			return "held for ever"
		}
		if out.held {
			n, out = m.do(&s, action{kind: listLive})
		}
		if out.held {
			return "held after a list"
		}
		s = n
		s.writers[0].plan = nil // made again below, or known
	}
	key := string(m.key(s.shown.view, s.wish)) // nothing else counts
	wrong, known := m.rested[key]
	if !known {
		wrong = m.round(s)
		m.rested[key] = wrong
	}
	return wrong
}

// round is one sync with a current cache, and another that has nothing to do.
func (m *model) round(s state) string {
	s, _ = m.do(&s, action{kind: makePlan})
	for len(s.writers[0].plan) > 0 {
		n, out := m.do(&s, action{kind: writeStep})
		if out.refused {
			return "refused with a current cache"
		}
		for n.writers[0].seen < len(n.log) {
			n.writers[0].seen++
		}
		s = n
	}
	s, out := m.do(&s, action{kind: makePlan})
	if out.held || len(s.writers[0].plan) > 0 {
		return "not at rest after one round"
	}
	have, want := m.published(s.server().view), m.wanted(s.wish)
	if s.wish&dyingBit != 0 {
		want &= have
	}
	if have != want {
		return "something else is published than is wanted"
	}
	return ""
}

// cycles counts the writes from a state to one that leads back to it by actions without a fault
// alone.
func (x *explorer) cycles() {
	x.start = append(x.start, int32(len(x.faultless)))
	group := components(x.start, x.faultless)
	for v := range int32(len(x.start) - 1) {
		for _, edge := range x.faultless[x.start[v]:x.start[v+1]] {
			if edge&1 == 1 && group[v] == group[edge>>1] {
				x.report.Cycles++
				x.found("cycle", v, action{kind: writeStep})
			}
		}
	}
}

// components returns a number for each state, the same for states that lead to each other (Tarjan,
// without recursion).
func components(start, edges []int32) []int32 {
	n := len(start) - 1
	index := make([]int32, n)
	low := make([]int32, n)
	group := make([]int32, n)
	next := append([]int32(nil), start[:n]...)
	var stack, path []int32
	var count, groups int32
	visit := func(v int32) {
		count++
		index[v], low[v] = count, count
		stack = append(stack, v)
		path = append(path, v)
	}
	for root := range int32(n) {
		if index[root] == 0 {
			visit(root)
		}
		for len(path) > 0 {
			v := path[len(path)-1]
			if next[v] < start[v+1] {
				to := edges[next[v]] >> 1
				next[v]++
				if index[to] == 0 {
					visit(to)
				} else if group[to] == 0 {
					low[v] = min(low[v], index[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up] = min(low[up], low[v])
			}
			if low[v] < index[v] {
				continue
			}
			groups++
			for done := false; !done; {
				last := stack[len(stack)-1]
				stack, group[last] = stack[:len(stack)-1], groups
				done = last == v
			}
		}
	}
	return group
}
