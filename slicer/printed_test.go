package slicer_test

import (
	"context"
	"io"
	"log"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/test/printed"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestPrinted runs the program of the package comment with the writers' kit and through histories
// of faults.
func TestPrinted(t *testing.T) {
	log.SetOutput(io.Discard)
	o := slicertest.Options{ManagedBy: "slices.example.com",
		Also: []string{"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"}}
	printed.Run(t, o, func(access publish.Slices) printed.Sync {
		s := publish.New(access, services.Options{})
		return func(ctx context.Context, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
			in, err := services.Input(svc, pods, services.NodesByName(nodes), services.Options{ManagedBy: o.ManagedBy})
			if err != nil {
				return err
			}
			return sync(ctx, s, in)
		}
	})
}
