package slicertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNobodyMoves has a row for each way in which an endpoint may be elsewhere than it was.
func TestNobodyMoves(t *testing.T) {
	k := suiteOf(t, Options{Max: 2, Also: []string{"nobody-moves"}}, idle)
	of := func(name string, addresses ...string) *discoveryv1.EndpointSlice {
		s := newSlice(name)
		s.Namespace, s.Endpoints = namespace, nil
		for _, a := range addresses {
			s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
		}
		return s
	}
	type list []*discoveryv1.EndpointSlice
	for _, row := range []struct {
		why      string
		was, now list
		breach   bool
	}{
		{"it stays", list{of("a", "10.0.0.1")}, list{of("a", "10.0.0.1", "10.0.0.2")}, false},
		{"it goes", list{of("a", "10.0.0.1")}, list{of("a", "10.0.0.2")}, false},
		{"it moves", list{of("a", "10.0.0.1")}, list{of("a"), of("b", "10.0.0.1")}, true},
		{"it was in two slices", list{of("a", "10.0.0.1"), of("b", "10.0.0.1")}, list{of("a", "10.0.0.1")}, false},
		{"its slice was above the maximum", list{of("a", "10.0.0.1", "10.0.0.2", "10.0.0.3")},
			list{of("a", "10.0.0.1", "10.0.0.2"), of("b", "10.0.0.3")}, false},
	} {
		r := k.newReplay(newWorld(), k.NewLog(false))
		r.start.slices = row.was
		for _, s := range row.now {
			if _, err := r.api.server.Create(s); err != nil {
				t.Fatal(err)
			}
		}
		if r.judgeMoves(); broken(r, "nobody-moves") != row.breach {
			t.Errorf("%s: %v", row.why, r.log.Causes())
		}
	}
}

// TestNilServing: a nil serving condition is true of an endpoint that terminates, as readers take it, and else what ready is.
func TestNilServing(t *testing.T) {
	for _, c := range []struct{ ready, terminating, serving bool }{
		{true, false, true}, {false, false, false}, {true, true, true}, {false, true, true},
	} {
		e := discoveryv1.Endpoint{Conditions: discoveryv1.EndpointConditions{Ready: &c.ready, Terminating: &c.terminating}}
		if *plain(&e).Conditions.Serving != c.serving {
			t.Errorf("%+v: want serving %t", c, c.serving)
		}
	}
}

// TestLostMarks takes one mark after the other off a slice that other people marked, and off one that they only annotated.
func TestLostMarks(t *testing.T) {
	k := suiteOf(t, Options{}, idle)
	r := k.newReplay(newWorld(), k.NewLog(false))
	for name, put := range map[string]func(*discoveryv1.EndpointSlice){"marked": r.mark, "annotated": r.annotate} {
		s := newSlice(name)
		s.Namespace = namespace
		s, err := r.api.server.Create(s)
		if err != nil {
			t.Fatal(err)
		}
		put(s)
	}
	for _, row := range []struct {
		slice  string
		change func(*discoveryv1.EndpointSlice)
		want   string
	}{
		{"marked", func(s *discoveryv1.EndpointSlice) {}, ""},
		{"marked", func(s *discoveryv1.EndpointSlice) { s.Annotations = nil }, "the annotation"},
		{"marked", func(s *discoveryv1.EndpointSlice) { s.Finalizers = nil }, "the finalizer"},
		{"marked", func(s *discoveryv1.EndpointSlice) { s.OwnerReferences = nil }, "the owner"},
		{"annotated", func(s *discoveryv1.EndpointSlice) {}, ""},
		{"annotated", func(s *discoveryv1.EndpointSlice) { s.Annotations = nil }, "the annotation"},
	} {
		s := r.api.server.Get(row.slice).DeepCopy()
		row.change(s)
		if got := r.lost(s); got != row.want {
			t.Errorf("%s: lost %q, want %q", row.slice, got, row.want)
		}
	}
}

func creates(ctx context.Context, api *API, _ State, number int) error {
	_, err := api.Create(ctx, newSlice(fmt.Sprintf("web-%d", number)), metav1.CreateOptions{})
	return err
}

// TestNeverQuiet has a writer for each way in which syncs may go on for ever, and one whose syncs end.
func TestNeverQuiet(t *testing.T) {
	for _, row := range []struct {
		why    string
		sync   func(ctx context.Context, api *API, s State, number int) error
		breaks string
		text   string
	}{
		{"it ends", func(context.Context, *API, State, int) error { return nil }, "", ""},
		{"it creates a slice each time", creates, "fixed-point", " syncs it still writes"},
		{"it writes what is there", func(ctx context.Context, api *API, s State, number int) error {
			if len(s.Own) > 0 {
				_, err := api.Update(ctx, s.Own[0], metav1.UpdateOptions{})
				return err
			}
			return creates(ctx, api, s, 1)
		}, "fixed-point", "syncs go on to send writes, although these change nothing"},
		{"it writes when the Pods come in one of two orders", func(ctx context.Context, api *API, s State, number int) error {
			if s.Pods[0].Name < s.Pods[1].Name {
				return nil
			}
			return creates(ctx, api, s, number)
		}, "fixed-point", "in another order writes"},
		{"it fails each time", func(context.Context, *API, State, int) error { return errors.New("no") }, "converges", "after … syncs: no"},
	} {
		k := suiteOf(t, Options{}, func(api *API) Sync {
			number := 0
			return func(ctx context.Context, s State) error {
				number++
				return row.sync(ctx, api, s, number)
			}
		})
		r := lived(t, k, "pods=2 /")
		causes := strings.Join(r.log.Causes(), "\n")
		for _, g := range []string{"fixed-point", "converges"} {
			if broken(r, g) != (g == row.breaks) || g == row.breaks && !strings.Contains(causes, row.text) {
				t.Errorf("%s: %s: %q", row.why, g, causes)
			}
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
