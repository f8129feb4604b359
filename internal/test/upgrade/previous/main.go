// Previous plans as the last release does: it reads a request from stdin and writes the steps of its plan to stdout. The
// test of package upgrade lets it work beside this version.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// Request is what a controller of the last release sees.
type Request struct {
	Service  *corev1.Service
	Pods     []*corev1.Pod
	Existing []*discoveryv1.EndpointSlice
	Max      int
	Packing  slicer.Packing
}

func main() {
	var r Request
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		fail(err)
	}
	o := service.Options{ManagedBy: "slices.example.com"}
	o.Slices.MaxEndpointsPerSlice, o.Slices.Packing = r.Max, r.Packing
	plan, err := service.Plan(r.Service, r.Pods, nil, r.Existing, o)
	if err != nil {
		fail(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(plan.Steps); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
