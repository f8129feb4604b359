package publish_test

import (
	"context"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// A cluster that refuses owners with blockOwnerDeletion gets slices that do not block the deletion
// of their Service. They still go with it.
func ExampleSyncer_Sync() {
	c := newCluster(nil, options)
	in, err := services.Input(service("web"), pods(1), nil, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Set.Owners[0].BlockOwnerDeletion = nil
	plan, err := c.Sync(context.Background(), in.Set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return slicer.Compute(in, existing)
	})
	owner := plan.Steps[0].New.OwnerReferences[0]
	fmt.Println(err, c.requests(), owner.Name, *owner.Controller, owner.BlockOwnerDeletion)
	// Output:
	// <nil> create web-jzl0q9xx-ipv4 web true <nil>
}

// A dry run prints what would be written, and writes nothing.
func ExampleSyncer_Sync_dryRun() {
	c := newCluster(nil, options)
	svc := service("web")
	set := slicer.Set{Namespace: svc.Namespace, Name: svc.Name, ManagedBy: options.ManagedBy}
	_, err := c.Sync(context.Background(), set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		plan, err := services.Plan(svc, pods(1), nil, existing, options)
		fmt.Print(plan)
		return slicer.Plan{}, err
	})
	fmt.Printf("%v, requests %q\n", err, c.requests())
	// Output:
	// create web-jzl0q9xx-ipv4 ipv4 :80: +10.0.0.1 (EndpointsAdded)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// <nil>, requests ""
}
