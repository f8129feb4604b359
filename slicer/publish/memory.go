package publish

import (
	"maps"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/tracker"
)

// memory is what a Syncer and those with other options remember.
type memory struct {
	sync.Mutex
	sets map[key]*remembered
}

// key tells a set from all others.
type key struct{ namespace, managedBy, name, labels string }

// remembered is what is remembered of one set. It is in the memory as long as a call needs it, or something is remembered.
type remembered struct {
	sync.Mutex
	tracker.Tracker
	key   key
	calls int           // that hold the lock or wait for it
	call  *tracker.Call // of the one that holds the lock; a spare one keeps its memory
}

// A sync without changes takes these, and gives them back, so that it allocates little.
var (
	spare      = sync.Pool{New: func() any { return &remembered{} }}
	spareCalls = sync.Pool{New: func() any { return &tracker.Call{} }}
)

// lock waits until no other call is at work on the set.
func (m *memory) lock(set tracker.Set) *remembered {
	k := keyOf(&set)
	m.Lock()
	r := m.sets[k]
	if r == nil {
		r = spare.Get().(*remembered)
		r.key = k
		m.sets[k] = r
	}
	r.calls++
	m.Unlock()
	r.Lock()
	if r.call == nil {
		r.call = spareCalls.Get().(*tracker.Call)
	}
	*r.call = r.Begin(set)
	return r
}

// unlock lets the next call go on, and forgets the set if nothing of it is remembered.
func (m *memory) unlock(r *remembered) {
	m.Lock()
	defer m.Unlock()
	*r.call = tracker.Call{}
	if r.calls--; r.calls > 0 {
		r.Unlock()
		return
	}
	if r.Unlock(); r.Empty() {
		delete(m.sets, r.key)
		r.key = key{}
		spare.Put(r)
	} else {
		spareCalls.Put(r.call)
		r.call = nil
	}
}

func keyOf(set *tracker.Set) key {
	k := key{namespace: set.Namespace, managedBy: set.ManagedBy, name: set.Name}
	if name, ok := set.Labels[discoveryv1.LabelServiceName]; ok && len(set.Labels) == 1 {
		k.name = name
	} else if len(set.Labels) > 0 {
		var text []byte
		for _, name := range slices.Sorted(maps.Keys(set.Labels)) {
			text = append(append(append(append(text, name...), 0), set.Labels[name]...), 0)
		}
		k.name, k.labels = "", string(text)
	}
	return k
}
