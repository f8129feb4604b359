package dedup_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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
		{"the slice and the error", dedup.Problem{Slice: web, Reason: dedup.BadAddress, Err: err},
			"shop/web-a: endpoints[7].addresses: Required value: give one"},
		{"a slice without name is not named", dedup.Problem{Reason: dedup.NoSlice, Err: err},
			"endpoints[7].addresses: Required value: give one"},
		{"without error the reason has to do (D8)", dedup.Problem{Slice: web, Reason: dedup.BadAddress}, "shop/web-a: " + string(dedup.BadAddress)},
		{"the zero value (D8)", dedup.Problem{}, ""},
		{"a reason that this version does not know (D8)", dedup.Problem{Reason: "Unheard"}, "Unheard"},
	} {
		if got := row.problem.String(); got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
}

// TestProblemsAreBounded: the text of many problems has twenty lines and says how many more there
// are.
func TestProblemsAreBounded(t *testing.T) {
	web := dedup.Problem{Reason: dedup.BadAddress}
	for n, lines := range map[int]int{1: 1, 20: 20, 21: 21, 1501: 21} {
		text := dedup.Problems(slices.Repeat([]dedup.Problem{web}, n)).String()
		more := fmt.Sprintf("\nand %d more: the Problems list all", n-20)
		if got := strings.Count(text, "\n") + 1; got != lines || strings.HasSuffix(text, more) != (n > 20) {
			t.Errorf("%d problems: %d lines: %s", n, got, text)
		}
	}
}

// faultOf returns the *field.Error of a problem, an empty one where there is none.
func faultOf(p dedup.Problem) *field.Error {
	fault := &field.Error{}
	errors.As(p.Err, &fault)
	return fault
}
