package conformance

import (
	"os"
	"regexp"
	"testing"
)

// weakness is something that the reference does wrong. Each side says what it did wrong this time, "" for nothing.
type weakness struct {
	name string
	// why it matters, with who ran into it.
	why         string
	reference   func(t *testing.T) string
	slicewright func(t *testing.T) string
}

// runs is how often the reference may try: where map order decides, it is right in some of them.
const runs = 40

// TestWeaknesses shows what the reference does wrong, and that slicewright does not. It fails on slicewright alone: where
// the reference is right every time, a later release has mended it, and the test says so.
func TestWeaknesses(t *testing.T) {
	for _, list := range [][]weakness{orderWeaknesses, sliceWeaknesses, valueWeaknesses, hintWeaknesses} {
		for _, w := range list {
			t.Run(w.name, func(t *testing.T) { w.check(t) })
		}
	}
}

func (w weakness) check(t *testing.T) {
	if w.why == "" {
		t.Error("say why it matters")
	}
	shown := ""
	for run := 0; run < runs && shown == ""; run++ {
		shown = w.reference(t)
	}
	if shown == "" {
		t.Logf("MENDED: %s does not show this in %d runs. Look whether a deviation or this test can go.", version(t), runs)
	} else {
		t.Logf("the reference: %s", shown)
	}
	for range runs {
		if wrong := w.slicewright(t); wrong != "" {
			t.Fatalf("slicewright: %s", wrong)
		}
	}
}

// version is the reference's module and version, from go.mod: test binaries do not know.
func version(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	return string(regexp.MustCompile(`k8s\.io/endpointslice v\S+`).Find(data))
}
