package slicertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNeverQuiet has a writer for each way in which syncs may go on for ever, and one whose syncs end.
func TestNeverQuiet(t *testing.T) {
	for _, row := range []struct {
		why    string
		sync   func(ctx context.Context, api *API, s State, number int) error
		breaks Guarantee
		text   string
	}{
		{"it ends", func(context.Context, *API, State, int) error { return nil }, "", ""},
		{"it creates a slice each time", func(ctx context.Context, api *API, s State, number int) error {
			_, err := api.Create(ctx, newSlice(fmt.Sprintf("web-%d", number)), metav1.CreateOptions{})
			return err
		}, FixedPoint, " syncs it still writes"},
		{"it writes what is there", func(ctx context.Context, api *API, s State, number int) error {
			if len(s.Own) > 0 {
				_, err := api.Update(ctx, s.Own[0], metav1.UpdateOptions{})
				return err
			}
			_, err := api.Create(ctx, newSlice("web-1"), metav1.CreateOptions{})
			return err
		}, FixedPoint, "syncs go on to send writes, although these change nothing"},
		{"it writes when the Pods come in one of two orders", func(ctx context.Context, api *API, s State, number int) error {
			if s.Pods[0].Name < s.Pods[1].Name {
				return nil
			}
			_, err := api.Create(ctx, newSlice(fmt.Sprintf("web-%d", number)), metav1.CreateOptions{})
			return err
		}, FixedPoint, "in another order writes"},
		{"it fails each time", func(context.Context, *API, State, int) error { return errors.New("no") }, Converges, "after 12 syncs: no"},
	} {
		k, err := newKit(Options{}, func(api *API) Sync {
			number := 0
			return func(ctx context.Context, s State) error {
				number++
				return row.sync(ctx, api, s, number)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		r := k.play(history{setup: []step{{event: &setups[0], n: 2}}}, true, false)
		for _, g := range []Guarantee{FixedPoint, Converges} {
			if text := r.failures[g].text; (text != "") != (g == row.breaks) || g == row.breaks && !strings.Contains(text, row.text) {
				t.Errorf("%s: %s: %q", row.why, g, text)
			}
		}
	}
}
