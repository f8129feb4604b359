package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func configured(t *testing.T, args ...string) config {
	t.Helper()
	c, err := parseFlags(args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPrintedTracesReadBack: what -print writes is the trace.
func TestPrintedTracesReadBack(t *testing.T) {
	c := configured(t, "-endpoints", "70")
	for _, m := range makers {
		want := c.make(m)
		var text bytes.Buffer
		if err := want.write(&text); err != nil {
			t.Fatal(err)
		}
		have, err := readTrace("-", &text)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(have.rounds, want.rounds) {
			t.Errorf("%s does not read back", m.name)
		}
	}
}

// TestTracesAreConsistent: Pods that were not there do not go or change, none is named twice in a round, and none comes
// again after it has gone.
func TestTracesAreConsistent(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		c := configured(t, "-endpoints", "90", "-seed", seed)
		for _, m := range makers {
			there, gone := map[int]bool{}, map[int]bool{}
			for i, r := range c.make(m).rounds {
				now := map[int]bool{}
				for _, n := range append(append(append([]int(nil), r.ready...), r.unready...), r.gone...) {
					if now[n] || gone[n] {
						t.Fatalf("%s, round %d: Pod %d is there twice or again", m.name, i, n)
					}
					now[n] = true
				}
				for _, n := range append(r.ready, r.unready...) {
					there[n] = true
				}
				for _, n := range r.gone {
					if !there[n] {
						t.Fatalf("%s, round %d: Pod %d goes before it came", m.name, i, n)
					}
					delete(there, n)
					gone[n] = true
				}
			}
		}
	}
}

// TestRollingUpdateKeepsItsBounds: as a Deployment, it never has fewer Pods available than maxUnavailable allows, nor more
// together than maxSurge does, those that end not counted.
func TestRollingUpdateKeepsItsBounds(t *testing.T) {
	const n = 40
	for _, bounds := range [][2]string{{"25%", "25%"}, {"1", "0"}, {"0", "1"}, {"10%", "0"}, {"7", "3"}} {
		c := configured(t, "-endpoints", fmt.Sprint(n), "-pace", "5", "-max-surge", bounds[0], "-max-unavailable", bounds[1])
		surge, unavailable := c.surge.up(n), c.unavailable.down(n)
		available, starting := map[int]bool{}, map[int]bool{}
		most, least := 0, n
		for i, r := range c.make(makers[0]).rounds {
			for _, pod := range r.unready {
				if available[pod] { // it ends
					delete(available, pod)
				} else {
					starting[pod] = true
				}
			}
			for _, pod := range r.ready {
				delete(starting, pod)
				available[pod] = true
			}
			most, least = max(most, len(available)+len(starting)), min(least, len(available))
			if len(available) < n-unavailable || len(available)+len(starting) > n+surge {
				t.Fatalf("%v, round %d: %d available, %d starting", bounds, i, len(available), len(starting))
			}
		}
		if most != n+surge || least > n-min(1, unavailable) {
			t.Errorf("%v: the bounds are not used: %d at most, %d at least", bounds, most, least)
		}
		for pod := range available {
			if pod < 3*n || pod >= 4*n {
				t.Errorf("%v: Pod %d is left after three updates", bounds, pod)
			}
		}
	}
}

// TestSameSeedSameTrace: another seed is another trace.
func TestSameSeedSameTrace(t *testing.T) {
	print := func(seed string) string {
		return answer([]string{"-print", "-endpoints", "30", "-seed", seed}, "")
	}
	first, again, other := print("1"), print("1"), print("2")
	if first != again || first == other {
		t.Error("the trace does not follow from the seed")
	}
}

// TestSimulationEndsWithWhatIsWanted: after every round the slices hold the Pods that are there, each once.
func TestSimulationEndsWithWhatIsWanted(t *testing.T) {
	c := configured(t, "-endpoints", "50", "-sizes", "7", "-packings", "InPlace,Compact@50")
	for _, m := range makers {
		for _, v := range c.variants() {
			cluster, there := newCluster(v.options()), map[int]string{}
			for i, r := range c.make(m).rounds {
				cluster.change(r)
				cluster.write(planned(t, cluster))
				for _, n := range r.ready {
					there[n] = "true"
				}
				for _, n := range r.unready {
					there[n] = "false"
				}
				for _, n := range r.gone {
					delete(there, n)
				}
				held := map[string]string{}
				for _, s := range cluster.slices {
					for _, e := range s.Endpoints {
						held[e.Addresses[0]] += fmt.Sprint(*e.Conditions.Ready)
					}
				}
				want := map[string]string{}
				for n, ready := range there {
					want[endpoint(n).Addresses[0]] = ready
				}
				if !reflect.DeepEqual(held, want) {
					t.Fatalf("%s, %v, round %d: the slices hold %v, want %v", m.name, v.packing, i, held, want)
				}
			}
		}
	}
}

func TestPackingsReadBack(t *testing.T) {
	for _, text := range []string{"InPlace", "Compact", "Compact@50"} {
		for _, spelled := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
			if p, err := parsePacking(spelled); err != nil || p.String() != text {
				t.Errorf("%s reads as %v, %v", spelled, p, err)
			}
		}
	}
	for why, text := range map[string]string{
		"no such packing": "tight", "in place dissolves nothing": "InPlace@50", "nothing is added": "Compact+1",
		"above all": "Compact@101", "no number": "Compact@", "nothing": "",
	} {
		if p, err := parsePacking(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", text)) {
			t.Errorf("%s: %q reads as %v, %v", why, text, p, err)
		}
	}
}

// FuzzTraceFile: whatever is in a file, reading it ends in a trace that reads back, or in a mistake with its line.
func FuzzTraceFile(f *testing.F) {
	for _, text := range []string{"+1..5\n!1 -2\n.\n", "+7..3", "5", "+", "+1..", "# nothing", "+0 +16777216", "\x00", "+1 # one"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "..") && len(text) > 40 {
			t.Skip("long ranges take long")
		}
		first, err := readTrace("-", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "standard input:") {
				t.Errorf("%v names no place", err)
			}
			return
		}
		var out bytes.Buffer
		if err := first.write(&out); err != nil {
			t.Fatal(err)
		}
		if again, err := readTrace("-", &out); err != nil || !reflect.DeepEqual(again.rounds, first.rounds) {
			t.Errorf("%q does not read back (%v)", text, err)
		}
	})
}
