package items

import (
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestGroups: a group for each address type and port set, found again by the same, in the order of types and then of ports.
func TestGroups(t *testing.T) {
	var m Groups
	var order []int32
	rapid.Check(t, func(t *rapid.T) {
		type key struct {
			typ   int
			ports string
		}
		known := map[key]int32{}
		for range rapid.IntRange(0, 30).Draw(t, "asked") {
			typ := rapid.IntRange(0, 2).Draw(t, "type")
			var ports []discoveryv1.EndpointPort
			for range rapid.IntRange(0, 2).Draw(t, "ports") {
				name, number := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "name"), rapid.SampledFrom([]int32{80, 81}).Draw(t, "number")
				ports = append(ports, discoveryv1.EndpointPort{Name: &name, Port: &number})
			}
			canonical := endpoint.Ports(nil, ports)
			k := key{typ, fmt.Sprint(canonical)}
			want, isKnown := known[k]
			if !isKnown {
				want = None
			}
			if got := m.Find(typ, canonical); got != want {
				t.Fatalf("%v is group %d, want %d", k, got, want)
			}
			if !isKnown {
				want = int32(len(known))
				known[k] = want
			}
			if got := m.Intern(typ, canonical); got != want {
				t.Fatalf("%v becomes group %d, want %d", k, got, want)
			}
			if g := m.All()[want]; int(g.Type) != typ || !slices.Equal(g.Ports, canonical) {
				t.Fatalf("group %d is %+v", want, g)
			}
		}
		groups := m.All()
		if len(groups) != len(known) {
			t.Fatalf("%d groups, want %d", len(groups), len(known))
		}
		order = Ranked(groups, order)
		if len(order) != len(groups) {
			t.Fatalf("%d of %d in order", len(order), len(groups))
		}
		for rank, i := range order {
			g := &groups[i]
			if g.Rank != int32(rank) {
				t.Fatalf("group %d has rank %d, want %d", i, g.Rank, rank)
			}
			if rank == 0 {
				continue
			}
			last := &groups[order[rank-1]]
			if last.Type > g.Type || last.Type == g.Type && slices.CompareFunc(last.Ports, g.Ports, endpoint.Port.Compare) >= 0 {
				t.Fatalf("%+v comes before %+v", last, g)
			}
		}
		m.Release()
		if len(m.All()) != 0 || len(groups) > 0 && (groups[0].Ports != nil || m.Find(int(groups[0].Type), groups[0].Ports) != None) {
			t.Fatal("groups are left")
		}
	})
}

// TestAddressSet: which addresses are there, and which come again, until there are too many blocks of them.
func TestAddressSet(t *testing.T) {
	var s addressSet
	hasher := endpoint.NewHasher()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 2000).Draw(t, "addresses")
		far := rapid.SampledFrom([]uint32{1, 3, 64, 256}).Draw(t, "apart")
		s.reset(n, &hasher)
		known, blocks := map[uint32]bool{}, map[uint32]bool{}
		for i := range uint32(n) {
			ip := i * far
			if rapid.IntRange(0, 50).Draw(t, "again") == 50 {
				ip = i / 2 * far
			}
			want := !known[ip] && (blocks[ip>>8] || len(blocks) < 32+n/8)
			if s.has(ip) != known[ip] || s.add(ip) != want {
				t.Fatalf("address %d of %d: known %v, to be added %v", i, n, known[ip], want)
			}
			if want {
				known[ip], blocks[ip>>8] = true, true
			}
		}
		for ip := range known {
			if !s.has(ip) || s.has(ip+far*uint32(n)) {
				t.Fatalf("%d is there: %v", ip, s.has(ip))
			}
		}
	})
}

// TestAddressSetStaysShort holds the set to G11: whatever the addresses, finding a block takes a few steps. So many blocks have
// some that the table takes for each other, which the set does not.
func TestAddressSetStaysShort(t *testing.T) {
	const n = 20000
	var s addressSet
	for range 10 {
		hasher := endpoint.NewHasher()
		for _, apart := range []uint32{1 << 8, 3 << 8, 1 << 12, 3 << 10, 1 << 16} {
			s.reset(8*n, &hasher)
			steps := 0
			for i := range uint32(n) {
				if !s.add(i * apart) {
					t.Fatalf("%x is there", i*apart)
				}
				slot, hash, _ := s.find(i * apart >> 8)
				steps += 1 + int((slot-uint32(hash))&(1<<15-1))
			}
			if steps > 3*n {
				t.Errorf("%x apart, %d blocks take %d steps", apart, n, steps)
			}
		}
	}
}
