package slicer_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// Vectors are cases in which some project's own planning of EndpointSlices went wrong, by their number in
// testdata/spec.md. scenarioOf says which story of testdata/slicer tells each; the others are rows of the tables below.
var scenarioOf = map[int]string{
	2: "portless", 3: "api-defaults", 4: "api-defaults", 5: "several-addresses", 10: "one-port-one-update",
	11: "first-250", 13: "oversize-split", 14: "oversize-keep", 16: "one-create-beats-two-updates", 17: "placeholder",
	18: "dying", 20: "stale-owner", 21: "foreign", 23: "stable-name-of-another-family", 24: "mixed-families",
	26: "rejects", 34: "nil-conditions", 35: "endpoint-fields", 41: "portless", 43: "labels", 44: "labels",
	47: "stale-cache", 48: "terminating", 52: "several-addresses", 54: "endpoint-fields", 55: "trigger-time",
	57: "old-addresses-go",
}

// vectors are those that concern Compute. Numbers that are missing belong to service, mirror or conditions.
var vectors = []int{1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 16, 17, 18, 20, 21, 23, 24, 26, 27, 34, 35, 41, 43, 44, 47, 48, 50, 52, 54, 55, 57}

var rows = []struct {
	vector int
	why    string
	world  string
	want   string // lines of the plan, or "error path (kind)" for each mistake
}{
	{1, "a plan on what a plan leaves writes nothing; check.Compute, which every row and story runs, says the same of each",
		"slices\nweb-a | http:80 | 10.0.0.1\n\nwant\nhttp:80 | 10.0.0.1", "unchanged web-a"},
	{12, "a maximum of 0 is Kubernetes' 100, and does not create empty slices for ever",
		"options max=0\nwant\nhttp:80 | 10.0.0.1", "create web-* ipv4 http:80: +10.0.0.1 (EndpointsAdded)"},
	{12, "a negative maximum returns", "options max=-1\nwant\nhttp:80 | 10.0.0.1", "error options.maxEndpointsPerSlice (Invalid value)"},
	{12, "the API server takes 1000, not 1001", "options max=1001\nwant\nhttp:80 | 10.0.0.1", "error options.maxEndpointsPerSlice (Invalid value)"},
	{27, "five ports stay five, each with its own name and number",
		"want\na:1,b:2,c:3,d:4,e:5 | 10.0.0.1", "create web-* ipv4 a:1,b:2,c:3,d:4,e:5: +10.0.0.1 (EndpointsAdded)"},
	{27, "two ports of one name are an error before anything is written",
		"want\na:1,a:2 | 10.0.0.1", "error groups[0].ports[1].name (Duplicate value)"},
	{27, "two ports without a name are, too: nil is empty",
		"want\n1/?,:2 | 10.0.0.1", "error groups[0].ports[1].name (Duplicate value)"},
	{50, "a nil slice is an error with its index", "slices\nweb-a | - | -\nnil", "error existing[1] (Required value)"},
	{50, "an endpoint with nothing but an address is fine", "want\n- | 10.0.0.1", "create web-* ipv4 none: +10.0.0.1 (EndpointsAdded)"},
	{50, "an endpoint without an address is set aside",
		"want\nipv4 - | [] 10.0.0.1", "create web-* ipv4 none: +10.0.0.1 (EndpointsAdded)\n" +
			"skipped groups[0].endpoints[0].addresses (InvalidAddress)"},
	{50, "a targetRef without name or kind is no reason to stumble",
		"want\n- | 10.0.0.1{uid=x}", "create web-* ipv4 none: +10.0.0.1 (EndpointsAdded)"},
}

func TestVectors(t *testing.T) {
	for _, row := range rows {
		if row.why == "" {
			t.Errorf("vector %d: a row says why it is there", row.vector)
		}
		if got := outcome(t, row.world); got != row.want {
			t.Errorf("vector %d, %s:\ngot\n%s\nwant\n%s", row.vector, row.why, got, row.want)
		}
	}
}

// outcome prints the plan for a world without its total, or the mistakes that keep it from being planned.
func outcome(t *testing.T, world string) string {
	t.Helper()
	plan, err := check.Compute(input(t, world))
	if check.Mistake(err) {
		return mistakes(err)
	}
	if err != nil {
		t.Errorf("%s\n%v", world, err)
	}
	lines := strings.Split(strings.TrimSpace(plan.String()), "\n")
	return strings.Join(lines[:len(lines)-1], "\n")
}

func mistakes(err error) string {
	var lines []string
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var f *field.Error
		if !errors.As(e, &f) {
			return fmt.Sprintf("an error that is no *field.Error: %v", e)
		}
		lines = append(lines, fmt.Sprintf("error %s (%s)", f.Field, f.Type))
	}
	return strings.Join(lines, "\n")
}

func TestVectorsHaveAReason(t *testing.T) {
	for _, v := range vectors {
		story, ok := scenarioOf[v]
		for _, row := range rows {
			ok = ok || row.vector == v
		}
		if !ok {
			t.Errorf("vector %d has neither a scenario nor a row", v)
		}
		if story == "" {
			continue
		}
		if _, err := os.Stat("../testdata/slicer/" + story + ".txt"); err != nil {
			t.Errorf("vector %d: %v", v, err)
		}
	}
	for v := range scenarioOf {
		if !slices.Contains(vectors, v) {
			t.Errorf("vector %d has a scenario and is not listed", v)
		}
	}
}

// TestUnknownOptions: an enum's value that this version does not know is a mistake of its own, with its path.
func TestUnknownOptions(t *testing.T) {
	for path, o := range map[string]slicer.Options{
		"options.packing": {Packing: "tight"},
		"options.invalid": {Invalid: "drop"},
	} {
		in := input(t, "")
		in.Options = o
		plan, err := in.Compute()
		if err == nil || !strings.HasPrefix(mistakes(err), "error "+path+" ") {
			t.Errorf("%s: %v\n%s", path, err, plan)
		}
	}
}

// TestNilInput: nothing at all is an error, not a panic, and so is a set without the rest.
func TestNilInput(t *testing.T) {
	for why, in := range map[string]given.World{
		"the zero input": {},
		"nil slices":     {Existing: []*discoveryv1.EndpointSlice{nil, nil}},
		"zero slices":    {Existing: []*discoveryv1.EndpointSlice{{}}},
		"zero groups":    {Input: slicer.Input{Groups: []slicer.Group{{}, {Endpoints: []discoveryv1.Endpoint{{}}}}}},
	} {
		if plan, err := in.Compute(); err == nil {
			t.Errorf("%s is taken:\n%s", why, plan)
		}
	}
	in, err := scenario.Input("want\n- | []")
	if err != nil {
		t.Fatal(err)
	}
	if plan := planned(t, in); len(plan.Skips) != 1 || !plan.Empty() {
		t.Errorf("an endpoint without anything:\n%s", plan)
	}
}
