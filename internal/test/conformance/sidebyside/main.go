// Command sidebyside runs the same history against a real API server several times, under
// Kubernetes' own EndpointSlice controller and under the controller that the README of this
// repository prints, and prints what they did to the API server and to those who watch:
//
//	go run . -history rolling
//	go run . -history all -out .
//
// Kubernetes' side is kube-controller-manager with only that controller on. Each run has an etcd
// and a kube-apiserver of its own, on loopback. Pods and Nodes are objects whose status the command
// writes: there is no kubelet. The first run builds the programs, which takes minutes.
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
	"k8s.io/klog/v2"
)

// oursCommand is the first argument of our side's process.
const oursCommand = "controller"

func main() {
	klog.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if len(os.Args) > 2 && os.Args[1] == oursCommand {
		err = runOurs(ctx, os.Args[2], os.Args[3:])
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

// command runs what the arguments say.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	all, err := compare(ctx, o, stderr)
	if err != nil {
		return err
	}
	table := write(o, all)
	fmt.Fprint(stdout, table)
	return o.save(".md", table)
}
