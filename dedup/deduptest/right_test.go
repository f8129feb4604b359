package deduptest

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// rightReaders differ where the API leaves them free.
var rightReaders = []struct {
	name  string
	o     Options
	start func() Reader
}{
	{"by hand", Options{ShowsAll: true}, with(func(*naive) {})},
	{"shows ready endpoints", Options{}, with(func(n *naive) { n.shows = onlyReady })},
	{"drops what is not ready first", Options{Without: []string{"order"}}, with(func(n *naive) {
		n.reads = func(c *entry) bool { return c.seen.State == isReady }
	})},
	{"any copy counts", loose, with(func(n *naive) { n.target = func(entry) any { return nil } })},
	{"compares targets by UID", Options{ShowsAll: true}, with(func(n *naive) {
		n.target = func(c entry) any {
			if c.endpoint.TargetRef == nil {
				return nil
			}
			return c.endpoint.TargetRef.UID
		}
	})},
	{"no states, in any order", loose, with(func(n *naive) {
		n.shows = func(all []Seen) []Seen {
			slices.Reverse(all)
			for i := range all {
				all[i].State = ""
			}
			return all
		}
	})},
	{"host names, all addresses, any port", loose, generous},
	{"long spellings of IPv6", loose, with(func(n *naive) {
		n.shows = func(all []Seen) []Seen {
			for i := range all {
				all[i].Address = netip.MustParseAddr(all[i].Address).StringExpanded()
			}
			return all
		}
	})},
	{"one number for each address", Options{ShowsAll: true, Without: []string{"SeveralNumbers", "order"}},
		with(func(n *naive) {
			n.place = func(s Seen) Seen {
				s.Number = 0
				return s.place()
			}
		})},
	{"skips what it knows", loose, with(func(n *naive) {
		n.heeds = func(e Event) bool {
			if e.New == nil {
				return true
			}
			known := n.slices[nameOf(e.New)]
			return known == nil || known.UID != e.New.UID ||
				known.Generation != e.New.Generation && versionOf(known) < versionOf(e.New)
		}
	})},
	{"draining endpoints for each family", Options{Without: []string{"order"}}, with(draining(Seen.family))},
	{"draining endpoints for both families at once", Options{Without: []string{"order"}}, with(draining(Seen.port))},
	{"no hints for nodes", Options{ShowsAll: true, Without: []string{"NodeHints", "order"}}, with(func(n *naive) {
		n.hinted = func(c entry, by int) bool { return by == forZones && hintsOf(c.endpoint)[by] != "" }
	})},
	{"decides on each event at once", loose, func() Reader {
		r, list := with(func(*naive) {})(), []Seen(nil)
		event, see := r.Event, r.See
		r.Event = func(e Event) {
			event(e)
			list = see()
		}
		r.See = func() []Seen { return list }
		return r
	}},
}

// TestFairness checks that no right reader is blamed: in 3 000 histories if SLICEWRIGHT_FULL is 1.
func TestFairness(t *testing.T) {
	for _, row := range rightReaders {
		t.Run(row.name, func(t *testing.T) {
			nightly.Slow(t)
			t.Parallel()
			blamesNone(t, row.o, row.start)
		})
	}
}

// generous reads all that may be read.
func generous() Reader {
	slices := newNaive()
	return Reader{Event: slices.event, See: func() []Seen {
		var list []*discoveryv1.EndpointSlice
		for _, s := range slices.slices {
			list = append(list, s)
		}
		return seenIn(dedup.Merge(list, dedup.Options{
			AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6,
				discoveryv1.AddressTypeFQDN},
			AllAddresses: true, AnyPort: true,
		}))
	}}
}

// draining shows draining endpoints where no endpoint of the same group is ready.
func draining(group func(Seen) Seen) func(*naive) {
	return func(n *naive) {
		n.shows = func(all []Seen) []Seen {
			ready := map[Seen]bool{}
			for _, s := range all {
				ready[group(s)] = ready[group(s)] || s.State == isReady
			}
			return slices.DeleteFunc(all, func(s Seen) bool {
				return s.State == isUnready || s.State == isDraining && ready[group(s)]
			})
		}
	}
}

// TestMistakes has a row for each mistake in the options and the reader.
func TestMistakes(t *testing.T) {
	blind := func() Reader { return Reader{Event: func(Event) {}, See: func() []Seen { return nil }} }
	for _, row := range []struct {
		o     Options
		start func() Reader
		want  string
	}{
		{Options{Without: []string{"IPv5"}}, blind, "options.without[0]"},
		{Options{Also: []string{"same-list", "speed"}}, blind, "options.also[1]"},
		{Options{Known: map[string]string{"same-list: x": "not asked for"}}, blind, "options.known[same-list: x]"},
		{Options{Known: map[string]string{"order: x": ""}, Without: []string{"order"}}, blind, "options.known[order: x]"},
		{Options{Histories: -1}, blind, "options.histories"},
		{Options{Histories: 20}, blind, "reader.see"},
		{Options{}, nil, "start"},
		{Options{}, func() Reader { return Reader{} }, "reader: Required value"},
	} {
		k, err := newSuite(row.o, *flags, row.start)
		if err == nil {
			_, err = k.check()
		}
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("want %q, got %v", row.want, err)
		}
	}
	found, err := suiteOf(t, Options{Histories: 20}, func() Reader { panic("no reader today") }).check()
	if text := fmt.Sprint(found); err != nil || !strings.Contains(text, "start panics: no reader today, in deduptest/right_test.go:") {
		t.Error(text, err)
	}
}

// TestPage checks that the comments of the package and of Options have a row for each guarantee and
// feature.
func TestPage(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	options, err2 := os.ReadFile("options.go")
	for _, name := range theKit.Names() {
		if !strings.Contains(string(comment)+string(options), fmt.Sprintf("//\t%-15s", name)) {
			t.Errorf("no row %q, %v, %v", name, err, err2)
		}
	}
}

// TestMessages has a reader for each message that leads to a mistake by its last lines.
func TestMessages(t *testing.T) {
	for want, start := range map[string]func() Reader{
		"and the copy that counts is unready: ready in slice web-a (rv=1), unready in slice web-b (rv=2)": with(
			func(n *naive) { n.target = func(entry) any { return nil } }),
		"used on node-1 in zone-a: nothing": func() Reader {
			r := with(func(*naive) {})()
			r.Use = func(routing.Location) []Seen { return nil }
			return r
		},
	} {
		found, err := suiteOf(t, Options{ShowsAll: true, Histories: 300}, start).check()
		text := ""
		for _, f := range found {
			text += f.Text() + "\n"
		}
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s%v", want, text, err)
		}
	}
}
