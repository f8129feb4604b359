// Command sidebyside runs the same history against a real API server several times, once under Kubernetes' own
// EndpointSlice controller and once under each of ours, and prints what they did to the API server and to those who watch:
//
//	go run . -history rolling
//	go run . -history all -out .
//
// Kubernetes' side is kube-controller-manager with only that controller on, and its defaults. Ours is package controller,
// once in place and once Compact. Each run has an etcd and a kube-apiserver of its own, on loopback. Pods and Nodes are
// objects whose status the command writes: there is no kubelet. The first run builds the programs, which takes minutes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/go-logr/logr"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/slicewright/slicewright/internal/test/conformance/sidebyside/controller"
)

// controllerCommand is the first argument of our side's process.
const controllerCommand = "controller"

func main() {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if len(os.Args) > 2 && os.Args[1] == controllerCommand {
		err = runController(ctx, os.Args[2], os.Args[3:])
	} else {
		err = command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "sidebyside:", err)
		os.Exit(1)
	}
}

// runController is our side's process: with the same two flags as Kubernetes', the packing and how it waits.
func runController(ctx context.Context, kubeconfig string, args []string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	var o controller.Options
	flags := flag.NewFlagSet(controllerCommand, flag.ContinueOnError)
	flags.StringVar((*string)(&o.Packing), "packing", "", "in place by default, or Compact")
	flags.StringVar((*string)(&o.Waiting), "waiting", "", "how a sync waits for the cache")
	flags.DurationVar(&o.Batch, batchFlag, 0, "the batch period")
	flags.IntVar(&o.Workers, workersFlag, 5, "how many Services are planned at a time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return controller.Run(ctx, config, o)
}

// command runs what the arguments say.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.freshness {
		f, err := measureFreshness(ctx, o, stderr)
		if err != nil {
			return err
		}
		table := f.table(o)
		fmt.Fprint(stdout, table)
		return o.save(".md", table)
	}
	all, err := compare(ctx, o, stderr)
	if err != nil {
		return err
	}
	table := write(o, all)
	fmt.Fprint(stdout, table)
	return o.save(".md", table)
}
