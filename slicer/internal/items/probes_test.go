package items

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestProbesStayShort holds the table of identities to G11: whatever the endpoints have in common, finding one takes a
// few steps, and not more for many endpoints than for few.
func TestProbesStayShort(t *testing.T) {
	const byUID = "one Pod name, many UIDs"
	const n, limit = 20000, 8 // three quarters full, a free slot is 8.5 steps away on average, a hit 2.5
	shapes := map[string]func(i int) discoveryv1.Endpoint{
		"addresses in order": func(i int) discoveryv1.Endpoint { return at(fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)) },
		"addresses that differ in the first number": func(i int) discoveryv1.Endpoint {
			return at(fmt.Sprintf("%d.%d.%d.1", 1+i%100, i/100%250, i/25000))
		},
		"IPv6": func(i int) discoveryv1.Endpoint { return at(fmt.Sprintf("fd00:0:0:%x::1", i+1)) },
		"one address, many hostnames": func(i int) discoveryv1.Endpoint {
			e := at("10.0.0.1")
			e.Hostname = new(string)
			*e.Hostname = fmt.Sprintf("web-%d", i)
			return e
		},
		"one address, many Pods": func(i int) discoveryv1.Endpoint {
			e := at("10.0.0.1")
			e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: fmt.Sprintf("web-%d", i)}
			return e
		},
		"one Pod name, many namespaces": func(i int) discoveryv1.Endpoint {
			e := at("10.0.0.1")
			e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: fmt.Sprintf("ns-%d", i), Name: "web"}
			return e
		},
		"one Pod name, many kinds": func(i int) discoveryv1.Endpoint {
			e := at("10.0.0.1")
			e.TargetRef = &corev1.ObjectReference{Kind: fmt.Sprintf("Kind%d", i), Namespace: "ns", Name: "web"}
			return e
		},
		"two addresses, the second differs": func(i int) discoveryv1.Endpoint {
			return at("10.0.0.1", fmt.Sprintf("10.%d.%d.%d", 1+i>>16, i>>8&255, i&255))
		},
		byUID: func(i int) discoveryv1.Endpoint {
			e := at("10.0.0.1")
			e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: "web", UID: types.UID(fmt.Sprint(i))}
			return e
		},
		"names": func(i int) discoveryv1.Endpoint { return at(fmt.Sprintf("web-%d.example.com", i)) },
	}
	for name, shape := range shapes {
		var all []Item
		for i := range n {
			e := shape(i)
			all = append(all, Item{Endpoint: &e, IP: endpoint.OnlyIPv4(&e)})
		}
		f := &Finder{}
		f.Take(all, []Group{{ByUID: name == byUID}}, false)
		if f.index(); len(f.items) != n {
			t.Fatalf("%s: %d of %d endpoints are told apart", name, len(f.items), n)
		}
		if steps := f.steps(1 << 15); steps > limit*n {
			t.Errorf("%s: finding %d endpoints takes %d steps", name, n, steps)
		}
	}
}

// TestIdentityChainsStayShort holds the table of identities in all groups to G11: endpoints that share an address, in one group or
// each in a group of its own, are found by what else identifies them, and those that are addresses alone by these.
func TestIdentityChainsStayShort(t *testing.T) {
	const n = 4000
	oneAddress := func(i int32) discoveryv1.Endpoint {
		e := at("10.0.0.1")
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: fmt.Sprintf("web-%d", i)}
		return e
	}
	for _, row := range []struct {
		why    string
		shape  func(i int32) discoveryv1.Endpoint
		groups int32
	}{
		{"one address, one group", oneAddress, 1},
		{"one address, many groups", oneAddress, n},
		{"addresses 64 apart", func(i int32) discoveryv1.Endpoint { return at(fmt.Sprintf("10.%d.%d.%d", i>>10, i>>2&255, i&3*64)) }, 1},
	} {
		var all []Item
		for i := range int32(n) {
			e := row.shape(i)
			all = append(all, Item{Endpoint: &e, IP: endpoint.OnlyIPv4(&e), Group: i % row.groups})
		}
		f := &Finder{}
		f.Take(all, make([]Group, row.groups), false)
		table, steps := f.ByIdentity(), 0
		for _, head := range table.heads {
			for i, length := head-1, 1; i >= 0; i, length = table.next[i]-1, length+1 {
				steps += length // to find the item at this place of its chain
			}
		}
		if steps > 2*n {
			t.Errorf("%s: finding %d endpoints takes %d steps", row.why, n, steps)
		}
	}
}

func at(addresses ...string) discoveryv1.Endpoint { return discoveryv1.Endpoint{Addresses: addresses} }

// steps adds up how far each item is from where its hash says, in a table of so many slots.
func (f *Finder) steps(slots uint32) int {
	steps := 0
	for i := range f.items {
		hash := f.identityHash(f.items[i].Endpoint, f.items[i].Group)
		slot, found := f.table.Probe(hash, uint32(hash))
		for found != int32(i) {
			slot, found = f.table.Probe(hash, slot+1)
		}
		steps += 1 + int((slot-uint32(hash))&(slots-1))
	}
	return steps
}
