package dedup_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup"
)

func TestProblemString(t *testing.T) {
	web := types.NamespacedName{Namespace: "shop", Name: "web-a"}
	err := field.Required(field.NewPath("endpoints").Index(7).Child("addresses"), "give one")
	for _, row := range []struct {
		why     string
		problem dedup.Problem
		want    string
	}{
		{"the slice and the error", dedup.Problem{Slice: web, Reason: dedup.NoAddress, Err: err},
			"shop/web-a: endpoints[7].addresses: Required value: give one"},
		{"a slice without name is not named", dedup.Problem{Reason: dedup.Unnamed, Err: err},
			"endpoints[7].addresses: Required value: give one"},
		{"without error the reason has to do (D8)", dedup.Problem{Slice: web, Reason: dedup.NoAddress}, "shop/web-a: " + dedup.NoAddress.String()},
		{"the zero value (D8)", dedup.Problem{}, dedup.NilSlice.String()},
		{"a reason that this version does not know (D8)", dedup.Problem{Reason: 99}, dedup.ProblemReason(99).String()},
	} {
		if got := row.problem.String(); got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
}

// TestWrongFamily: an address of another family than its slice has one reason, however it is spelt.
func TestWrongFamily(t *testing.T) {
	for _, c := range []struct {
		family  discoveryv1.AddressType
		address string
		want    dedup.ProblemReason
	}{
		{discoveryv1.AddressTypeIPv6, "10.0.0.1", dedup.WrongFamily},
		{discoveryv1.AddressTypeIPv6, "010.0.0.1", dedup.WrongFamily},
		{discoveryv1.AddressTypeIPv4, "fd00::1", dedup.WrongFamily},
		{discoveryv1.AddressTypeIPv4, "FD00::1", dedup.WrongFamily},
		{discoveryv1.AddressTypeIPv4, "web", dedup.BadAddress},
		{discoveryv1.AddressTypeIPv6, "::", dedup.BadAddress},
	} {
		s := slice("web-a", c.address)
		s.AddressType = c.family
		problems := slices.Collect(dedup.Merge([]*discoveryv1.EndpointSlice{s}, dedup.Options{}).Problems())
		if len(problems) != 1 || problems[0].Reason != c.want {
			t.Errorf("%s in a slice of %s: %v, want %v", c.address, c.family, problems, c.want)
		}
	}
}
