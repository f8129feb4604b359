package publish

import (
	"maps"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/tracker"
)

// memory is what a Syncer remembers. The Syncers that its method With returns have the same memory.
type memory struct {
	sync.Mutex
	sets map[key]*remembered
}

// key identifies a set.
type key struct{ namespace, managedBy, name, labels string }

// remembered is what a Syncer remembers of one set. It is removed from the memory when it is empty
// and no call uses it.
type remembered struct {
	sync.Mutex
	tracker.Tracker
	key   key
	calls int           // the number of calls that hold the lock or wait for it
	call  *tracker.Call // the call that holds the lock
}

// A sync without changes takes its values from these pools and puts them back, so that it allocates
// little.
var (
	spare      = sync.Pool{New: func() any { return &remembered{} }}
	spareCalls = sync.Pool{New: func() any { return &tracker.Call{} }}
)

// lock waits until no other call uses the set, and begins a call.
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

// unlock ends a call, so that the next one can begin. It forgets the set if there is nothing to
// remember.
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
		// The label of a Service may be given or left out: both identify the same set.
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
