package dedup_test

import (
	"errors"
	"log/slog"
	"strings"
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
		{"without error the reason has to do (D8)", dedup.Problem{Slice: web, Reason: dedup.NoAddress}, "shop/web-a: " + string(dedup.NoAddress)},
		{"the zero value (D8)", dedup.Problem{}, ""},
		{"a reason that this version does not know (D8)", dedup.Problem{Reason: "Unheard"}, "Unheard"},
	} {
		if got := row.problem.String(); got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
}

// faultOf returns the *field.Error of a problem, an empty one where there is none.
func faultOf(p dedup.Problem) *field.Error {
	fault := &field.Error{}
	errors.As(p.Err, &fault)
	return fault
}

// TestProblemLog: a Problem is a group in a structured log, and what is empty is not in it.
func TestProblemLog(t *testing.T) {
	var text strings.Builder
	log := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey {
			return slog.Attr{}
		}
		return a
	}}))
	_, problems := dedup.OnePort([]*discoveryv1.EndpointSlice{slice("web-a", "x"), nil}, dedup.PortOptions{Port: "http"})
	for _, p := range append(problems, dedup.Problem{Reason: dedup.NoPort}) {
		log.Info("", "problem", p)
	}
	const want = `problem.reason=NilSlice problem.error="slices[1]: Required value: give a slice, not nil"
problem.slice=default/web-a problem.reason=BadAddress problem.error="endpoints[0].addresses[0]: Invalid value: \"x\": must be an address of the slice's type"
problem.reason=NoPort
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
}
