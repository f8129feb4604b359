package deduptest

import (
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// blind sees nothing.
func blind() Reader {
	return Reader{Event: func(Event) {}, See: func() []Seen { return nil }}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Without: []string{"IPv5"}}, "options.without[0]"},
		{Options{Also: []string{"same-list", "speed"}}, "options.also[1]"},
		{Options{Known: map[string]string{"speed: x": ""}}, "options.known[speed: x]"},
		{Options{Known: map[string]string{"same-list: x": "not asked for"}}, "options.known[same-list: x]"},
		{Options{Without: []string{"order"}, Known: map[string]string{"order: x": "left out"}}, "options.known[order: x]"},
		{Options{Without: []string{"steady"}}, "options.without[0]"},
		{Options{Also: []string{"order"}}, "options.also[0]"},
		{Options{Histories: 20}, "reader.see"},
		{Options{Histories: -1}, "options.histories"},
		{Options{Replay: "web-a / fly"}, `no event "fly"`},
	} {
		if found, err := Check(c.options, blind); err == nil || found != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, %v", c.options, found, err)
		}
	}
	if _, err := Check(Options{}, nil); err == nil {
		t.Error("no reader is no mistake")
	}
	_, err := Check(Options{}, func() Reader { return Reader{} })
	if err == nil || !strings.Contains(err.Error(), "reader.event") || !strings.Contains(err.Error(), "reader.see") {
		t.Errorf("a reader without functions: %v", err)
	}
}

// TestReadersThatCannotStart have the panic as a finding, and what they do not show.
func TestReadersThatCannotStart(t *testing.T) {
	found, err := Check(Options{Histories: 20}, func() Reader { panic("no reader today") })
	if err != nil || len(found) != 2 || found[0].Guarantee != "all" || found[1].Guarantee != "no-panic" {
		t.Fatalf("%v, %v", found, err)
	}
	if !strings.Contains(found[1].History, "start panics: no reader today, in deduptest/check_test.go:") {
		t.Error(found[1])
	}
}

// TestReplayRepeats checks that the history of a finding finds it again, at once.
func TestReplayRepeats(t *testing.T) {
	nightly.Slow(t)
	rare := func() Reader { // panics at the ninth update
		updates := 0
		return Reader{See: blind().See, Event: func(e Event) {
			if e.Old != nil && e.New != nil {
				if updates++; updates == 9 {
					panic("nine")
				}
			}
		}}
	}
	find := func(o Options) Finding {
		found, err := Check(o, rare)
		if err != nil || len(found) != 2 || found[1].Guarantee != "no-panic" {
			t.Fatalf("%v, %v", found, err)
		}
		return found[1]
	}
	first := find(Options{Seed: 5})
	if again := find(Options{Seed: 5}); !reflect.DeepEqual(first, again) {
		t.Errorf("one seed, two findings:\n%s\n%s", first, again)
	}
	repeated := find(Options{Replay: first.Replay})
	if told, _, _ := strings.Cut(first.History, "\n  broken in "); told != repeated.History || repeated.Failed != 1 ||
		repeated.Histories != 1 {
		t.Errorf("the replay tells another story:\n%s\n%s", first, repeated)
	}
}

// TestPackageComment checks that all guarantees and features are in the package comment.
func TestPackageComment(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range theKit.Guarantees {
		names = append(names, g.Name)
	}
	for _, f := range theKit.Features {
		names = append(names, f.Name)
	}
	for _, name := range names {
		if !strings.Contains(string(comment), fmt.Sprintf("//\t%-15s", name)) {
			t.Errorf("the package comment has no row %q", name)
		}
	}
}

// TestMain has garbage collected less often, because the tests play many short histories and keep
// none of them.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}
