// Package backends publishes machines behind Services that have no selector.
package backends

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer/next/publish"
	"github.com/slicewright/slicewright/slicer/next/services"
)

// Machine is a virtual machine.
type Machine struct {
	Name, IP, Zone string
	Up             bool
	Ports          map[string]int32
}

// Sync brings the slices of a Service up to date.
func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, machines []Machine) error {
	var list []services.Backend
	for _, m := range machines {
		list = append(list, services.Backend{Name: m.Name, Addresses: []string{m.IP}, Ports: m.Ports, Ready: m.Up, Zone: m.Zone})
	}
	in, err := services.FromBackends(svc, list, services.Options{ManagedBy: "vms.example.com"})
	if err != nil {
		return err
	}
	plan, err := s.Sync(ctx, in)
	if len(plan.Warnings) > 0 {
		log.Print(plan.Warnings)
	}
	return err
}
