package dedup_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/notation"
	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestScenarios runs the stories in testdata/dedup. Slices are written as in slicer's stories, of Service default/web
// unless they say otherwise, with time=HH:MM for the trigger time. The commands:
//
//	options all-addresses keep-any-port types=ipv4+fqdn label=k accept=prefix
//	upsert       events: slices in the block are added or changed
//	replace      a relist: the slices in the block are all there are
//	delete NAME  an event; several names are several events
//	lose NAME    the slice is gone, and no event says so
//	flush        prints the deltas
//	view         prints endpoints by service port; conflicts, problems, by-target print what they say
//
// Every flush is checked against D1 to D4, and against merges of the slices in several orders.
func TestScenarios(t *testing.T) {
	block := func(command string) bool { return command == "upsert" || command == "replace" }
	scenario.Run(t, "../testdata/dedup/*.txt", func() scenario.Handler { return newStory().handle }, block)
}

type story struct {
	options dedup.Options
	ix      *dedup.Index
	truth   map[string]*discoveryv1.EndpointSlice
	behind  bool
}

func newStory() *story {
	return &story{ix: newIndex(dedup.Options{}), truth: map[string]*discoveryv1.EndpointSlice{}}
}

var web = slicer.Set{Namespace: "default", Name: "web", ManagedBy: "test"}

func (s *story) handle(c scenario.Command) (string, error) {
	list, err := parseSlices(c.Block)
	if err != nil {
		return "", err
	}
	v := s.ix.View()
	switch c.Name {
	case "options":
		return "", s.setOptions(c.Args)
	case "upsert":
		for _, slice := range list {
			s.ix.Upsert(slice)
			s.keep(slice)
		}
	case "replace":
		s.ix.Replace(list)
		clear(s.truth)
		for _, slice := range list {
			const trigger = corev1.EndpointsLastChangeTriggerTime
			if other := s.truth[slice.Name]; other == nil || other.Annotations[trigger] < slice.Annotations[trigger] {
				s.keep(slice)
			}
		}
		s.behind = false
	case "delete":
		for _, name := range c.Args {
			s.ix.Delete("default", name)
			delete(s.truth, name)
		}
	case "lose":
		for _, name := range c.Args {
			delete(s.truth, name)
		}
		s.behind = true
	case "flush":
		return s.flush()
	case "view":
		return printView(v), nil
	case "conflicts":
		return lines(slices.Collect(v.Conflicts())), nil
	case "problems":
		return printProblems(v), nil
	case "by-target":
		return groups(slices.Collect(v.ByTarget(webHTTP.Service))), nil
	default:
		return "", fmt.Errorf("unknown command %s", c.Name)
	}
	return "", nil
}

var shortTime = regexp.MustCompile(` time=(\d\d:\d\d)`)

func parseSlices(block []string) ([]*discoveryv1.EndpointSlice, error) {
	var list []*discoveryv1.EndpointSlice
	for _, line := range block {
		if line == "nil" {
			list = append(list, nil)
			continue
		}
		line = shortTime.ReplaceAllString(line, " annotation:"+corev1.EndpointsLastChangeTriggerTime+"=2026-11-20T$1:00Z")
		slice, err := scenario.ParseSlice(line, web)
		if err != nil {
			return nil, err
		}
		list = append(list, slice)
	}
	return list, nil
}

func (s *story) keep(slice *discoveryv1.EndpointSlice) {
	if slice != nil {
		s.truth[slice.Name] = slice
	}
}

func (s *story) setOptions(words []string) error {
	o := &s.options
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "all-addresses":
			o.AllAddresses = true
		case "keep-any-port":
			o.KeepAnyPort = true
		case "types":
			names := map[string]discoveryv1.AddressType{"ipv4": "IPv4", "ipv6": "IPv6", "fqdn": "FQDN"}
			for _, t := range strings.Split(value, "+") {
				o.AddressTypes = append(o.AddressTypes, names[t])
			}
		case "label":
			o.Service = dedup.ByLabel(value)
		case "accept":
			o.Service = func(s *discoveryv1.EndpointSlice) (string, bool) {
				return s.Labels[discoveryv1.LabelServiceName], strings.HasPrefix(s.Name, value)
			}
		default:
			return fmt.Errorf("unknown option %s", word)
		}
	}
	s.ix = newIndex(s.options)
	return nil
}

