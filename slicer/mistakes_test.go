package slicer_test

import (
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestMostPorts: a group has at most 20000 ports. All other bounds are told by TestScenarios/callers-errors and bounds.
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
	if _, err := in.Compute(); err == nil || !strings.HasPrefix(err.Error(), "groups[0].ports: Too many: 20001: must have at most 20000 items") {
		t.Errorf("error %v", err)
	}
}
