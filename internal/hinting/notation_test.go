package hinting_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/internal/hinting"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// The notation of slices in tests and scenarios:
//
//	+a b>c | *2a>a b! | c
//
// A bar ends a slice; + marks one that is created, * an updated one, neither an unchanged
// one. An endpoint is its zone, @node, ! for not ready or ~ for a nil ready condition, and after >
// what it is hinted to: zones joined by commas, then @node. The zone _ is none, ” the empty one. A
// number in front repeats.
func parseSlices(text string) ([]hinting.Slice, error) {
	var in []hinting.Slice
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	number := 0
	for i, part := range strings.Split(text, "|") {
		part = strings.TrimSpace(part)
		s := hinting.Slice{Name: fmt.Sprintf("s%d", i+1)}
		if strings.HasPrefix(part, "+") || strings.HasPrefix(part, "*") {
			s.Written, part = true, part[1:]
		}
		for _, word := range strings.Fields(part) {
			digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
			times := 1
			if digits > 0 {
				times, _ = strconv.Atoi(word[:digits])
			}
			for range times {
				e, err := parseEndpoint(word[digits:])
				if err != nil {
					return nil, err
				}
				number++
				e.Addresses = []string{fmt.Sprintf("10.%d.%d.%d", number>>16, number>>8&255, number&255)}
				s.Endpoints = append(s.Endpoints, e)
			}
		}
		in = append(in, s)
	}
	return in, nil
}

func parseEndpoint(word string) (discoveryv1.Endpoint, error) {
	var e discoveryv1.Endpoint
	home, hint, hinted := strings.Cut(word, ">")
	if home == "" || (hinted && hint == "") {
		return e, fmt.Errorf("no endpoint: %q", word)
	}
	e.Conditions.Ready = new(bool)
	switch home[len(home)-1] {
	case '!':
		home = home[:len(home)-1]
	case '~':
		home, e.Conditions.Ready = home[:len(home)-1], nil
	default:
		*e.Conditions.Ready = true
	}
	zone, node, atNode := strings.Cut(home, "@")
	if zone == "''" {
		e.Zone = new(string)
	} else if zone != "_" {
		e.Zone = &zone
	}
	if atNode {
		e.NodeName = &node
	}
	if hinted {
		e.Hints = &discoveryv1.EndpointHints{}
		zones, nodes, _ := strings.Cut(hint, "@")
		for _, name := range strings.FieldsFunc(zones, func(r rune) bool { return r == ',' }) {
			e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: name})
		}
		for _, name := range strings.FieldsFunc(nodes, func(r rune) bool { return r == ',' }) {
			e.Hints.ForNodes = append(e.Hints.ForNodes, discoveryv1.ForNode{Name: name})
		}
	}
	return e, nil
}

// mustSlices is for texts that are written in a test.
func mustSlices(text string) []hinting.Slice {
	in, err := parseSlices(text)
	if err != nil {
		panic(err)
	}
	return in
}

// printSlices is the way back; runs of equal endpoints are written as a number.
func printSlices(in []hinting.Slice) string {
	var parts []string
	for _, s := range in {
		var words []string
		for k := 0; k < len(s.Endpoints); {
			word, run := printEndpoint(&s.Endpoints[k]), 1
			for k+run < len(s.Endpoints) && printEndpoint(&s.Endpoints[k+run]) == word {
				run++
			}
			if k += run; run > 1 {
				word = strconv.Itoa(run) + word
			}
			words = append(words, word)
		}
		mark := ""
		if s.Written {
			mark = "*"
		}
		parts = append(parts, mark+strings.Join(words, " "))
	}
	return strings.Join(parts, " | ")
}

func printEndpoint(e *discoveryv1.Endpoint) string {
	word := "_"
	if e.Zone != nil {
		if word = *e.Zone; word == "" {
			word = "''"
		}
	}
	if e.NodeName != nil {
		word += "@" + *e.NodeName
	}
	switch ready := e.Conditions.Ready; {
	case ready == nil:
		word += "~"
	case !*ready:
		word += "!"
	}
	if e.Hints == nil || len(e.Hints.ForZones)+len(e.Hints.ForNodes) == 0 {
		return word
	}
	for i, z := range e.Hints.ForZones {
		word += map[bool]string{true: ">", false: ","}[i == 0] + z.Name
	}
	if len(e.Hints.ForZones) == 0 {
		word += ">"
	}
	for i, n := range e.Hints.ForNodes {
		word += map[bool]string{true: "@", false: ","}[i == 0] + n.Name
	}
	return word
}

// parseWeights reads cores of zones a, b, c and so on, as in 4,4,8.
func parseWeights(text string) (hinting.Weights, error) {
	w := hinting.Weights{Zones: map[string]int64{}}
	if text == "" {
		return w, nil
	}
	for i, cores := range strings.Split(text, ",") {
		n, err := strconv.ParseInt(cores, 10, 64)
		if err != nil {
			return w, err
		}
		w.Zones[string(rune('a'+i))] = n * 1000
	}
	return w, nil
}

// auto is the configuration of most tests.
func auto(cores string, steady bool) hinting.Options {
	w, err := parseWeights(cores)
	if err != nil {
		panic(err)
	}
	return hinting.Options{Mode: hinting.Auto, Weights: w, Steady: steady}
}

// after returns the slices with the changes made: slices that were written are unchanged now, and
// slices that were rewritten for their hints are listed.
func after(in []hinting.Slice, changes []hinting.Change) (out []hinting.Slice, opened []string) {
	for _, s := range in {
		s.Endpoints = slices.Clone(s.Endpoints)
		s.Written = false
		out = append(out, s)
	}
	for _, c := range changes {
		out[c.Slice].Endpoints[c.Endpoint].Hints = c.Hints
		if name := in[c.Slice].Name; !in[c.Slice].Written && !slices.Contains(opened, name) {
			opened = append(opened, name)
		}
	}
	return out, opened
}
