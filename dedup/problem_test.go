package dedup_test

import (
	"testing"

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
