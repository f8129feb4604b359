package slicer_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

func ExampleCheck() {
	slice := exampleSlice("web-a", "", endpoint("10.0.0.300"), endpoint("10.0.0.1"))
	slice.Endpoints[1].Addresses = append(slice.Endpoints[1].Addresses, "10.0.0.2")
	unread, err := slicer.Check(slice)
	fmt.Println("refused:", err)
	fmt.Println("unread:", unread)
	// Output:
	// refused: endpoints[0].addresses[0]: Invalid value: "10.0.0.300": is not an IP: give one without port, prefix length, zone and leading zeros
	// unread: endpoints[1].addresses: Unread: Invalid value: 2: readers use the first address only: make each address an endpoint of its own
}

func ExampleOrphans() {
	slices := []*discoveryv1.EndpointSlice{exampleSlice("web-a", "7"), exampleSlice("old-a", "8")}
	slices[1].Labels[discoveryv1.LabelServiceName] = "old"
	alive := func(slice *discoveryv1.EndpointSlice) bool {
		return slice.Labels[discoveryv1.LabelServiceName] == "web" // a controller asks its cache of Services
	}
	orphans, err := slicer.Orphans("slices.example.com", slices, alive)
	for _, slice := range orphans {
		fmt.Println(slice.Name)
	}
	fmt.Println(err)
	// Output:
	// old-a
	// <nil>
}
