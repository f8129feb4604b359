package check

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// Shuffled plans on the same values in another order and compares the plans (G7).
func Shuffled(in gen.Case, plan slicer.Plan, seed int64) error {
	other := Shuffle(in, seed)
	again, err := other.Compute()
	if err != nil {
		return fmt.Errorf("G7: the shuffled input is refused: %w", err)
	}
	a, b := PlanText(plan), PlanText(again)
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return fmt.Errorf("G7: the order of the input counts:\n%s\n%s", line(a, i), line(b, i))
		}
	}
	return nil
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// Shuffle copies the input with all lists whose order does not count in another order, and groups
// torn apart.
func Shuffle(in gen.Case, seed int64) gen.Case {
	r := rand.New(rand.NewSource(seed))
	out := Copy(in)
	for i := range out.Groups {
		g := &out.Groups[i]
		mix(r, g.Ports)
		r.Shuffle(len(g.Endpoints), func(i, j int) {
			g.Endpoints[i], g.Endpoints[j] = g.Endpoints[j], g.Endpoints[i]
		})
		if n := len(g.Endpoints); n > 1 {
			at := r.Intn(n)
			rest := slicer.Group{AddressType: g.AddressType, Ports: slices.Clone(g.Ports),
				Endpoints: slices.Clone(g.Endpoints[at:])}
			g.Endpoints = slices.Clone(g.Endpoints[:at])
			out.Groups = append(out.Groups, rest)
		}
	}
	mix(r, out.Groups)
	mix(r, out.Existing)
	for _, s := range out.Existing {
		mix(r, s.Ports)
		mix(r, s.Endpoints)
	}
	mix(r, out.Options.AddressTypes)
	mix(r, out.Options.Adopt)
	mix(r, out.Pending)
	return out
}

func mix[E any](r *rand.Rand, list []E) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// PlanText is everything of a plan that must not depend on the order of the input, a line each: no
// pointers, no paths, and of what is no longer there only the name.
func PlanText(plan slicer.Plan) []string {
	var lines []string
	add := func(what string, values ...any) {
		for _, v := range values {
			text, err := json.Marshal(v)
			if err != nil {
				text = []byte(err.Error())
			}
			what += " " + string(text)
		}
		lines = append(lines, what)
	}
	name := func(s *discoveryv1.EndpointSlice) string {
		if s == nil {
			return ""
		}
		return s.Name
	}
	for _, s := range plan.Steps {
		add("step", s.Verb, name(s.Old), s.New, s.Reasons, s.Added, s.Removed, s.Changed)
	}
	for _, s := range plan.Unchanged {
		add("unchanged", s.Name)
	}
	for _, i := range plan.Ignored {
		add("ignored", i.Name)
	}
	for _, n := range unordered(plan.Warnings) {
		add("warning", n.String(), n.Object, n.Address)
	}
	var normal []string
	for _, n := range plan.Normal {
		n.Path = ""
		normal = append(normal, n.String())
	}
	slices.Sort(normal) // they are in the order of the arguments
	add("normal", normal)
	for _, d := range plan.Hints {
		add("hints", d)
	}
	return lines
}

// unordered returns Warnings without paths. Of those about an address type that is not wanted,
// which there are for each Group, it keeps one.
func unordered(warnings slicer.Notices) (list []slicer.Notice) {
	unwanted := ""
	for _, n := range warnings {
		n.Path = ""
		if n.Reason == "UnwantedAddressType" {
			if unwanted == n.String() {
				continue
			}
			unwanted = n.String()
		}
		list = append(list, n)
	}
	return list
}
