package main

import (
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/commandtest"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

var route commandtest.New = func() *command.Command { return &newRoute().Command }

func TestRouteScenarios(t *testing.T) { route.Scenarios(t, "route", "testdata/route/command/*.txt") }

func TestHostile(t *testing.T) { route.Hostile(t, "-zone", "a") }

// rows lists what tables have, as "ns/web Port http/TCP, IPv4 10.0.0.1:80 web-1". Each row has a reason.
func rows(text string) map[string]bool {
	found := map[string]bool{}
	service, port := "", ""
	for line := range strings.Lines(strings.ReplaceAll(text, "in DNS ", "dns    ")) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "Service "):
			service = strings.TrimSuffix(words[1], ",")
		case strings.HasPrefix(line, "Port "), strings.HasPrefix(line, "Slices without ports"):
			port, _, _ = strings.Cut(line, ":")
		case len(words) > 8 && strings.Contains("yes no dns", words[0]):
			for slice := range strings.SplitSeq(words[7], ",") {
				found[strings.Join([]string{service, port, words[1], slice}, " ")] = true
			}
		}
	}
	return found
}

// TestAccount: each endpoint of the input is in a row for each of its ports and addresses, with its
// slice and the reason, or counted in a line about the slice, for which there is a reason, too.
func TestAccount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, got := route.Draw(t, "-all", "-zone", "a")
		must := func(has string) {
			if len(o.EndpointSlices) > 0 && !strings.Contains(got, has) {
				t.Fatalf("%s is nowhere in\n%s", has, got)
			}
		}
		for _, svc := range o.Services {
			must(fmt.Sprintf("Service %s/%s,", svc.Namespace, svc.Name))
			for _, p := range svc.Spec.Ports {
				must("Port " + manifest.PortName(p))
			}
		}
		found := rows(got)
		for _, s := range o.EndpointSlices {
			name := s.Namespace + "/" + s.Name
			service := s.Labels["kubernetes.io/service-name"]
			if service == "" {
				must(fmt.Sprintf("%s: %d endpoint", name, len(s.Endpoints)))
				continue
			}
			left := 0
			for _, e := range s.Endpoints {
				for _, p := range append(s.Ports, discoveryv1.EndpointPort{})[:max(1, len(s.Ports))] {
					part := fmt.Sprintf("Port %s, %s", manifest.PortName(manifest.PortOf(p)), s.AddressType)
					number := "*"
					if p.Port != nil {
						number = fmt.Sprint(*p.Port)
					}
					if len(s.Ports) == 0 {
						part = fmt.Sprintf("Slices without ports, %s", s.AddressType)
					}
					for _, a := range append(e.Addresses, "")[:max(1, len(e.Addresses))] {
						at := fmt.Sprintf("%s/%s %s %s:%s %s", s.Namespace, service, part, a, number, s.Name)
						if !found[at] && !found[strings.Replace(at, a+":", "["+a+"]:", 1)] {
							left++
						}
					}
				}
			}
			if left > 0 {
				must(fmt.Sprintf("  %s: %d endpoint", name, left))
				if !strings.Contains(got, "  "+name+": addressType") && !strings.Contains(got, "  "+name+": ports") {
					must("  " + name + ": endpoints")
				}
			}
		}
	})
}
