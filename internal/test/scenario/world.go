package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// State is the state of one of slicer's scenarios. Its commands:
//
//	changed TIME 10.0.0.1 ...        when wanted endpoints changed, for the trigger time
//	set name=web label:app=web ...   change Key, Meta and more, see setWords; slices that exist are not touched
//	pending 10.0.0.1 pod=web-1 ...   Pending, see pendingWords
//	options max=3 compact ...        change the options, see optionWords
//	known                            no object is Pending any more
//	slices                           block: what exists, see ParseSlice; nil for a nil pointer. A slice that names no
//	                                 resourceVersion has the number of its line
//	want                             block: the groups, see ParseGroup
//	compute                          the plan, with trigger times, or the errors with path and kind; runs all of package check too
//	apply [prefix=k]                 carry out the last plan, or its first k steps, on a simulated API server, up to the
//	                                 first that fails; prints what exists then
//	show                             prints what exists
//	cache stale / cache fresh        from now on compute sees the slices as they are now / follows again
//
// The set is Service ns/web, managed by slices.example.com and owned by Service/web/u1, until a
// scenario changes it.
type State struct {
	in     slicer.Input
	exists []*discoveryv1.EndpointSlice
	server *sim.Server // holds what exists; nil until the first apply after slices
	stale  bool
	view   []*discoveryv1.EndpointSlice // what compute sees, while the cache is stale
	plan   slicer.Plan
}

// NewState returns the handler of a new scenario.
func NewState() Handler { return New().Handle }

// New returns a new State for the scenarios of packages that make inputs: they have commands of
// their own and pass the others on.
func New() *State {
	yes := true
	w := &State{}
	w.in.Key = slicer.Key{Namespace: "ns", Name: "web", ManagedBy: "slices.example.com"}
	w.in.Meta.OwnerReferences = []metav1.OwnerReference{
		{APIVersion: "v1", Kind: "Service", Name: "web", UID: "u1", Controller: &yes, BlockOwnerDeletion: &yes},
	}
	return w
}

// Want sets what compute plans; what exists stays, and is shown against the set of this input from
// now on.
func (w *State) Want(in slicer.Input) { w.in = in }

// Exists returns what exists, read-only.
func (w *State) Exists() []*discoveryv1.EndpointSlice { return w.exists }

// Input reads a test case, the commands set, options, slices and want, for tests that look at plans
// themselves.
func Input(text string) (gen.Case, error) {
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
	return gen.Case{Input: w.in, Existing: w.exists}, errors.Join(errs...)
}

// TakesBlock reports whether a command of State has lines below it.
func TakesBlock(command string) bool { return command == "slices" || command == "want" }

