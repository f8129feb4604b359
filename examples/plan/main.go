// Command plan shows what would be written to the EndpointSlices of Services, and why, without touching a cluster.
//
//	kubectl get services,pods,nodes,endpointslices -o json | go run ./examples/plan -service web -
//	go run ./examples/plan testdata/manifests/rolling-update.yaml
//
// It reads manifests, finds each Service's Pods, Nodes and slices, and gives them to service.Plan as a
// controller would. With -o yaml or -o json it prints the objects instead of a table, for kubectl.
package main

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// exitWrites is the exit code of -exit-code where there is something to write. The others are those of commandline.
const exitWrites = 2

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parseFlags(args, stdout)
	var plans []planned
	if err == nil {
		plans, err = c.run(stdin, stdout, stderr)
	}
	if err == nil && c.exitCode && !nothingToWrite(plans) {
		return exitWrites
	}
	return commandline.Exit("plan", err, stderr)
}

// run reads, plans and prints.
func (c config) run(stdin io.Reader, stdout, stderr io.Writer) ([]planned, error) {
	objects, err := manifest.Reader{Lenient: c.lenient}.Files(stdin, c.files...)
	if err != nil {
		return nil, err
	}
	plans, mistakes := planAll(objects, c)
	if len(plans) == 0 {
		return nil, mistakes
	}
	notes := notes(objects, plans)
	out, aside := commandline.NewOutput(stdout), commandline.NewOutput(stderr)
	switch {
	case c.output == "yaml":
		err = printYAML(out, plans, notes)
	case c.output == "json":
		err = printJSON(out, aside, plans, notes)
	default:
		table{out: out, config: c}.print(objects, plans, notes)
	}
	return plans, errors.Join(mistakes, err, out.Close(), aside.Close())
}

func nothingToWrite(plans []planned) bool {
	return !slices.ContainsFunc(plans, func(p planned) bool { return !p.plan.Empty() })
}
