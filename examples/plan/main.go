// Command plan shows what would be written to the EndpointSlices of Services, and why, without
// touching a cluster.
//
//	kubectl get services,pods,nodes,endpointslices -o json | go run ./examples/plan -service web -
//	go run ./examples/plan testdata/manifests/rolling-update.yaml
//	go run ./examples/plan testdata/manifests/dual-stack.yaml -explain api-58b7d9cc4f-kxj2k
//
// It reads manifests, finds each Service's Pods, Nodes and slices, and gives them to services.Plan
// as a controller would. With -o yaml it prints the objects instead of a table, for kubectl.
package main

import (
	"cmp"
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

// printer prints what becomes of Services, one after the other.
type printer interface {
	service(p planned) error
	end()
}

// run reads, plans and prints. The plan of one Service is printed before the next is made, because
// each may have all Pods.
func (c config) run(stdin io.Reader, stdout io.Writer) error {
	objects, err := manifest.Reader{Lenient: c.lenient}.Files(stdin, c.files...)
	if err != nil {
		return err
	}
	chosen, err := c.choose(objects)
	if err != nil {
		return err
	}
	chosen, assumed := answered(chosen)
	given, out := index(objects), commandline.NewOutput(stdout)
	if c.pod != "" {
		err := c.explain(out, given, chosen)
		return errors.Join(err, out.Close())
	}
	notes := append(c.notes(given, chosen), assumed...)
	var p printer = &table{out: out, config: c, notes: notes,
		sum: totals{watchers: cmp.Or(c.watchers, len(objects.Nodes))}}
	if c.output == "yaml" {
		p = &yaml{out: out, notes: notes}
	}
	var mistakes []error
	printed := 0
	for _, svc := range chosen {
		result, err := given.plan(svc, c)
		if err == nil {
			printed++
			err = p.service(result)
		}
		mistakes = append(mistakes, err)
	}
	if printed > 0 {
		p.end()
	}
	return errors.Join(append(mistakes, out.Close())...)
}
