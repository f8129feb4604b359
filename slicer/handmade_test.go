package slicer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
)

// TestHandmadePlans: plans are plain data, and people build some in their tests; what lacks half of
// it does not panic.
func TestHandmadePlans(t *testing.T) {
	object := &discoveryv1.EndpointSlice{}
	for why, plan := range map[string]slicer.Plan{
		"nothing":                      {},
		"a step without anything":      {Steps: []slicer.Step{{}}},
		"steps without objects":        {Steps: []slicer.Step{{Verb: slicer.Create}, {Verb: slicer.Update}, {Verb: slicer.Delete}, {Verb: "patch"}}},
		"steps with the other object":  {Steps: []slicer.Step{{Verb: slicer.Create, Old: object}, {Verb: slicer.Delete, New: object}}},
		"an update without the old":    {Steps: []slicer.Step{{Verb: slicer.Update, New: object}}},
		"nil among the unchanged":      {Unchanged: []*discoveryv1.EndpointSlice{nil, object}},
		"nil among the ignored":        {Ignored: []slicer.Ignored{{}}},
		"a rejection without error":    {Skips: []slicer.Skip{{}}},
		"a decision without its parts": {Hints: []hints.Decision{{}, {Mode: hints.Auto}, {Mode: "Nonsense"}}},
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: panic: %v", why, r)
				}
			}()
			_, _, _, _ = plan.String(), plan.After(), plan.Stats(), plan.Empty()
			for _, s := range plan.Steps {
				_, _ = s.String(), s.Preconditions()
			}
		}()
	}
}

// TestIgnoredString: what is ignored names the slice and the reason.
func TestIgnoredString(t *testing.T) {
	ignored := slicer.Ignored{Slice: exampleSlice("web-a", "1"), Reason: slicer.Foreign}
	if got := ignored.String(); got != "web-a: Foreign" {
		t.Errorf("%q", got)
	}
}

// TestCopiesOfOneVersion: of many slices that hold an endpoint, the first by name of those with the
// highest resourceVersion keeps it.
func TestCopiesOfOneVersion(t *testing.T) {
	in := input(t, "want\nhttp:80 | 10.0.0.1\n\nslices\nweb-00 rv=1 | http:80 | 10.0.0.1\n")
	for n := 1; n < 40; n++ {
		s := in.Existing[0].DeepCopy()
		s.Name, s.ResourceVersion = fmt.Sprintf("web-%02d", n), fmt.Sprint(1+n%2)
		in.Existing = append(in.Existing, s)
	}
	plan := planned(t, in)
	kept := slices.DeleteFunc(slices.Clone(in.Existing), func(s *discoveryv1.EndpointSlice) bool {
		return slices.ContainsFunc(plan.Steps, func(p slicer.Step) bool {
			return p.Verb == slicer.Delete && p.Old == s
		})
	})
	if len(kept) != 1 || kept[0].Name != "web-01" {
		t.Errorf("kept %d slices, want web-01 alone: %v", len(kept), plan)
	}
}

// TestLargestObjectFitsIntoStorage: the largest slices there are stay far below the 1.5 MB that
// etcd takes.
func TestLargestObjectFitsIntoStorage(t *testing.T) {
	nightly.Slow(t)
	in := gen.First(gen.Service(1000))
	in.Options.MaxEndpointsPerSlice = 1000
	if largest := planned(t, in).Steps[0].New.Size(); largest < 100_000 || largest > 1_500_000/4 {
		t.Errorf("a slice of 1000 endpoints has %d bytes", largest)
	}
}

// TestMostPorts: a group has at most 20000 ports. All other bounds are in
// TestScenarios/callers-errors and bounds.
func TestMostPorts(t *testing.T) {
	in := input(t, "want\nhttp:80 | 10.0.0.1\n")
	in.Groups[0].Ports = nil
	for i := range 20000 {
		name := fmt.Sprint("p", i)
		in.Groups[0].Ports = append(in.Groups[0].Ports, discoveryv1.EndpointPort{Name: &name})
	}
	if _, err := in.Compute(); err != nil {
		t.Errorf("no mistake: %v", err)
	}
	in.Groups[0].Ports = append(in.Groups[0].Ports, discoveryv1.EndpointPort{Name: ptr("more")})
	if plan, err := in.Compute(); err != nil || len(plan.Skips) != 1 ||
		!strings.Contains(plan.Skips[0].Error(), "Too many: 20001: must have at most 20000 items") {
		t.Errorf("%v, error %v", plan.Skips, err)
	}
}

// TestWarningsAreBounded: a text of many Skips has twenty lines and the number of the others, and
// routine Skips are no warnings.
func TestWarningsAreBounded(t *testing.T) {
	plan := slicer.Plan{Skips: []slicer.Skip{{Reason: "NoAddress", Path: "pods[0]", Severity: slicer.Routine}}}
	if w := plan.Warnings(); w != nil || w.String() != "" || plan.Retry() != nil {
		t.Errorf("%v, %v", w, plan.Retry())
	}
	for i := range 21 {
		plan.Skips = append(plan.Skips, slicer.Skip{Reason: "NodeMissing", Path: fmt.Sprintf("pods[%d]", i+1),
			Retry: true})
		lines := 0
		if i == 20 {
			lines = 1
		}
		for _, text := range []string{fmt.Sprint(plan.Warnings()), plan.Retry().Error()} {
			if strings.Count(text, "NodeMissing") != min(i+1, 20) || strings.Count(text, "\nand 1 more:") != lines ||
				strings.HasSuffix(text, "\n") {
				t.Errorf("of %d Skips: %s", i+1, text)
			}
		}
	}
}

// TestGeneratedNamesAfter: where After shows what the API server will name, it takes no name of a
// slice that exists: one that stays, one that is updated or deleted, or another manager's.
func TestGeneratedNamesAfter(t *testing.T) {
	plan := planned(t, input(t, `options max=1

slices
web-1 | http:80 | 10.0.0.1
web-2 managed-by=other.example.com | http:80 | 10.0.0.2
web-4 | http:80 | 10.0.0.4
web-6 ipv6 | http:80 | fd00::1

want
http:80 | 10.0.0.1 10.0.0.4{!ready} 10.0.0.5 10.0.0.6 10.0.0.7`))
	var names []string
	for _, s := range plan.After() {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	if want := []string{"web-1", "web-3", "web-4", "web-5", "web-7"}; !slices.Equal(names, want) {
		t.Errorf("named %q, want %q\n%s", names, want, plan)
	}
}

// TestMostOwners: a set has at most 100 owners, because each is compared with each.
func TestMostOwners(t *testing.T) {
	in := slicer.Input{Set: slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "me"}}
	for i := range 101 {
		in.Set.Owners = append(in.Set.Owners,
			metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web", UID: types.UID(fmt.Sprint(i))})
		_, err := slicer.Compute(in, nil)
		if (err != nil) != (i >= 100) ||
			err != nil && !strings.Contains(err.Error(), "set.owners: Too many: 101: must have at most 100 items") {
			t.Errorf("%d owners: error %v", i+1, err)
		}
	}
}
