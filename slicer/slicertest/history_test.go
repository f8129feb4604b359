package slicertest

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func idle(*API) Sync { return func(context.Context, State) error { return nil } }

// TestEventsAreTotal lets each event happen where there is nothing for it, and where there is, again and again.
func TestEventsAreTotal(t *testing.T) {
	k, err := newKit(Options{}, idle)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]event{setups, events, byOthers, accidents} {
		for i := range list {
			for _, pods := range []int{0, 1, 5} {
				s := step{event: &list[i], n: i, arms: &list[0] == &accidents[0]}
				h := history{setup: []step{{event: &setups[0], n: pods}}, steps: []step{s, s, s, {event: &events[0]}}}
				if r := k.play(h, true, false); r.failures[NoPanic].text != "" || len(r.telling.story) == 0 {
					t.Errorf("event %d: %v %v", i, r.failures, r.telling.story)
				}
			}
		}
	}
}

// TestHistoriesAreDrawn checks that a seed draws the same histories, another seed others, and that all pairs are there.
func TestHistoriesAreDrawn(t *testing.T) {
	draw := func(o Options) []history {
		k, err := newKit(o, idle)
		if err != nil {
			t.Fatal(err)
		}
		return k.histories()
	}
	text := func(list []history) []step {
		var steps []step
		for _, h := range list {
			steps = append(steps, slices.Concat(h.setup, h.steps)...)
		}
		return steps
	}
	all := draw(Options{})
	if len(all) != defaultHistories || !reflect.DeepEqual(text(all), text(draw(Options{}))) || reflect.DeepEqual(text(all), text(draw(Options{Seed: 1}))) {
		t.Error("a seed must draw the same histories, and another seed others")
	}
	pairs := map[[2]*event]bool{}
	for _, h := range all {
		if len(h.steps) == 2 {
			pairs[[2]*event{h.steps[0].event, h.steps[1].event}] = true
		}
	}
	happen := len(events) + len(byOthers)
	if want := (happen + len(accidents)) * happen; len(pairs) != want || want > defaultHistories {
		t.Errorf("%d pairs, want %d, and all in a default run", len(pairs), want)
	}
}

// TestFeatures checks that each feature is one that histories or wants depend on, and that Without keeps its events away.
func TestFeatures(t *testing.T) {
	for _, f := range features {
		needed := f == NotReady || f == Terminating // these decide what is wanted
		for _, e := range slices.Concat(setups, events, byOthers, accidents) {
			needed = needed || slices.Contains(e.needs, f)
		}
		if !needed {
			t.Errorf("nothing needs %s", f)
		}
		k, err := newKit(Options{Without: []Feature{f}, Histories: 50}, idle)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range k.histories() {
			for _, s := range slices.Concat(h.setup, h.steps) {
				if slices.Contains(s.event.needs, f) {
					t.Fatalf("an event needs %s", f)
				}
			}
		}
	}
}

// TestSentences checks that each guarantee has a sentence of its own, and a place in the package comment.
func TestSentences(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	all, seen := slices.Concat(defaults, stricter), map[string]bool{}
	for _, g := range all {
		if s := g.Sentence(); s == "" || seen[s] {
			t.Errorf("%s: %q", g, s)
		}
		if row := fmt.Sprintf("//\t%-15s%s\n", g, g.Sentence()); !strings.Contains(string(comment), row) {
			t.Errorf("the package comment has no row %q", row)
		}
		seen[g.Sentence()] = true
	}
	if len(sentences) != len(all) || Guarantee("x").Sentence() != "" {
		t.Error("sentences of what is no guarantee")
	}
}

// TestUpToShortens checks that a story has only the breach that it is about, and no line twice.
func TestUpToShortens(t *testing.T) {
	r := &replay{telling: telling{told: true}, failures: map[Guarantee]breach{Once: {"b", 6}}}
	for _, l := range []line{{"", "1"}, {Complete, "a"}, {"", "2"}, {"", "2"}, {"", "2"}, {Once, "b"}, {"", "3"}} {
		r.line(l.breach, l.text)
	}
	if got := strings.Join(r.upTo(Once), ","); got != "1,2 (3 times),b" {
		t.Error(got)
	}
}

