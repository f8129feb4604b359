package service

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// finder finds the workload that a published endpoint is of: a Pod by its name, which is that of the endpoint's target, and a
// Backend by one of its addresses. Of several workloads that share one it finds the first. Its table is filled when it is first
// needed.
type finder struct {
	of        *workloads
	namespace string // of the Pods to find; empty: all are to be found
	table     endpoint.Table
	hasher    endpoint.Hasher
	indexed   bool // the table is filled
}

// begin makes ready to find workloads.
func (f *finder) begin(of *workloads, namespace string) {
	*f = finder{of: of, namespace: namespace, table: f.table}
}

// keyOf returns what an endpoint's workload is found by, empty for none.
func (f *finder) keyOf(e *discoveryv1.Endpoint) string {
	switch {
	case len(e.Addresses) == 0:
		return ""
	case f.of.pods == nil:
		return e.Addresses[0]
	case e.TargetRef != nil:
		return e.TargetRef.Name
	default:
		return ""
	}
}

// fewAddresses is how many of a Backend's addresses it is found by, so that no search looks at very many.
const fewAddresses = 8

func firstOf(addresses []string) []string { return addresses[:min(len(addresses), fewAddresses)] }

// has reports whether a workload has the key.
func (f *finder) has(i int32, key string) bool {
	if f.of.pods == nil {
		b := &f.of.backends[i]
		return b.Address == key || slices.Contains(firstOf(b.Addresses), key)
	}
	pod := f.of.pods[i]
	return pod != nil && pod.Name == key
}

// find returns the workload that has the key, or none.
func (f *finder) find(key string) int32 {
	f.index()
	_, found := f.probe(f.hasher.String(key), key)
	return found
}

// guess is find by the hash alone: none for sure, or else perhaps another workload than that which has the key.
func (f *finder) guess(key string) int32 {
	f.index()
	hash := f.hasher.String(key)
	_, likely := f.table.Probe(hash, uint32(hash))
	return likely
}

// index fills the table, once.
func (f *finder) index() {
	if f.indexed {
		return
	}
	f.indexed = true
	f.hasher = endpoint.NewHasher()
	if f.of.pods == nil {
		f.indexBackends()
		return
	}
	f.table.Reset(len(f.of.pods))
	for i, pod := range f.of.pods {
		f.prefetchNames(i)
		if pod != nil && (f.namespace == "" || pod.Namespace == f.namespace) {
			f.enter(pod.Name, int32(i))
		}
	}
}

func (f *finder) indexBackends() {
	n := len(f.of.backends)
	for i := range f.of.backends {
		n += len(firstOf(f.of.backends[i].Addresses))
	}
	f.table.Reset(n)
	for i := range f.of.backends {
		b := &f.of.backends[i]
		if b.Address != "" {
			f.enter(b.Address, int32(i))
		}
		for _, address := range firstOf(b.Addresses) {
			f.enter(address, int32(i))
		}
	}
}

func (f *finder) enter(key string, i int32) {
	hash := f.hasher.String(key)
	if slot, found := f.probe(hash, key); found == none {
		f.table.Put(slot, hash, i)
	}
}

// probe returns the workload in the table that has the key, or none and a free slot.
func (f *finder) probe(hash uint64, key string) (slot uint32, found int32) {
	slot, found = f.table.Probe(hash, uint32(hash))
	for found != none && !f.has(found, key) {
		slot, found = f.table.Probe(hash, slot+1)
	}
	return slot, found
}