func (s *story) flush() (string, error) {
	before := s.ix.View()
	changes, _ := s.ix.Flush()
	after := s.ix.View()
	if err := check.Changes(before, after, changes); err != nil {
		return "", err
	}
	if !s.behind {
		if err := s.check(after); err != nil {
			return "", err
		}
	}
	if nothing(changes) {
		return "nothing changed\n", nil
	}
	return lines(told(changes)), nil
}

// portsOf returns the deltas of a Flush.
func portsOf(c dedup.Changes, _ dedup.Problems) []dedup.Delta { return c.Ports }

func nothing(c dedup.Changes) bool { return c.Appeared == nil && c.Gone == nil && c.Ports == nil }

// told lists changes with each Service before its ports.
func told(c dedup.Changes) (texts []string) {
	for _, s := range c.Appeared {
		texts = append(texts, s.String()+" appeared")
	}
	for _, s := range c.Gone {
		texts = append(texts, s.String()+" gone")
	}
	for _, d := range c.Ports {
		texts = append(texts, d.String())
	}
	service := func(text string) string { return text[:strings.IndexAny(text, ": ")] }
	slices.SortStableFunc(texts, func(a, b string) int { return strings.Compare(service(a), service(b)) })
	return texts
}

// check compares the view with merges of the slices in all rotations, forwards and backwards.
func (s *story) check(v dedup.View) error {
	var list []*discoveryv1.EndpointSlice
	for _, slice := range s.truth {
		list = append(list, slice)
	}
	if err := check.View(list, s.options, v); err != nil {
		return err
	}
	for range list {
		list = append(list[1:], list[0])
		for range 2 {
			slices.Reverse(list)
			if got, want := printView(dedup.Merge(list, s.options)), printView(v); got != want {
				return fmt.Errorf("D1: merge\n%sindex\n%s", got, want)
			}
		}
	}
	return nil
}

func lines[T any](list []T) string {
	if len(list) == 0 {
		return "none\n"
	}
	text := ""
	for _, x := range list {
		text += fmt.Sprintln(x)
	}
	return text
}

// printView prints Services, their ports, and under each its endpoints with the slice they are from.
func printView(v dedup.View) string {
	text := ""
	for service := range v.Services() {
		if len(slices.Collect(v.Ports(service))) == 0 {
			text += fmt.Sprintln(service, "without ports")
		}
		for port := range v.Ports(service) {
			text += fmt.Sprintln(port)
			for e := range v.Endpoints(port) {
				text += fmt.Sprintf("  %v %s\n", endpointText(e), e.Slice)
			}
		}
	}
	if text == "" {
		return "empty\n"
	}
	return text
}

// endpointText prints host:port and the fields that are set, in the notation of slicer's stories. Conditions are left
// out where they are what nil means.
func endpointText(e dedup.Endpoint) string {
	set := func(text string) *string {
		if text == "" {
			return nil
		}
		return &text
	}
	api := discoveryv1.Endpoint{Conditions: e.State.Conditions(), Hostname: set(e.Hostname), NodeName: set(e.NodeName), Zone: set(e.Zone)}
	for condition, means := range map[**bool]bool{&api.Conditions.Ready: true, &api.Conditions.Serving: true, &api.Conditions.Terminating: false} {
		if **condition == means {
			*condition = nil
		}
	}
	if e.Target != (dedup.Target{}) {
		api.TargetRef = &corev1.ObjectReference{
			Kind: e.Target.Kind, Namespace: e.Target.Namespace, Name: e.Target.Name, UID: e.Target.UID,
		}
	}
	if len(e.ForZones)+len(e.ForNodes) > 0 {
		api.Hints = &discoveryv1.EndpointHints{ForZones: e.ForZones, ForNodes: e.ForNodes}
	}
	return e.String() + notation.Braces(notation.Fields(&api, "default"))
}

func printProblems(v dedup.View) string {
	var list []string
	for _, p := range v.Problems() {
		list = append(list, fmt.Sprintf("%v: %v", p.Reason, p))
	}
	return lines(list)
}

// groups prints one group a line.
func groups(list [][]dedup.PortEndpoint) string {
	text := ""
	for _, group := range list {
		for i, p := range group {
			text += fmt.Sprintf("%s%s/%s=%v", " "[:min(i, 1)], p.Port.Port, p.Port.Protocol, p.Endpoint)
		}
		text += "\n"
	}
	return text
}
