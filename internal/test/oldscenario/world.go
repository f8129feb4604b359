package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/oldslices"
	"github.com/slicewright/slicewright/internal/test/oldgiven"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// World is the world of slicer's scenarios. Its commands:
//
//	changed TIME 10.0.0.1 ...        when wanted endpoints changed, for the trigger time
//	set name=web label:app=web ...   change the set, see setWords; slices that exist are not touched
//	options max=3 stable-names ...   change the options, see optionWords
//	slices                           block: what exists, see ParseSlice; nil for a nil pointer. A slice that names no
//	                                 resourceVersion has the number of its line
//	want                             block: the groups, see ParseGroup
//	compute                          the plan, or the errors with path and kind; runs all of package check too
//	apply [prefix=k]                 carry out the last plan, or its first k steps, on a simulated API server, up to the
//	                                 first that fails; prints what exists then
//	show                             prints what exists
//	cache stale / cache fresh        from now on compute sees the slices as they are now / follows again
//
// The set is Service ns/web, managed by slices.example.com and owned by Service/web/u1, until a
// scenario changes it. Names are generated, which prints as web-*, until it says stable-names.
type World struct {
	in     slicer.Input
	exists []*discoveryv1.EndpointSlice
	server *sim.Server // holds what exists; nil until the first apply after slices
	stale  bool
	view   []*discoveryv1.EndpointSlice // what compute sees, while the cache is stale
	plan   slicer.Plan
}

// NewWorld returns the handler of a new world.
func NewWorld() Handler { return New().Handle }

// New returns a new world for the scenarios of packages that make inputs: they have commands of
// their own and pass the others on.
func New() *World {
	yes := true
	w := &World{}
	w.in.Options.GeneratedNames = true
	w.in.Set = slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "slices.example.com",
		Owners: []metav1.OwnerReference{
			{APIVersion: "v1", Kind: "Service", Name: "web", UID: "u1", Controller: &yes, BlockOwnerDeletion: &yes},
		}}
	return w
}

// Want sets what compute plans; what exists stays, and is shown against the set of this input from
// now on.
func (w *World) Want(in slicer.Input) { w.in = in }

// Exists returns what exists, read-only.
func (w *World) Exists() []*discoveryv1.EndpointSlice { return w.exists }

