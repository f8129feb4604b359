package identity

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
