package slicertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
		told := strings.Join(r.log.Causes(), "\n")
		for _, g := range []string{"fixed-point", "converges"} {
			if broken(r, g) != (g == row.breaks) || g == row.breaks && !strings.Contains(told, row.text) {
				t.Errorf("%s: %s: %q", row.why, g, told)
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
