package main

import (
	"context"
	"fmt"
	"os"

	"github.com/slicewright/slicewright/internal/test/apiserver"
	"github.com/slicewright/slicewright/slicer"
)

// side is a controller that writes EndpointSlices.
type side struct {
	name, title string
	start       func(ctx context.Context, server *apiserver.Server, flags []string) (*apiserver.Process, error)
}

// Flags of both sides.
const (
	batchFlag   = "endpointslice-updates-batch-period"
	workersFlag = "concurrent-service-endpoint-syncs"
)

// flags are those of either side's controller.
func (j job) flags() []string {
	return []string{fmt.Sprintf("--%s=%v", batchFlag, j.batch), fmt.Sprintf("--%s=%d", workersFlag, j.workers)}
}

var sides = []side{
	{"kubernetes", "Kubernetes", func(ctx context.Context, server *apiserver.Server, flags []string) (*apiserver.Process, error) {
		return server.StartControllerManager(ctx, append(flags, "--controllers=endpointslice-controller")...)
	}},
	{"in-place", "in place", ours(slicer.InPlace)},
	{"compact", "Compact", ours(slicer.Compact)},
}

// ours runs this program again, as a controller.
func ours(packing slicer.Packing) func(context.Context, *apiserver.Server, []string) (*apiserver.Process, error) {
	return func(_ context.Context, server *apiserver.Server, flags []string) (*apiserver.Process, error) {
		kubeconfig, err := server.Kubeconfig(apiserver.Admin)
		if err != nil {
			return nil, err
		}
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return server.Run(self, append([]string{controllerCommand, kubeconfig, "--packing=" + string(packing)}, flags...)...)
	}
}
