package services_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// perFamily returns the addresses of each endpoint that is wanted of a Backend.
func perFamily(t *rapid.T, b services.Backend, o services.Options) map[discoveryv1.AddressType][][]string {
	in, err := services.BackendsInput(aService(withFamilies("IPv4", "IPv6")), []services.Backend{b}, o)
	if err != nil {
		t.Fatal(err)
	}
	all := map[discoveryv1.AddressType][][]string{}
	for _, g := range in.Groups {
		for _, e := range g.Endpoints {
			all[g.AddressType] = append(all[g.AddressType], e.Addresses)
		}
	}
	return all
}

// TestPerFamily: JoinedAddresses has one endpoint of each family, with the addresses that
// EachAddress publishes, each once. FirstAddress has one with the first of them that the API server
// accepts, or the first if there is none.
func TestPerFamily(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, o := gen.Backend(t, 1), services.Options{ManagedBy: manager, Slices: gen.Options(t)}
		each := perFamily(t, b, o)
		o.PerFamily = services.FirstAddress
		first := perFamily(t, b, o)
		o.PerFamily = services.JoinedAddresses
		joined := perFamily(t, b, o)
		for _, family := range endpoint.Families {
			list := slices.Concat(each[family]...)
			var once, one [][]string
			if len(list) > 0 {
				once = [][]string{nil}
				for _, ip := range list {
					if !slices.Contains(once[0], ip) {
						once[0] = append(once[0], ip)
					}
				}
				accepted := slices.IndexFunc(list, func(ip string) bool { return accept.IP(nil, ip) == nil })
				if o.Slices.Invalid == slicer.Pass {
					accepted = 0
				}
				one = [][]string{{list[max(0, accepted)]}}
			}
			if d := cmp.Diff(once, joined[family]) + cmp.Diff(one, first[family]); d != "" {
				t.Fatalf("of %v of %v: -want +have\n%s", family, b.Addresses, d)
			}
		}
		if families := len(each); len(first) != families || len(joined) != families {
			t.Fatalf("families of %v: %v, %v, %v", b.Addresses, maps.Keys(each), maps.Keys(first), maps.Keys(joined))
		}
	})
}
