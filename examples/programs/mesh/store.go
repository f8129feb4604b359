package main

import (
	"context"
	"log"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// store takes slices from a watch into an index. A reflector can fill it (cache.ReflectorStore)
// without a cache of objects in between: a list that replaces a lost watch counts as a whole, never
// event by event, in whatever order.
type store struct {
	mu      sync.Mutex
	index   *dedup.Index
	changed chan struct{} // holds a token while there is something to flush
}

func newStore(index *dedup.Index) *store {
	return &store{index: index, changed: make(chan struct{}, 1)}
}

func (s *store) note(event func(*dedup.Index)) error {
	s.mu.Lock()
	event(s.index)
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default: // those who wait will see this event too
	}
	return nil
}

// Add, Update and Delete take an event, Replace what a list says.

func (s *store) Add(object any) error { return s.Update(object) }

func (s *store) Update(object any) error {
	slice, _ := object.(*discoveryv1.EndpointSlice)
	return s.note(func(index *dedup.Index) { index.Upsert(slice) })
}

func (s *store) Delete(object any) error {
	slice, _ := object.(*discoveryv1.EndpointSlice)
	return s.note(func(index *dedup.Index) { index.Delete(slice.GetNamespace(), slice.GetName()) })
}

func (s *store) Replace(objects []any, _ string) error {
	slices := make([]*discoveryv1.EndpointSlice, len(objects))
	for i := range objects {
		slices[i], _ = objects[i].(*discoveryv1.EndpointSlice)
	}
	return s.note(func(index *dedup.Index) { index.Replace(slices) })
}

func (s *store) Resync() error { return nil }

// wait returns when something changed; it is false when the context ended.
func (s *store) wait(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-s.changed:
		return true
	}
}

// publish hands on what changed: all events since the last call as one. One goroutine calls it, so
// that no older view follows a newer one.
func (s *store) publish(c *caches) {
	s.mu.Lock()
	changes, problems := s.index.Flush()
	view := s.index.View()
	s.mu.Unlock()
	if err := c.apply(changes.Ports, view); err != nil {
		log.Print(err)
	}
	if len(problems) > 0 {
		log.Print(problems) // what cannot be served
	}
}
