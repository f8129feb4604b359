// Command plan shows what would be written to the EndpointSlices of Services, and why, without
// touching a cluster.
//
//	kubectl get services,pods,nodes,endpointslices -o json | go run ./examples/plan -service web -
//	go run ./examples/plan testdata/manifests/rolling-update.yaml
//	go run ./examples/plan testdata/manifests/dual-stack.yaml -explain api-58b7d9cc4f-kxj2k
//
// It reads manifests, finds each Service's Pods, Nodes and slices, and plans as a controller would.
// Whatever is in the input is in the output, or in a line that says why it is not.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

const usage = `Usage: plan [flags] FILE...

Shows what would be written to the EndpointSlices of the Services in the files (YAML or JSON, "-" is standard input),
and why. Give it what kubectl prints:

  kubectl get services,pods,nodes,endpointslices -o json | plan -service web -

Flags:
`

// config is what the flags say.
type config struct {
	command.Command
	pod, managedBy string
	noPods         bool
	max, limit     int
}

func main() { os.Exit(newPlan().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// newPlan returns the command.
func newPlan() *config {
	flags := flag.NewFlagSet("plan", flag.ContinueOnError)
	c := &config{}
	c.Command = command.Command{Usage: usage, Flags: flags, Check: c.check, Run: c.run}
	flags.StringVar(&c.pod, "explain", "",
		"say why this `Pod` is published or is not, where, and which write changes that: name or namespace/name")
	flags.BoolVar(&c.noPods, "no-pods", false,
		"a namespace without Pods in the input has none, so their endpoints are removed")
	flags.StringVar(&c.managedBy, "managed-by", "", "`manager` whose slices these are (default Kubernetes)")
	flags.IntVar(&c.max, "max", 0, "`number` of endpoints per slice at most, 1 to 1000 (default 100, for mirrors 1000)")
	flags.IntVar(&c.limit, "limit", 0, "how many `percent` above the mean SameZone hints may load an endpoint, 1 to "+
		"1000, by the CPUs of the Nodes; 0: any")
	return c
}

func (c *config) check() error {
	if c.max < 0 || c.max > 1000 || c.limit < 0 || c.limit > 1000 {
		return fmt.Errorf("-max %d, -limit %d: want 1 to 1000, or 0 for the default", c.max, c.limit)
	}
	return nil
}

// run plans and prints. The plan of one Service is printed before the next is made, because each may
// have all Pods.
func (c *config) run(objects *manifest.Objects, out *command.Output) error {
	w := newCluster(c, objects)
	if len(w.chosen) == 0 {
		text := "no Service in the input; give one with its Pods, Nodes and EndpointSlices"
		if len(w.Services) > 0 {
			text = fmt.Sprintf("-service %s: no such Service among the %d in the input; check the name", c.Service,
				len(w.Services))
		}
		return errors.New(strings.Join(append([]string{text}, w.Left()...), "; "))
	}
	if c.pod != "" {
		return w.explain(out)
	}
	var mistakes []error
	for _, svc := range w.chosen {
		p, err := w.plan(svc)
		if mistakes = append(mistakes, err); err == nil {
			p.table(out)
		}
	}
	out.Lines("Note: ", w.notes())
	return errors.Join(mistakes...)
}
