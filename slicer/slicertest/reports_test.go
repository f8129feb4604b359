package slicertest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// TestReports has a row for each way in which a failed write may be made good, or not.
func TestReports(t *testing.T) {
	k := suiteOf(t, Options{}, kit.Flags{}, idle)
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
		r := k.newReplay(newCluster(), k.NewLog())
		r.api.journal = row.journal
		if r.judgeReport(); r.log.Breaks("reports") != row.breach {
			t.Errorf("%s: %v", row.why, r.log.Causes())
		}
	}
}

// TestMistakes has a row for each mistake in the options and the writer.
func TestMistakes(t *testing.T) {
	nothing := func(http.RoundTripper) func(context.Context, State) error { return nil }
	for _, row := range []struct {
		o     Options
		f     kit.Flags
		start writer
		want  string
	}{
		{Options{MaxEndpointsPerSlice: 1001}, kit.Flags{}, idle, "options.maxEndpointsPerSlice"},
		{Options{Without: []string{"Zone", "IPv5"}}, kit.Flags{}, idle, "options.without[1]"},
		{Options{Also: []string{"no-gap"}}, kit.Flags{}, idle, "options.also[0]"},
		{Options{Known: map[string]string{"speed: x": ""}}, kit.Flags{}, idle, "options.known[speed: x]"},
		{Options{}, kit.Flags{Replay: "pods=1 / fly"}, idle, `-slicertest.replay: this test has no event "fly": run only the test`},
		{Options{Without: []string{"Others"}}, kit.Flags{Replay: "/ mark"}, idle, `has no event "mark"`},
		{Options{}, kit.Flags{}, nil, "start: Required"},
		{Options{}, kit.Flags{}, nothing, "start: Required value: returned nil"},
		{Options{}, kit.Flags{}, idle, "the writer never wrote a slice"},
		{Options{ManagedBy: "misspelt.example.com"}, kit.Flags{}, newKeeper().start,
			"yours have the labels kubernetes.io/service-name=web and endpointslice.kubernetes.io/managed-by=misspelt.example.com"},
		{Options{ManagedBy: manager, NameLabel: ownKey}, kit.Flags{}, newKeeper().start, "yours have the labels " + ownKey + "=web"},
	} {
		k, err := newSuite(row.o, row.f, row.start)
		if err == nil {
			_, err = k.check()
		}
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("want %q, got %v", row.want, err)
		}
	}
}

// TestMessages has a writer for each message that leads to a mistake by its last lines.
func TestMessages(t *testing.T) {
	for want, start := range map[string]writer{
		"application/apply-patch+yaml: it takes merge patches, and with Also Apply server-side apply": keeping(func(k *keeper) {
			applies(k)
		}),
		`: .Labels[kubernetes.io/service-name] from "web" to "x"`: keeping(func(k *keeper) {
			k.apply = func(c call, todo []change) error {
				for _, s := range c.Own {
					s.Labels[discoveryv1.LabelServiceName] = "x"
				}
				return writeAll(c, todo)
			}
		}),
		"! no way, in slicertest/reports_test.go:": each(func(call) error { panic("no way") }),
		`, changed.Labels[example.com/team] from "red" to nothing`: keeping(func(k *keeper) { // and loses it again
			apply := k.apply
			k.apply = func(c call, todo []change) error {
				if err := apply(c, todo); err != nil || c.Service.Labels[teamKey] != "" || len(c.Own) == 0 {
					return err
				}
				return errors.New("fails for ever")
			}
		}),
	} {
		found, err := suiteOf(t, Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Histories: 50}, kit.Flags{}, start).check()
		text := ""
		for _, f := range found {
			text += f.Text() + "\n"
		}
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s%v", want, text, err)
		}
	}
}

// TestPages checks that the package comment has a row for each guarantee, and KIT.md one for each
// feature and each guarantee on request.
func TestPages(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	page, err2 := os.ReadFile("KIT.md")
	for _, g := range theKit.Guarantees {
		text, row := string(comment), fmt.Sprintf("//\t%-15s%s\n", g.Name, g.Sentence)
		if g.OnRequest {
			text, row = string(page), fmt.Sprintf("\n    %-16s%s\n", g.Name, g.Sentence)
		}
		if !strings.Contains(text, row) {
			t.Errorf("no row %q, %v", g.Name, err)
		}
	}
	for _, f := range theKit.Features {
		if !strings.Contains(string(page), fmt.Sprintf("\n    %-15s ", f.Name)) {
			t.Errorf("no row %q, %v", f.Name, err2)
		}
	}
}
