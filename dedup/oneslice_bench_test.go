package dedup_test

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
)

// mapEntry is what a reader keeps of an endpoint that keeps maps.
type mapEntry struct {
	address, node, zone, pod, hint string
	port                           int32
	state                          conditions.State
}

// mapReader keeps the endpoints of one port as readers do by hand: a map of addresses for each slice, and one of all.
type mapReader struct {
	slices map[string]map[string]mapEntry
	all    map[string]mapEntry
}

func newMapReader() *mapReader {
	return &mapReader{slices: map[string]map[string]mapEntry{}, all: map[string]mapEntry{}}
}

// update takes a slice in, and returns what came or changed, and what went.
func (m *mapReader) update(s *discoveryv1.EndpointSlice) (news, gone []mapEntry) {
	number, match := dedup.ResolvePort(s, "http", "TCP")
	if match != dedup.MatchNumber {
		return nil, nil
	}
	before, now := m.slices[s.Name], make(map[string]mapEntry, len(s.Endpoints))
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		entry := mapEntry{
			address: e.Addresses[0], node: *e.NodeName, zone: *e.Zone, pod: e.TargetRef.Name,
			hint: e.Hints.ForZones[0].Name, port: number, state: conditions.Of(e.Conditions),
		}
		now[entry.address] = entry
		if old, known := before[entry.address]; !known || old != entry {
			m.all[entry.address] = entry
			news = append(news, entry)
		}
	}
	for address, entry := range before {
		if _, stays := now[address]; !stays {
			delete(m.all, address)
			gone = append(gone, entry)
		}
	}
	m.slices[s.Name] = now
	return news, gone
}

// BenchmarkOneSlice changes an endpoint of one of ten slices of 100 and back, and hears all that a reader needs to make the
// slice's endpoints anew: those that the event changed, and those that the slice has.
func BenchmarkOneSlice(b *testing.B) {
	list := manySlices(1000)
	flipped := list[3].DeepCopy()
	flipped.Endpoints[42].Conditions.Ready = ptr(false)
	flipped.ResourceVersion = "2"
	turns := [2]*discoveryv1.EndpointSlice{flipped, list[3]}
	b.Run("impl=slicewright", func(b *testing.B) {
		var ix dedup.Index
		ix.Replace(list)
		ix.Flush()
		turn := 0
		b.ReportAllocs()
		for b.Loop() {
			s := turns[turn%2]
			turn++
			ix.Upsert(s)
			deltas := portsOf(ix.Flush())
			n := 0
			for range ix.View().OfSlice(s.Namespace, s.Name) {
				n++
			}
			if !isOneChange(deltas) || n != 100 {
				b.Fatalf("got %v, %d endpoints", deltas, n)
			}
		}
	})
	b.Run("impl=maps", func(b *testing.B) {
		m := newMapReader()
		for _, s := range list {
			m.update(s)
		}
		turn := 0
		b.ReportAllocs()
		for b.Loop() {
			s := turns[turn%2]
			turn++
			news, gone := m.update(s)
			n := 0
			for range m.slices[s.Name] {
				n++
			}
			if len(news) != 1 || len(gone) != 0 || n != 100 {
				b.Fatalf("got %v, %v, %d endpoints", news, gone, n)
			}
		}
	})
}
