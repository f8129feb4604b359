package slicertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNeverQuiet has a writer for each way in which syncs may go on for ever, and one whose syncs
// end.
func TestNeverQuiet(t *testing.T) {
	creates := func(c call, number int) error { return c.create(newSlice(fmt.Sprintf("web-%d", number))) }
	for want, sync := range map[string]func(c call, number int) error{
		"": func(call, int) error { return nil },
		"fixed-point: after … syncs it still writes": creates,
		"fixed-point: syncs go on to send writes, although these change nothing": func(c call, _ int) error {
			if len(c.Own) > 0 {
				return change{c.Own[0], c.Own[0]}.do(c)
			}
			return creates(c, 1)
		},
		"fixed-point: a sync with the same lists in another order writes": func(c call, number int) error {
			if c.Pods[0].Name < c.Pods[1].Name {
				return nil
			}
			return creates(c, number)
		},
		"converges: after … syncs: no": func(call, int) error { return errors.New("no") },
	} {
		number := 0
		r := lived(t, suiteOf(t, Options{}, each(func(c call) error {
			number++
			return sync(c, number)
		})), "pods=2 /")
		causes := slices.DeleteFunc(r.log.Causes(), func(cause string) bool {
			return !strings.HasPrefix(cause, "fixed-point") && !strings.HasPrefix(cause, "converges")
		})
		if cmp.Or(append(causes, "")...) != want {
			t.Errorf("want %q, got %q", want, causes)
		}
	}
}

// TestWritesAfterASync has a writer whose sync leaves a write to a goroutine.
func TestWritesAfterASync(t *testing.T) {
	k := suiteOf(t, Options{}, idle)
	r := k.newReplay(newWorld(), k.NewLog())
	r.restart()
	if _, err := r.api.Create(t.Context(), newSlice("web-1"), metav1.CreateOptions{}); err == nil ||
		len(r.api.server.List()) > 0 {
		t.Error("the write is done")
	}
	if r.judgeLate(); !broken(r, "returns") ||
		!strings.Contains(r.log.Causes()[0], "create … comes after the sync has returned") {
		t.Errorf("%v", r.log.Causes())
	}
}

// TestOnlyLateWrites: a writer whose writes all come after its sync has returned is blamed for
// that, in a run that ends early.
func TestOnlyLateWrites(t *testing.T) {
	found := check(t, Options{ManagedBy: manager, Max: 3, Histories: 60}, func(api *API) Sync {
		right := newKeeper().start(api)
		return func(ctx context.Context, s State) error {
			done := make(chan error)
			go func() {
				api.activate(false) // what the kit does when the sync has returned
				done <- right(ctx, s)
			}()
			<-done
			return nil
		}
	})
	if f := finding(found, "returns"); f.Histories > 30 ||
		!strings.Contains(f.History, "! create web-* comes after the sync has returned") {
		t.Errorf("%v", found)
	}
}

// TestReasons: a refusal is printed with its field, its value and the reason, and an error without
// a field with its text.
func TestReasons(t *testing.T) {
	bad := newSlice("web-1")
	bad.Endpoints[0].Addresses[0] = "127.0.0.1"
	api := serving(t)
	_, invalid := api.Create(t.Context(), bad, metav1.CreateOptions{})
	for _, row := range []struct {
		err           error
		cause, reason string
	}{
		{invalid, "endpoints[].addresses[] is refused: FieldValueInvalid",
			`endpoints[0].addresses[0] is refused: Invalid value: "127.0.0.1": special address`},
		{apierrors.NewInternalError(errors.New("etcd is not there")), "Internal error occurred: etcd is not there", ""},
		{apierrors.NewBadRequest("the body is a Pod"), "the body is a Pod", ""},
		{errLost, "the answer was lost: timeout awaiting response headers", ""},
		{fmt.Errorf("slice %q: no\nmore", "web-1"), "slice …: no", `slice "web-1": no`},
		{errors.New(strings.Repeat("no ", 100)), strings.Repeat("no ", 53) + "n…", ""},
	} {
		if got := cause(row.err); got != row.cause {
			t.Errorf("the cause is %q, want %q", got, row.cause)
		}
		if got := reason(row.err); got != cmp.Or(row.reason, row.cause) {
			t.Errorf("the reason is %q, want %q", got, cmp.Or(row.reason, row.cause))
		}
	}
}

// TestWantedLabels: an endpoint that is wanted in a slice with a label, as those of a cluster are,
// must not be in another one.
func TestWantedLabels(t *testing.T) {
	for label, breach := range map[string]bool{"east": false, "west": true} {
		k := suiteOf(t, Options{Want: func(State) []Want {
			e := newSlice("").Endpoints[0]
			return []Want{{AddressType: discoveryv1.AddressTypeIPv4, Endpoint: e,
				Labels: map[string]string{"cluster": "east"}}}
		}}, idle)
		r, s := k.newReplay(newWorld(), k.NewLog()), newSlice("web-1")
		s.Namespace, s.Labels["cluster"] = namespace, label
		if _, err := r.api.server.Create(s); err != nil {
			t.Fatal(err)
		}
		if r.judgeComplete(); broken(r, "labels") != breach {
			t.Errorf("in a slice of %s: %v", label, r.log.Causes())
		}
	}
}