// Handle carries out a command.
func (w *State) Handle(c Command) (string, error) {
	switch c.Name {
	case "set":
		return "", Words(&w.in, c.Args, setWords)
	case "options":
		return "", Words(&w.in, c.Args, optionWords)
	case "slices":
		w.exists, w.server = nil, nil
		return "", each(c.Block, w.addSlice)
	case "pending":
		var p slicer.Pending
		err := Words(&p, c.Args, pendingWords)
		w.in.Pending = append(w.in.Pending, p)
		return "", err
	case "known":
		w.in.Pending = nil
		return "", nil
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

// addGroup reads a group. If it names no address type, the addresses decide, and there is a group
// for each type.
func (w *State) addGroup(line string) error {
	g, err := ParseGroup(line, w.in.Key.Namespace)
	if g.AddressType != "" {
		w.in.Groups = append(w.in.Groups, g)
		return err
	}
	byType := map[discoveryv1.AddressType]int{} // indices of groups
	for _, e := range g.Endpoints {
		t := addressType("-", []discoveryv1.Endpoint{e.API})
		i, known := byType[t]
		if !known {
			i = len(w.in.Groups)
			byType[t] = i
			w.in.Groups = append(w.in.Groups, slicer.Group{AddressType: t, Ports: g.Ports})
		}
		w.in.Groups[i].Endpoints = append(w.in.Groups[i].Endpoints, e)
	}
	if len(g.Endpoints) == 0 {
		g.AddressType = discoveryv1.AddressTypeIPv4
		w.in.Groups = append(w.in.Groups, g)
	}
	return err
}

func (w *State) addSlice(line string) error {
	if line == "nil" {
		w.exists = append(w.exists, nil)
		return nil
	}
	s, err := ParseSlice(line, &w.in)
	if err != nil {
		return err
	}
	if s.ResourceVersion == "" {
		s.ResourceVersion = strconv.Itoa(len(w.exists) + 1)
	}
	w.exists = append(w.exists, s)
	return nil
}

// setWords change the Key, the Meta, and the Options that say whose slices are meant.
var setWords = map[string]func(in *slicer.Input, key, value string){
	"namespace":   func(in *slicer.Input, _, value string) { in.Key.Namespace = value },
	"name":        func(in *slicer.Input, _, value string) { in.Key.Name = value },
	"managed-by":  func(in *slicer.Input, _, value string) { in.Key.ManagedBy = value },
	"key":         func(in *slicer.Input, key, value string) { put(&in.Key.MatchLabels, key, value) },
	"-key":        func(in *slicer.Input, key, _ string) { delete(in.Key.MatchLabels, key) },
	"prefix":      func(in *slicer.Input, _, value string) { in.Meta.NamePrefix = value },
	"label":       func(in *slicer.Input, key, value string) { put(&in.Meta.Labels, key, value) },
	"-label":      func(in *slicer.Input, key, _ string) { delete(in.Meta.Labels, key) },
	"annotation":  func(in *slicer.Input, key, value string) { put(&in.Meta.Annotations, key, value) },
	"-annotation": func(in *slicer.Input, key, _ string) { delete(in.Meta.Annotations, key) },
	"-owners":     func(in *slicer.Input, _, _ string) { in.Meta.OwnerReferences = nil },
	"owner": func(in *slicer.Input, _, value string) {
		in.Meta.OwnerReferences = append(in.Meta.OwnerReferences, parseOwner(value))
	},
	"adopt": func(in *slicer.Input, _, value string) { in.Options.Adopt = strings.Split(value, ",") },
	"types": func(in *slicer.Input, _, value string) {
		in.Options.AddressTypes = nil
		for _, t := range split(value, ',') {
			in.Options.AddressTypes = append(in.Options.AddressTypes, addressType(t, nil))
		}
	},
	"trigger": func(in *slicer.Input, _, value string) {
		if value == "-" { // no time
			value = ""
		}
		put(&in.Meta.Annotations, corev1.EndpointsLastChangeTriggerTime, value)
	},
	"created":     func(in *slicer.Input, _, value string) { in.Meta.CreationTimestamp = Time(value) },
	"terminating": func(in *slicer.Input, _, value string) { in.Meta.Terminating = value != "false" },
}

// pendingWords change a Pending.
var pendingWords = map[string]func(p *slicer.Pending, key, value string){
	"pod": func(p *slicer.Pending, _, value string) {
		p.Object = corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: value}
	},
	"uid":        func(p *slicer.Pending, _, value string) { p.Object.UID = types.UID(value) },
	"address":    func(p *slicer.Pending, _, value string) { p.Address = value },
	"untargeted": func(p *slicer.Pending, _, _ string) { p.Untargeted = true },
}

// setChanged reads a time and the first addresses of the wanted endpoints that changed then.
func (w *State) setChanged(words []string) error {
	at, err := time.Parse(time.RFC3339Nano, words[0])
	for _, address := range words[1:] {
		known := false
		for i := range w.in.Groups {
			g := &w.in.Groups[i]
			for j := range g.Endpoints {
				if g.Endpoints[j].API.Addresses[0] == address {
					g.Endpoints[j].Changed, known = at, true
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
	"keep-labels":    func(in *slicer.Input, _, value string) { in.Options.KeepLabels = value != "false" },
	"no-placeholder": func(in *slicer.Input, _, value string) { in.Options.NoPlaceholder = value != "false" },
	"compact":        func(in *slicer.Input, _, value string) { in.Options.Compact = value != "false" },
	"max":            func(in *slicer.Input, _, value string) { in.Options.MaxEndpointsPerSlice = Number(value) },
	"hints":          func(in *slicer.Input, _, value string) { in.Hints.Mode = hints.Mode(unless("None", value)) },
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

func (w *State) compute() (string, error) {
	in := gen.Case{Input: w.in, Existing: w.exists}
	if w.stale {
		in.Existing = w.view
	}
	var err error
	if w.plan, err = check.Compute(in); check.Mistake(err) {
		return problems(err), nil
	}
	return withTriggers(w.plan), err
}

// withTriggers prints a plan, and after each step the trigger time that it writes.
func withTriggers(plan slicer.Plan) string {
	lines := strings.SplitAfter(plan.String(), "\n")
	for i, step := range plan.Steps {
		if step.New == nil {
			continue
		}
		if at := step.New.Annotations[corev1.EndpointsLastChangeTriggerTime]; at != "" {
			lines[i] = strings.TrimSuffix(lines[i], "\n") + " since " + at + "\n"
		}
	}
	return strings.Join(lines, "")
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

func (w *State) apply(args []string) (string, error) {
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

func (w *State) show() string {
	text := ""
	for _, s := range w.exists {
		text += FormatSlice(s, &w.in) + "\n"
	}
	if text == "" {
		return "nothing\n"
	}
	return text
}
