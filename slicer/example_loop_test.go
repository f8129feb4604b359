package slicer_test

import (
	"context"
	"fmt"
	"log"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/recovery"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// The loop of the package comment, with an API server in memory. The second call is too early,
// because the cache does not show what the first one wrote.
func Example() {
	server := recovery.NewServer(true)
	s := publish.New(server.Slices(), services.Options{})
	in := slicer.Input{Set: exampleSet, Groups: []slicer.Group{{
		Ports:     examplePorts,
		Endpoints: []discoveryv1.Endpoint{endpoint("10.0.0.1"), endpoint("10.0.0.2")},
	}}}
	fmt.Println(sync(context.Background(), s, in))
	fmt.Println(sync(context.Background(), s, in))
	server.Show()
	fmt.Println(sync(context.Background(), s, in))
	// Output:
	// <nil>
	// publish: call again soon: the cache does not show yet version 1 of slice shop/web-jzl0q9xx-ipv4
	// <nil>
}

func sync(ctx context.Context, s *publish.Syncer, in slicer.Input) error {
	plan, err := s.Sync(ctx, in.Set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return slicer.Compute(in, existing)
	})
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // what is not published, and why; everything else is
	}
	return err // publish.ErrWait: call again soon; a *field.Error: a mistake in the call; or a failure
}
