package main

import (
	"context"
	"os"
	"time"

	"github.com/slicewright/slicewright/internal/test/apiserver"
)

// side is a controller that writes EndpointSlices.
type side struct {
	name, title string
	start       func(ctx context.Context, server *apiserver.Server, batch time.Duration) (*apiserver.Process, error)
}

var sides = []side{
	{"kubernetes", "Kubernetes", func(ctx context.Context, server *apiserver.Server, batch time.Duration) (*apiserver.Process, error) {
		return server.StartControllerManager(ctx, "--controllers=endpointslice-controller",
			"--endpointslice-updates-batch-period="+batch.String())
	}},
	{"in-place", "in place", ours("InPlace")},
	{"compact", "Compact", ours("Compact")},
}

// ours runs this program again, as a controller.
func ours(packing string) func(context.Context, *apiserver.Server, time.Duration) (*apiserver.Process, error) {
	return func(_ context.Context, server *apiserver.Server, batch time.Duration) (*apiserver.Process, error) {
		kubeconfig, err := server.Kubeconfig(apiserver.Admin)
		if err != nil {
			return nil, err
		}
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return server.Run(self, controllerCommand, kubeconfig, packing, batch.String())
	}
}
