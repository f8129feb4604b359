package deduptest

import (
	"os"
	"reflect"
	"strings"
	"testing"
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
		{Options{Shows: 7}, "options.shows"},
		{Options{Without: []Feature{"ipv5"}}, "options.without[0]"},
		{Options{Also: []Guarantee{Order, "speed"}}, "options.also[1]"},
		{Options{Known: map[Guarantee]string{"speed": ""}}, "options.known[speed]"},
		{Options{Known: map[Guarantee]string{Order: "not asked for"}}, "options.known[order]"},
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
	o := Options{Histories: -1}
	found, err := Check(o, func() Reader { panic("no reader today") })
	if err != nil || len(found) != 2 || found[0].Guarantee != All || found[1].Guarantee != NoPanic {
		t.Fatalf("%v, %v", found, err)
	}
	if !strings.Contains(found[1].Story, "start panics: no reader today") {
		t.Error(found[1])
	}
}

// TestKnown checks what a subtest says of a guarantee that is known to fail.
func TestKnown(t *testing.T) {
	o := Options{Histories: -1, Known: map[Guarantee]string{All: "it is blind"}}
	found, err := Check(o, blind)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if text, ok := o.outcome(All, found); !ok || !strings.HasPrefix(text, "known: it is blind\nall: ") {
		t.Errorf("%v, %s", ok, text)
	}
	if text, ok := o.outcome(All, nil); ok || !strings.Contains(text, "it is blind") {
		t.Errorf("%v, %s", ok, text)
	}
	o.Known = nil
	if text, ok := o.outcome(All, found); ok || text != found[0].Story {
		t.Errorf("%v, %s", ok, text)
	}
	if text, ok := o.outcome(Only, found); !ok || text != "" {
		t.Errorf("%v, %s", ok, text)
	}
}

// TestSeedRepeats checks that the seed of a finding finds it again, at once.
func TestSeedRepeats(t *testing.T) {
	rare := func() Reader { // panics at the ninth update
		updates := 0
		return Reader{See: blind().See, Event: func(e Event) {
			if e.Type == Updated {
				if updates++; updates == 9 {
					panic("nine")
				}
			}
		}}
	}
	find := func(o Options) Finding {
		found, err := Check(o, rare)
		if err != nil || len(found) != 2 || found[1].Guarantee != NoPanic {
			t.Fatalf("%v, %v", found, err)
		}
		return found[1]
	}
	first := find(Options{Seed: 5})
	if again := find(Options{Seed: 5}); !reflect.DeepEqual(first, again) {
		t.Errorf("one seed, two findings:\n%s\n%s", first, again)
	}
	repeated := find(Options{Seed: first.Seed, Histories: 1})
	cut := func(f Finding) string { return f.Story[:strings.LastIndex(f.Story, "(")] }
	if cut(first) != cut(repeated) {
		t.Errorf("seed %d tells another story:\n%s\n%s", first.Seed, first, repeated)
	}
}

// TestPackageComment holds the code and the story of the package comment to those of the examples, which are run.
func TestPackageComment(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	plain := func(text string) string {
		var lines []string
		for line := range strings.Lines(text) {
			lines = append(lines, strings.Join(strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "//")), " "))
		}
		return strings.Join(lines, "\n")
	}
	for _, block := range []string{"func TestMyReader(", "all: an endpoint"} {
		_, rest, found := strings.Cut(string(comment), "//\t"+block)
		code, _, ended := strings.Cut(rest, "\n//\n")
		if !found || !ended || !strings.Contains(plain(string(example)), plain("//\t"+block+code)) {
			t.Errorf("the examples do not have the block that begins with %q", block)
		}
	}
}
