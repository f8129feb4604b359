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

func TestNoticeString(t *testing.T) {
	web := types.NamespacedName{Namespace: "shop", Name: "web-a"}
	err := field.Required(field.NewPath("endpoints").Index(7).Child("addresses"), "give one")
	for _, row := range []struct {
		why    string
		notice dedup.Notice
		want   string
	}{
		{"the slice and the error", dedup.Notice{Slice: web, Reason: "BadAddress", Err: err},
			"shop/web-a: endpoints[7].addresses: Required value: give one"},
		{"a slice without name is not named", dedup.Notice{Reason: "NoSlice", Err: err},
			"endpoints[7].addresses: Required value: give one"},
		{"without error the reason has to do (D8)", dedup.Notice{Slice: web, Reason: "BadAddress"}, "shop/web-a: " + "BadAddress"},
		{"the zero value (D8)", dedup.Notice{}, ""},
		{"a reason that this version does not know (D8)", dedup.Notice{Reason: "Unheard"}, "Unheard"},
	} {
		if got := row.notice.String(); got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
}

// TestNoticesAreBounded: the text of many Notices has twenty lines and says how many more there
// are.
func TestNoticesAreBounded(t *testing.T) {
	web := dedup.Notice{Reason: "BadAddress"}
	for n, lines := range map[int]int{1: 1, 20: 20, 21: 21, 1501: 21} {
		text := dedup.Notices(slices.Repeat([]dedup.Notice{web}, n)).String()
		more := fmt.Sprintf("\nand %d more", n-20)
		if got := strings.Count(text, "\n") + 1; got != lines || strings.HasSuffix(text, more) != (n > 20) {
			t.Errorf("%d Notices: %d lines: %s", n, got, text)
		}
	}
}

// faultOf returns the *field.Error of a Notice, an empty one where there is none.
func faultOf(p dedup.Notice) *field.Error {
	fault := &field.Error{}
	errors.As(p.Err, &fault)
	return fault
}
