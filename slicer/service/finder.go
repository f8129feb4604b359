package service

import (
	"hash/maphash"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// finder finds the workload that a published endpoint is of: a Pod by its name, which is that of the endpoint's target, and a
// Backend by one of its addresses. Of several workloads that share one it finds the first. Its table is filled when it is first
// needed.
type finder struct {
	of        *workloads
	namespace string // of the Pods to find
	table     endpoint.Table[string]
	workloads []int32 // of each key in the table
	indexed   bool    // the table is filled
}

// begin makes ready to find workloads.
func (f *finder) begin(of *workloads, namespace string) {
	f.table.Reset(0)
	*f = finder{of: of, namespace: namespace, table: f.table, workloads: f.workloads[:0]}
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
	return pod.Name == key && pod.Namespace == f.namespace
}

// find returns the workload that has the key, or none.
func (f *finder) find(key string) int32 {
	f.index()
	if n := f.table.Find(&key, maphash.String(f.table.Seed(), key)); n >= 0 {
		return f.workloads[n]
	}
	return none
}

// index fills the table, once.
func (f *finder) index() {
	if f.indexed {
		return
	}
	f.indexed = true
	if f.of.pods == nil {
		f.indexBackends()
		return
	}
	f.table.Reset(len(f.of.pods))
	for i, pod := range f.of.pods {
		if pod.Namespace == f.namespace {
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
	if _, isNew := f.table.Add(&key, maphash.String(f.table.Seed(), key)); isNew {
		f.workloads = append(f.workloads, i)
	}
}