// TestLateViews checks what a writer sees of its own writes: nothing in the next sync where they are late, and then all.
func TestLateViews(t *testing.T) {
	var seen []string
	k, err := newKit(Options{}, func(api *API) Sync {
		return func(ctx context.Context, s State) error {
			seen = append(seen, fmt.Sprintf("%d Pods %d slices %d deleted", len(s.Pods), len(s.Own), len(s.Deleted)))
			for _, p := range s.Pods[len(s.Own):] {
				slice := newSlice(p.Name)
				if _, err := api.Create(ctx, slice, metav1.CreateOptions{}); err != nil {
					return err
				}
			}
			return nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	add, late, remove := step{event: &events[0]}, step{event: &accidents[4], arms: true}, step{event: &byOthers[1]}
	r := k.play(history{steps: []step{late, add, add, remove}}, true, false)
	want := []string{
		"0 Pods 0 slices 0 deleted", "0 Pods 0 slices 0 deleted", // at first, and again
		"1 Pods 0 slices 0 deleted", // creates a slice
		"2 Pods 0 slices 0 deleted", // does not see it, creates the other one, and fails with the first
		"2 Pods 2 slices 0 deleted", // sees both
	}
	if len(seen) < len(want) || !slices.Equal(seen[:len(want)], want) || !slices.Contains(seen, "2 Pods 1 slices 1 deleted") {
		t.Errorf("got %q\n%v", seen, r.telling.story)
	}
}

// TestSlicesAboveMaximum lets a slice that is above the maximum shrink, and not grow.
func TestSlicesAboveMaximum(t *testing.T) {
	k, err := newKit(Options{Max: 3}, idle)
	if err != nil {
		t.Fatal(err)
	}
	of := func(n int) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{Endpoints: make([]discoveryv1.Endpoint, n)}
	}
	for _, row := range []struct {
		old    *discoveryv1.EndpointSlice
		now    int
		breach bool
	}{{nil, 3, false}, {nil, 4, true}, {of(5), 5, false}, {of(5), 4, false}, {of(5), 6, true}, {of(2), 4, true}} {
		r := k.newReplay(newWorld())
		if r.judgeSize(&request{old: row.old, stored: of(row.now)}); (r.failures[WithinMax].text != "") != row.breach {
			t.Errorf("%v: %v", row, r.failures)
		}
	}
}

// TestReports has a row for each way in which a failed write may be made good, or not.
func TestReports(t *testing.T) {
	k, err := newKit(Options{}, idle)
	if err != nil {
		t.Fatal(err)
	}
	failed := func(verb, name string, err error) *request { return &request{verb: verb, name: name, err: err} }
	done := func(verb, name string) *request { return &request{verb: verb, name: name} }
	for _, row := range []struct {
		why     string
		journal []*request
		breach  bool
	}{
		{"all is well", []*request{done("create", "a")}, false},
		{"a write fails", []*request{failed("update", "a", errLost)}, true},
		{"a delete of what is gone", []*request{failed("delete", "a", notFound("a"))}, false},
		{"an update of what is gone", []*request{failed("update", "a", notFound("a"))}, true},
		{"a read fails", []*request{failed("get", "a", notFound("a"))}, false},
		{"it is tried again", []*request{failed("update", "a", errLost), done("update", "a")}, false},
		{"a create without a name is tried again", []*request{failed("create", "", errLost), done("create", "")}, false},
		{"it is tried again in vain", []*request{failed("update", "a", errLost), failed("update", "a", errLost)}, true},
		{"another slice is written", []*request{failed("update", "a", errLost), done("update", "b")}, true},
		{"the slice is read again", []*request{failed("update", "a", errLost), done("get", "a")}, false},
		{"all slices are read again", []*request{failed("update", "a", errLost), done("list", "")}, false},
		{"the slice was read before", []*request{done("list", ""), failed("update", "a", errLost)}, true},
	} {
		r := k.newReplay(newWorld())
		r.api.journal = row.journal
		if r.judgeReport(); (r.failures[Reports].text != "") != row.breach {
			t.Errorf("%s: %v", row.why, r.failures)
		}
	}
}

// TestGapsAfterOthersDelete has a writer that deletes all slices before it creates them anew when their number is wrong. That
// is a gap, for which it is not blamed after somebody else has deleted a slice, until all is quiet.
func TestGapsAfterOthersDelete(t *testing.T) {
	k, err := newKit(Options{}, func(api *API) Sync {
		return func(ctx context.Context, s State) error {
			if len(s.Own) == len(s.Pods) {
				return nil
			}
			for _, slice := range s.Own {
				if err := api.Delete(ctx, slice.Name, metav1.DeleteOptions{}); err != nil {
					return err
				}
			}
			for _, p := range s.Pods {
				slice := newSlice(p.Name)
				slice.Ports = podPorts(s.Service, p)
				slice.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{p.Status.PodIP}}}
				if _, err := api.Create(ctx, slice, metav1.CreateOptions{}); err != nil {
					return err
				}
			}
			return nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	two, add, remove := []step{{event: &setups[0], n: 2}}, step{event: &events[0]}, step{event: &byOthers[1]}
	for _, row := range []struct {
		steps  []step
		breach bool
	}{{[]step{remove}, false}, {[]step{add}, true}, {[]step{remove, add}, true}} {
		r := k.play(history{setup: two, steps: row.steps}, true, false)
		if (r.failures[NoGap].text != "") != row.breach {
			t.Errorf("want a breach %t, got %v\n%v", row.breach, r.failures, r.telling.story)
		}
	}
}
