// Command route shows which endpoints of Services a node would send traffic to, which not, and why.
//
//	kubectl get services,nodes,endpointslices -o json | go run ./examples/route -node worker-1 -
//	go run ./examples/route -zone eu-central-1a testdata/manifests/topology-mode.yaml
//
// With -forecast it shows what hints do to the load of endpoints. Each endpoint of the input is in a
// row, or counted in a line that says why it is not.
package main

import (
	"errors"
	"flag"
	"os"

	"github.com/slicewright/slicewright/examples/internal/command"
)

const usage = `Usage: route -node NAME | -zone NAME | -forecast [flags] FILE...

Shows which endpoints of the Services in the files (YAML or JSON, "-" is standard input) a node would send traffic to,
which not, and why. Give it what kubectl prints:

  kubectl get services,nodes,endpointslices -o json | route -service web -node worker-1 -

With -forecast it shows how busy endpoints are if each zone sends as much as its Nodes have CPU.

Flags:
`

// config is what the flags say.
type config struct {
	command.Command
	node, zone  string
	forecasting bool
}

func main() { os.Exit(newRoute().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// newRoute returns the command.
func newRoute() *config {
	flags := flag.NewFlagSet("route", flag.ContinueOnError)
	c := &config{}
	c.Command = command.Command{Usage: usage, Flags: flags, Check: c.check, Run: c.run}
	flags.StringVar(&c.node, "node", "", "`name` of the node that sends traffic")
	flags.StringVar(&c.zone, "zone", "",
		"`name` of the zone that sends traffic (default the zone of -node, where the Node is given)")
	flags.BoolVar(&c.forecasting, "forecast", false,
		"show how busy the busiest endpoints are, with the hints as they are and without")
	return c
}

func (c *config) check() error {
	switch {
	case c.node == "" && c.zone == "" && !c.forecasting:
		return errors.New("say who sends traffic: -node or -zone, or ask for a -forecast of all; -h helps")
	case c.forecasting && (c.node != "" || c.zone != ""):
		return errors.New("-forecast is of the traffic of all Nodes: leave out -node and -zone")
	}
	return nil
}