// Input reads a world, the commands set, options, slices and want, for tests that look at plans
// themselves.
func Input(text string) (given.World, error) {
	w := New()
	s := &running{lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	var errs []error
	for s.more() {
		if line := s.lines[s.next]; line == "" || strings.HasPrefix(line, "#") {
			s.take()
			continue
		}
		_, err := w.Handle(s.command(TakesBlock))
		errs = append(errs, err)
	}
	return given.World{Input: w.in, Existing: w.exists}, errors.Join(errs...)
}

// TakesBlock reports whether a command of World has lines below it.
func TakesBlock(command string) bool { return command == "slices" || command == "want" }

// Handle carries out a command.
func (w *World) Handle(c Command) (string, error) {
	switch c.Name {
	case "set":
		return "", Words(&w.in.Set, c.Args, setWords)
	case "options":
		return "", Words(&w.in, c.Args, optionWords)
	case "slices":
		w.exists, w.server = nil, nil
		return "", each(c.Block, w.addSlice)
	case "changed":
		return "", w.setChanged(c.Args)
	case "want":
		w.in.Groups = nil
		return "", each(c.Block, w.addGroup)
	case "compute":
		return w.compute()
	case "apply":
		return w.apply(c.Args)
	case "show":
		return w.show(), nil
	case "cache":
		w.stale, w.view = slices.Equal(c.Args, []string{"stale"}), w.exists
		return "", nil
	}
	return "", fmt.Errorf("unknown command %s", c.Name)
}

func each(words []string, do func(string) error) error {
	var errs []error
	for _, word := range words {
		errs = append(errs, do(word))
	}
	return errors.Join(errs...)
}

func (w *World) addGroup(line string) error {
	g, err := ParseGroup(line, w.in.Set.Namespace)
	w.in.Groups = append(w.in.Groups, g)
	return err
}

func (w *World) addSlice(line string) error {
	if line == "nil" {
		w.exists = append(w.exists, nil)
		return nil
	}
	s, err := ParseSlice(line, w.in.Set)
	if err != nil {
		return err
	}
	if s.ResourceVersion == "" {
		s.ResourceVersion = strconv.Itoa(len(w.exists) + 1)
	}
	w.exists = append(w.exists, s)
	return nil
}

// setWords change the set.
var setWords = map[string]func(s *slicer.Set, key, value string){
	"namespace":   func(s *slicer.Set, _, value string) { s.Namespace = value },
	"name":        func(s *slicer.Set, _, value string) { s.Name = value },
	"managed-by":  func(s *slicer.Set, _, value string) { s.ManagedBy = value },
	"prefix":      func(s *slicer.Set, _, value string) { s.NamePrefix = value },
	"key":         func(s *slicer.Set, key, value string) { put(&s.Key, key, value) },
	"-key":        func(s *slicer.Set, key, _ string) { delete(s.Key, key) },
	"label":       func(s *slicer.Set, key, value string) { put(&s.Labels, key, value) },
	"-label":      func(s *slicer.Set, key, _ string) { delete(s.Labels, key) },
	"annotation":  func(s *slicer.Set, key, value string) { put(&s.Annotations, key, value) },
	"-annotation": func(s *slicer.Set, key, _ string) { delete(s.Annotations, key) },
	"-owners":     func(s *slicer.Set, _, _ string) { s.Owners = nil },
	"owner":       func(s *slicer.Set, _, value string) { s.Owners = append(s.Owners, parseOwner(value)) },
	"adopt":       func(s *slicer.Set, _, value string) { s.Adopt = strings.Split(value, ",") },
	"types": func(s *slicer.Set, _, value string) {
		s.AddressTypes = nil
		for _, t := range split(value, ',') {
			s.AddressTypes = append(s.AddressTypes, addressType(t, nil))
		}
	},
	"trigger": func(s *slicer.Set, _, value string) {
		s.TriggerTime = &time.Time{}
		if value != "-" { // the zero time
			*s.TriggerTime = Time(value)
		}
	},
	"created":     func(s *slicer.Set, _, value string) { s.Created = Time(value) },
	"terminating": func(s *slicer.Set, _, value string) { s.Terminating = value != "false" },
}

// setChanged reads a time and the first addresses of the wanted endpoints that changed then.
func (w *World) setChanged(words []string) error {
	at, err := time.Parse(time.RFC3339Nano, words[0])
	for _, address := range words[1:] {
		known := false
		for i := range w.in.Groups {
			g := &w.in.Groups[i]
			for j := range g.Endpoints {
				if g.Endpoints[j].Addresses[0] == address {
					g.Changed = slices.Grow(g.Changed, len(g.Endpoints))[:len(g.Endpoints)]
					g.Changed[j], known = at, true
				}
			}
		}
		if !known {
			err = errors.Join(err, fmt.Errorf("no endpoint is wanted with %s", address))
		}
	}
	return err
}

func put(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}

// optionWords change the options and the hints.
var optionWords = map[string]func(in *slicer.Input, key, value string){
	"explicit-conditions": func(in *slicer.Input, _, value string) {
		in.Options.ExplicitConditions = value != "false"
	},
	"keep-foreign-labels": func(in *slicer.Input, _, value string) {
		in.Options.KeepForeignLabels = value != "false"
	},
	"remove-foreign-annotations": func(in *slicer.Input, _, value string) {
		in.Options.RemoveForeignAnnotations = value != "false"
	},
	"by-target-uid":  func(in *slicer.Input, _, value string) { in.Options.ByTargetUID = value != "false" },
	"split-oversize": func(in *slicer.Input, _, value string) { in.Options.SplitOversize = value != "false" },
	"no-placeholder": func(in *slicer.Input, _, value string) { in.Options.NoPlaceholder = value != "false" },
	"stable-names":   func(in *slicer.Input, _, _ string) { in.Options.GeneratedNames = false },
	"max":            func(in *slicer.Input, _, value string) { in.Options.MaxEndpointsPerSlice = Number(value) },
	"dissolve-up-to": func(in *slicer.Input, _, value string) { in.Options.DissolveUpTo = Number(value) },
	"packing": func(in *slicer.Input, _, value string) {
		in.Options.Packing = slicer.Packing(unless("InPlace", value))
	},
	"invalid": func(in *slicer.Input, _, value string) {
		in.Options.Invalid = slicer.Invalid(unless("LeaveOut", value))
	},
	"hints": func(in *slicer.Input, _, value string) { in.Hints.Mode = hints.Mode(unless("None", value)) },
	"weights": func(in *slicer.Input, _, value string) {
		in.Hints.Weights.Zones = map[string]int64{}
		for _, word := range split(value, ',') {
			zone, weight, _ := strings.Cut(word, ":")
			in.Hints.Weights.Zones[zone] = int64(Number(weight))
		}
	},
}

// unless is the text of an option whose zero value has this word in scenarios.
func unless(zero, value string) string {
	if value == zero {
		return ""
	}
	return value
}

func (w *World) compute() (string, error) {
	in := given.World{Input: w.in, Existing: w.exists}
	if w.stale {
		in.Existing = w.view
	}
	var err error
	if w.plan, err = check.Compute(in); check.Mistake(err) {
		return problems(err), nil
	}
	return w.plan.String(), err
}

// problems prints each *field.Error with its path and kind.
func problems(err error) string {
	var one *field.Error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		text := ""
		for _, e := range joined.Unwrap() {
			text += problems(e)
		}
		return text
	}
	if !errors.As(err, &one) {
		return fmt.Sprintf("error without a path: %v\n", err)
	}
	return fmt.Sprintf("error %s (%s)\n", one.Field, one.Type)
}

func (w *World) apply(args []string) (string, error) {
	steps := w.plan.Steps
	for _, a := range args {
		k, err := strconv.Atoi(strings.TrimPrefix(a, "prefix="))
		if err != nil || k > len(steps) {
			return "", fmt.Errorf("apply %s: want prefix=k with k up to %d", a, len(steps))
		}
		steps = steps[:k]
	}
	if w.server == nil {
		w.server = &sim.Server{}
		w.server.Put(w.exists...)
	}
	text := ""
	for i, step := range steps {
		if err := check.Apply(w.server, step); err != nil {
			text = fmt.Sprintf("stopped at step %d: %s\n", i+1, apierrors.ReasonForError(err))
			break
		}
	}
	w.exists = w.server.List()
	return text + w.show(), nil
}

func (w *World) show() string {
	text := ""
	for _, s := range w.exists {
		text += FormatSlice(s, w.in.Set) + "\n"
	}
	if text == "" {
		return "nothing\n"
	}
	return text
}
