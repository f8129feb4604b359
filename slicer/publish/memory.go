package publish

import (
	"maps"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/tracker"
)

// memory is what a Syncer remembers.
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
	calls int // the number of calls that hold the lock or wait for it
}

// lock waits until no other call works on the set.
func (m *memory) lock(set *tracker.Set) *remembered {
	k := keyOf(set)
	m.Lock()
	r := m.sets[k]
	if r == nil {
		r = &remembered{key: k}
		m.sets[k] = r
	}
	r.calls++
	m.Unlock()
	r.Lock()
	return r
}

// unlock ends a call, so that the next one can begin. It forgets the set if there is nothing to
// remember.
func (m *memory) unlock(r *remembered) {
	m.Lock()
	defer m.Unlock()
	if r.calls--; r.calls == 0 && r.Empty() {
		delete(m.sets, r.key)
	}
	r.Unlock()
}

func keyOf(set *tracker.Set) key {
	k := key{namespace: set.Namespace, managedBy: set.ManagedBy, name: set.Name}
	if name, ok := set.MatchLabels[discoveryv1.LabelServiceName]; ok && len(set.MatchLabels) == 1 {
		// The label of a Service may be given or left out: both identify the same set.
		k.name = name
	} else if len(set.MatchLabels) > 0 {
		var text []byte
		for _, name := range slices.Sorted(maps.Keys(set.MatchLabels)) {
			text = append(append(append(append(text, name...), 0), set.MatchLabels[name]...), 0)
		}
		k.name, k.labels = "", string(text)
	}
	return k
}
