package sim

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// state is a slice as it was from one write to the next; object nil: it did not exist.
type state struct {
	object *discoveryv1.EndpointSlice
	since  int // the number of writes to the server before and with this one
}

type history struct{ states []state }

func (h *history) last() state { return h.states[len(h.states)-1] }

func (s *Server) record(name string, object *discoveryv1.EndpointSlice) {
	if s.objects == nil {
		s.objects = map[string]*history{}
	}
	h := s.objects[name]
	if h == nil {
		h = &history{states: []state{{}}}
		s.objects[name] = h
	}
	s.writes++
	s.written(name, h.last().object, object)
	h.states = append(h.states, state{object, s.writes})
}

// Writes counts the changes so far: the server's clock.
func (s *Server) Writes() int { return s.writes }

// Cache is what a client's watches have delivered: for each slice one of the states it had, of any
// age, but never an older one than before. Its zero value with a server is a cache that has seen
// nothing.
type Cache struct {
	Server *Server
	seen   map[string]int
	gone   []*discoveryv1.EndpointSlice
}

// Behind returns the names of slices of which newer states exist, sorted.
func (c *Cache) Behind() []string {
	var names []string
	for _, name := range c.Server.names() {
		if c.seen[name] < len(c.Server.objects[name].states)-1 {
			names = append(names, name)
		}
	}
	return names
}

// Current reports whether the cache shows the newest state of every slice.
func (c *Cache) Current() bool {
	for name, h := range c.Server.objects {
		if c.seen[name] < len(h.states)-1 {
			return false
		}
	}
	return true
}

// Step delivers the next state of one slice, and nothing if its newest is known already.
func (c *Cache) Step(name string) {
	h := c.Server.objects[name]
	if h == nil || c.seen[name] >= len(h.states)-1 {
		return
	}
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	was := h.states[c.seen[name]].object
	c.seen[name]++
	if was != nil && h.states[c.seen[name]].object == nil {
		c.gone = append(c.gone, was.DeepCopy())
	}
}

// Deleted returns the slices whose deletion was delivered since the last call, in their last states
// and in that order. It is an event, because the difference of two lists does not show a slice that
// was created and deleted between them.
func (c *Cache) Deleted() []*discoveryv1.EndpointSlice {
	gone := c.gone
	c.gone = nil
	return gone
}

// CatchUp delivers everything.
func (c *Cache) CatchUp() {
	for _, name := range c.Server.names() {
		for c.seen[name] < len(c.Server.objects[name].states)-1 {
			c.Step(name)
		}
	}
}

// List returns copies of the slices as the cache knows them, sorted by name.
func (c *Cache) List() []*discoveryv1.EndpointSlice {
	list := c.Originals()
	for i, slice := range list {
		list[i] = slice.DeepCopy()
	}
	return list
}

// Originals is List without copies. The slices must not be changed, and stay the same objects until
// the cache shows others.
func (c *Cache) Originals() []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, name := range c.Server.names() {
		if o := c.Server.objects[name].states[c.seen[name]].object; o != nil {
			list = append(list, o)
		}
	}
	return list
}

// Horizon returns the server's clock when the first of the states that the cache is missing was
// written: everything that the cache shows was true before it. Without missing states it is the
// clock of the next write.
func (c *Cache) Horizon() int {
	horizon := c.Server.writes + 1
	for _, name := range c.Behind() {
		horizon = min(horizon, c.Server.objects[name].states[c.seen[name]+1].since)
	}
	return horizon
}
