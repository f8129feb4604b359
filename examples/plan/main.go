// Command plan shows what would be written to the EndpointSlices of Services, and why, without touching a cluster.
//
//	kubectl get services,pods,nodes,endpointslices -o json | go run ./examples/plan -service web -
//	go run ./examples/plan testdata/manifests/rolling-update.yaml
//	go run ./examples/plan testdata/manifests/dual-stack.yaml -explain api-58b7d9cc4f-kxj2k
//
// It reads manifests, finds each Service's Pods, Nodes and slices, and gives them to services.Plan as a
// controller would. With -o yaml it prints the objects instead of a table, for kubectl.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parseFlags(args, stdout)
	if err == nil {
		err = c.run(stdin, stdout)
	}
	return commandline.Exit("plan", err, stderr)
}

// run reads, plans and prints.
func (c config) run(stdin io.Reader, stdout io.Writer) error {
	objects, err := manifest.Reader{Lenient: c.lenient}.Files(stdin, c.files...)
	if err != nil {
		return err
	}
	plans, mistakes := planAll(objects, c)
	if len(plans) == 0 {
		return mistakes
	}
	notes := notes(objects, plans)
	out := commandline.NewOutput(stdout)
	switch {
	case c.pod != "":
		err = c.explain(out, objects, plans)
	case c.output == "yaml":
		err = printYAML(out, plans, notes)
	default:
		table{out: out, config: c}.print(objects, plans, notes)
	}
	return errors.Join(mistakes, err, out.Close())
}
