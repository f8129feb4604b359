// Command route shows which endpoints of a Service a node would send traffic to, which not, and
// why, for the day when traffic goes to the wrong Pod. It touches no cluster.
//
//	kubectl get services,nodes,endpointslices -o json | go run ./examples/route -service web -node worker-1 -
//	go run ./examples/route -zone eu-central-1a examples/route/testdata/wrong-pod.yaml
//	go run ./examples/route -forecast -weight eu-central-1a=2,eu-central-1b=1,eu-central-1c=1 testdata/manifests/topology-mode.yaml
//
// It reads manifests, joins the slices of each Service with package dedup as a proxy would, and
// asks routing.Route for each service port and address family. Services and Nodes are read where
// they are given: Services for their traffic policies, Nodes for the zone of -node.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process. It returns the exit code: 1 for mistakes in the flags or the
// input.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parseFlags(args, stdout)
	if err == nil {
		err = c.run(stdin, stdout)
	}
	return commandline.Exit("route", err, stderr)
}

// run reads, routes and prints.
func (c config) run(stdin io.Reader, stdout io.Writer) error {
	objects, err := manifest.Reader{Lenient: c.lenient}.Files(stdin, c.files...)
	if err != nil {
		return err
	}
	at, err := c.location(objects.Nodes)
	if err != nil {
		return err
	}
	if len(objects.EndpointSlices) == 0 {
		return errors.New("no EndpointSlice in the input; get them with kubectl get services,nodes,endpointslices -o " +
			"json")
	}
	out, given := commandline.NewOutput(stdout), newInput(objects.EndpointSlices)
	report := report{out: out, in: given, at: at, all: c.all}
	services, err := c.services(given.all, objects.Services)
	if err != nil {
		return err
	}
	for zone := range c.weights {
		if !knows(objects, zone) {
			return fmt.Errorf("-weight: no Node, endpoint or hint in the input is of zone %s; check the name", zone)
		}
	}
	if c.forecasting {
		if err := c.forecast(out, given, services, objects.Nodes); err != nil {
			return err
		}
		report.problems()
		return out.Close()
	}
	if at.Zone != "" && !knows(objects, at.Zone) {
		out.Line("Note: no Node, endpoint or hint in the input is of zone %s; check the name.", at.Zone)
		out.Line("")
	}
	for i, s := range services {
		if i > 0 {
			out.Line("")
		}
		report.service(s)
	}
	report.problems()
	return out.Close()
}

// knows reports whether a Node, an endpoint or a hint is of a zone. Of a zone that none is of, the
// name may be misspelt.
func knows(objects *manifest.Objects, zone string) bool {
	for _, n := range objects.Nodes {
		if n.Labels[corev1.LabelTopologyZone] == zone {
			return true
		}
	}
	for _, s := range objects.EndpointSlices {
		for _, e := range s.Endpoints {
			if e.Zone != nil && *e.Zone == zone ||
				e.Hints != nil && slices.Contains(e.Hints.ForZones, discoveryv1.ForZone{Name: zone}) {
				return true
			}
		}
	}
	return false
}
