package slicertest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// unruly is a writer that would run without end or fill the memory, and the breach that is reported
// of it.
type unruly struct {
	does, breach string // breach is a regular expression
	start        Writer
}

// numbered is a slice of a name that no other one has.
func numbered(numbers *int) *discoveryv1.EndpointSlice {
	*numbers++
	s := newSlice(fmt.Sprintf("web-%d", *numbers))
	s.Labels[discoveryv1.LabelManagedBy] = manager
	return s
}

// withNumbers is a writer without memory except for a counter.
func withNumbers(sync func(c call, numbers *int) error) Writer {
	numbers := 0
	return each(func(c call) error { return sync(c, &numbers) })
}

var unrulyWriters = []unruly{
	{"creates a slice in every call", "after … syncs it still writes", withNumbers(func(c call, numbers *int) error {
		return c.create(numbered(numbers))
	})},
	{"creates a hundred slices in every call", "(one history made more than|a sync takes longer)",
		withNumbers(func(c call, numbers *int) error {
			for range 100 {
				if err := c.create(numbered(numbers)); err != nil {
					return err
				}
			}
			return nil
		})},
	{"replaces its slice in every call", "after … syncs it still writes", withNumbers(func(c call, numbers *int) error {
		if err := c.deleteAll(); err != nil {
			return err
		}
		return c.create(numbered(numbers))
	})},
	{"makes requests in a loop", "one sync made more than", withNumbers(func(c call, numbers *int) error {
		for {
			_ = c.create(numbered(numbers))
		}
	})},
	{"makes requests in loops of other goroutines", "one sync made more than", each(func(c call) error {
		var all sync.WaitGroup
		for range 4 {
			all.Add(1)
			go func() {
				defer all.Done()
				for {
					_, _ = c.api.List(c, metav1.ListOptions{})
				}
			}()
		}
		all.Wait()
		return nil
	})},
	{"fills its slices", "(one sync made more than|a sync takes longer)", each(func(c call) error {
		s := newSlice("web-1")
		s.Labels[discoveryv1.LabelManagedBy] = manager
		for i := 1; i < 1000; i++ {
			s.Endpoints = append(s.Endpoints, newSlice("").Endpoints...)
			s.Endpoints[i].Addresses = []string{fmt.Sprintf("10.0.%d.%d", i/200, i%200+1)}
		}
		err := c.create(s)
		for range 1500 {
			slices.Reverse(s.Endpoints)
			_, err = c.api.Update(c, s, metav1.UpdateOptions{})
		}
		return err
	})},
	{"sends more than a server takes", "one sync made more than", each(func(c call) error {
		s := newSlice("web-1")
		s.Annotations = map[string]string{"a": strings.Repeat("a", 2<<20)}
		for {
			_ = c.create(s)
		}
	})},
	{"writes when its sync has returned", "comes after the sync has returned", each(func(c call) error {
		go func() {
			s := newSlice("web-1")
			s.Labels[discoveryv1.LabelManagedBy] = manager
			for range 5000 {
				_ = c.create(s)
			}
		}()
		time.Sleep(time.Millisecond)
		return nil
	})},
	{"fails for another reason each time", "converges has more causes", each(func(c call) error {
		letters := []byte("web ")
		for range 20 {
			letters = append(letters, byte('a'+rand.IntN(26)))
		}
		if len(c.Own) == 0 {
			s := newSlice("")
			s.GenerateName, s.Labels[discoveryv1.LabelManagedBy] = "web-", manager
			return c.create(s)
		}
		return errors.New(string(letters))
	})},
	{"panics with a long text", "more bytes", each(func(call) error { panic(strings.Repeat("a ", 5<<20)) })},
}

// TestUnrulyWriters runs TestUnruly in a process of its own, because it judges the memory of the
// process.
func TestUnrulyWriters(t *testing.T) {
	nightly.Slow(t)
	if out, err := alone("TestUnruly"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestUnruly checks, when TestUnrulyWriters asks for it, that a run of each unruly writer ends with
// a short report whose last lines say what is wrong, and that memory stays below 512 MB.
func TestUnruly(t *testing.T) {
	if os.Getenv(inner) == "" {
		t.Skip("TestUnrulyWriters runs this")
	}
	for _, row := range unrulyWriters {
		t.Run(row.does, func(t *testing.T) {
			began := time.Now()
			found, err := Check(Options{ManagedBy: manager, Max: 3, Histories: 200}, row.start)
			if err != nil {
				t.Fatal(err)
			}
			told := false
			for _, f := range found {
				lines := strings.Split(f.History, "\n")
				told = told || regexp.MustCompile(row.breach).MatchString(strings.Join(lines[max(0, len(lines)-5):],
					"\n"))
				if len(lines) > 60 || len(f.History) > 20_000 {
					t.Errorf("a report of %d lines and %d bytes:\n%s", len(lines), len(f.History), f)
				}
			}
			if !told {
				t.Errorf("no report ends with %q: %v", row.breach, found)
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			t.Logf("%v, %d MiB", time.Since(began), memory.Sys>>20)
			if memory.Sys > 512<<20 {
				t.Errorf("the run needs %d MiB", memory.Sys>>20)
			}
		})
	}
}
