// Command plan shows what would be written to the EndpointSlices of Services, and why, without touching a cluster.
//
//	kubectl get service/web pods nodes endpointslices -o yaml | go run ./examples/plan -
//	go run ./examples/plan testdata/manifests/rolling-update.yaml
//
// It reads manifests, finds each Service's Pods, Nodes and slices, and gives them to slicer.FromService and
// slicer.Compute as a controller would. With -o yaml or -o json it prints the objects instead of a table, for kubectl.
package main

import (
	"errors"
	"io"
	"os"

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
	switch c.output {
	case "yaml":
		err = printYAML(stdout, plans, notes)
	case "json":
		err = printJSON(stdout, stderr, plans, notes)
	default:
		table{w: stdout, config: c}.print(objects, plans, notes)
	}
	return plans, errors.Join(mistakes, err)
}

func nothingToWrite(plans []planned) bool {
	for _, p := range plans {
		if !p.plan.Empty() {
			return false
		}
	}
	return true
}

// lines takes joined errors apart, for one line each.
func lines(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, lines(e)...)
		}
		return all
	}
	return []string{err.Error()}
}
