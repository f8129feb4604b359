package slicertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

func idle(*API) Sync { return func(context.Context, State) error { return nil } }

// suiteOf makes the suite of a writer.
func suiteOf(t *testing.T, o Options, start Writer) *suite {
	t.Helper()
	k, err := newSuite(o, start)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// lived is a replay of a history that a writer has lived through, as far as the first sync that is
// quiet.
func lived(t *testing.T, k *suite, history string) *replay {
	t.Helper()
	h, err := kit.Parse(history)
	if err != nil {
		t.Fatal(err)
	}
	r := k.newReplay(newWorld(), k.NewLog())
	r.live(h)
	return r
}

// broken reports whether a history breaks a guarantee.
func broken(r *replay, guarantee string) bool {
	return slices.ContainsFunc(r.log.Causes(), func(cause string) bool {
		return strings.HasPrefix(cause, guarantee+": ")
	})
}

// TestEventsAreTotal lets each event happen where there is nothing for it, and where there is,
// again and again. Where there is something for it, the world or the slices are others then.
func TestEventsAreTotal(t *testing.T) {
	for i, e := range slices.Concat(begins, happenings, faultEvents) {
		for _, pods := range []int{0, 1, 5} {
			lived(t, claimsAll, fmt.Sprintf("pods=%d / %s=%d %s=%d %s add-pod", pods, e.name, i, e.name, i, e.name))
		}
	}
	k := suiteOf(t, Options{ManagedBy: manager, Max: 3}, newKeeper().start)
	for _, e := range happenings {
		r := lived(t, k, "pods=5 /")
		before := seenBy(r)
		if text := e.do(r, 2); text == "" || seenBy(r) == before {
			t.Errorf("%s does nothing: %q", e.name, text)
		}
	}
	for _, e := range faultEvents {
		if r := lived(t, k, "pods=5 / "+e.name+"=1 ready=1 add-pods"); !r.unarmed() {
			t.Errorf("%s does not strike", e.name)
		}
	}
}

// seenBy is everything that writers could see now.
func seenBy(r *replay) string {
	r.cache.CatchUp()
	data, err := json.Marshal(r.state())
	return fmt.Sprint(string(data), err)
}

// TestFeatures checks that each feature is one that events or judges depend on, and that Without
// keeps its events away.
func TestFeatures(t *testing.T) {
	nightly.Slow(t)
	needs := map[string]bool{}
	judged := []string{"NotReady", "Terminating", "Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner", "OwnHints"}
	for _, f := range append(judged, "CachedReads", "Apply") {
		needs[f] = true
	}
	for _, e := range slices.Concat(begins, happenings, faultEvents) {
		for _, f := range e.needs {
			needs[f] = true
			menu := suiteOf(t, Options{Without: []string{f}}, idle).menu()
			if slices.Contains(slices.Concat(menu.Happen, menu.Arm), e.name) {
				t.Errorf("%s needs %s", e.name, f)
			}
		}
	}
	for _, f := range theKit.Features {
		if !needs[f.Name] {
			t.Errorf("nothing needs %s", f.Name)
		}
		delete(needs, f.Name)
	}
	if len(needs) > 0 {
		t.Errorf("there are no features %v", needs)
	}
}

// TestPackageComment checks that the package comment has a row for each guarantee, and KIT.md one
// for each feature.
func TestPackageComment(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range theKit.Guarantees {
		if row := fmt.Sprintf("//\t%-15s%s\n", g.Name, g.Sentence); !strings.Contains(string(comment), row) {
			t.Errorf("the package comment has no row %q", row)
		}
	}
	page, err := os.ReadFile("KIT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range theKit.Features {
		if !strings.Contains(string(page), "\n    "+f.Name+" ") {
			t.Errorf("KIT.md has no feature %s", f.Name)
		}
	}
}

// TestLateViews checks what a writer sees of its own writes: nothing in the next sync where they
// are late, and then all.
func TestLateViews(t *testing.T) {
	var seen []string
	k := suiteOf(t, Options{}, func(api *API) Sync {
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
	r := lived(t, k, "/ late add-pod add-pod delete")
	want := []string{
		"0 Pods 0 slices 0 deleted", "0 Pods 0 slices 0 deleted", // at first, and again
		"1 Pods 0 slices 0 deleted", // creates a slice
		"2 Pods 0 slices 0 deleted", // does not see it, creates the other one, and fails with the first
		"2 Pods 2 slices 0 deleted", // sees both
	}
	if len(seen) < len(want) || !slices.Equal(seen[:len(want)], want) ||
		!slices.Contains(seen, "2 Pods 1 slices 1 deleted") {
		t.Errorf("got %q\n%v", seen, r.log.Causes())
	}
}

// TestSlicesAboveMaximum lets a slice that is above the maximum shrink, and not grow.
func TestSlicesAboveMaximum(t *testing.T) {
	k := suiteOf(t, Options{Max: 3}, idle)
	of := func(n int) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{Endpoints: make([]discoveryv1.Endpoint, n)}
	}
	for _, row := range []struct {
		old    *discoveryv1.EndpointSlice
		now    int
		breach bool
	}{{nil, 3, false}, {nil, 4, true}, {of(5), 5, false}, {of(5), 4, false}, {of(5), 6, true}, {of(2), 4, true}} {
		r := k.newReplay(newWorld(), k.NewLog())
		if r.judgeSize(&request{old: row.old, stored: of(row.now)}); broken(r, "within-max") != row.breach {
			t.Errorf("%v: %v", row, r.log.Causes())
		}
	}
}

// TestReports has a row for each way in which a failed write may be made good, or not.
func TestReports(t *testing.T) {
	k := suiteOf(t, Options{}, idle)
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
		r := k.newReplay(newWorld(), k.NewLog())
		r.api.journal = row.journal
		if r.judgeReport(); broken(r, "reports") != row.breach {
			t.Errorf("%s: %v", row.why, r.log.Causes())
		}
	}
}

// TestVersions: an object of one resourceVersion never changes, as with a real API server, and
// Services have no generation.
func TestVersions(t *testing.T) {
	k := suiteOf(t, Options{ManagedBy: manager, Max: 3}, newKeeper().start)
	for _, e := range happenings {
		r := k.newReplay(newWorld(), k.NewLog())
		known := map[string]any{}
		note := func() {
			objects := []metav1.Object{r.world.service}
			for _, p := range r.world.pods {
				objects = append(objects, p)
			}
			for _, n := range r.world.nodes {
				objects = append(objects, n)
			}
			for _, o := range objects {
				if old := known[o.GetResourceVersion()]; old != nil && !reflect.DeepEqual(old, o) ||
					o.GetGeneration() != 0 {
					t.Errorf("%s: %s", e.name, o.GetName())
				}
				known[o.GetResourceVersion()] = o
			}
		}
		r.restart()
		r.world.addPods(5)
		for n := range 4 {
			note()
			e.do(r, n)
		}
		note()
	}
}
