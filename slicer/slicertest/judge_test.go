package slicertest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNeverQuiet has a writer for each way in which syncs may go on for ever, and one whose syncs end.
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
	r := k.newReplay(newWorld(), k.NewLog(true))
	r.restart()
	if _, err := r.api.Create(t.Context(), newSlice("web-1"), metav1.CreateOptions{}); err == nil || len(r.api.server.List()) > 0 {
		t.Error("the write is done")
	}
	if r.judgeLate(); !broken(r, "returns") || !strings.Contains(r.log.Causes()[0], "create … comes after the sync has returned") {
		t.Errorf("%v", r.log.Causes())
	}
}

// TestWantedLabels: an endpoint that is wanted in a slice with a label, as those of a cluster are, must not be in another one.
func TestWantedLabels(t *testing.T) {
	for label, breach := range map[string]bool{"east": false, "west": true} {
		k := suiteOf(t, Options{Want: func(State) []Want {
			e := newSlice("").Endpoints[0]
			return []Want{{AddressType: discoveryv1.AddressTypeIPv4, Endpoint: e, Labels: map[string]string{"cluster": "east"}}}
		}}, idle)
		r, s := k.newReplay(newWorld(), k.NewLog(false)), newSlice("web-1")
		s.Namespace, s.Labels["cluster"] = namespace, label
		if _, err := r.api.server.Create(s); err != nil {
			t.Fatal(err)
		}
		if r.judgeComplete(); broken(r, "labels") != breach {
			t.Errorf("in a slice of %s: %v", label, r.log.Causes())
		}
	}
}
