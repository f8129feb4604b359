package mirror

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/check/memory"
	checkslices "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// CopySlice calls mirror.CopySlice with options that have neither Transform nor Port, and checks what package mirror
// promises about it, M5 and M9. An error of CopySlice itself is returned with a nil slice.
func CopySlice(from *discoveryv1.EndpointSlice, meta metav1.ObjectMeta, o mirror.CopyOptions) (*discoveryv1.EndpointSlice, []slicer.Skip, error) {
	before, metaBefore := from.DeepCopy(), meta.DeepCopy()
	to, skips, err := mirror.CopySlice(from, meta, o)
	if !reflect.DeepEqual(before, from) || !reflect.DeepEqual(metaBefore, &meta) {
		return to, skips, checkslices.Broken{Err: errors.New("M5: CopySlice changed its input")}
	}
	if err != nil {
		if to != nil || skips != nil {
			return to, skips, checkslices.Broken{Err: fmt.Errorf("rule 6: a copy beside the error %w", err)}
		}
		return nil, nil, err
	}
	input := []any{from, &meta}
	if a, b, shared := memory.Shared(memory.Value{Owner: "the source", Of: &input}, memory.Value{Owner: "the copy", Of: to}); shared {
		return to, skips, checkslices.Broken{Err: fmt.Errorf("M5: %s and %s share memory", a, b)}
	}
	if broken := copied(from, meta, o, to); broken != nil {
		return to, skips, checkslices.Broken{Err: broken}
	}
	return to, skips, nil
}

func copied(from *discoveryv1.EndpointSlice, meta metav1.ObjectMeta, o mirror.CopyOptions, to *discoveryv1.EndpointSlice) error {
	var ports []discoveryv1.EndpointPort
	if from.Ports != nil {
		ports = []discoveryv1.EndpointPort{}
	}
	fit := portsThatFit(from.Ports)
	for _, p := range from.Ports {
		if i := slices.IndexFunc(fit, func(q discoveryv1.EndpointPort) bool { return reflect.DeepEqual(p, q) }); i >= 0 {
			ports, fit = append(ports, p), slices.Delete(fit, i, i+1)
		}
	}
	endpoints := from.Endpoints
	if len(ports) == 0 && len(from.Ports) > 0 {
		endpoints = nil
	}
	switch {
	case !reflect.DeepEqual(to.ObjectMeta, meta) || to.AddressType != from.AddressType:
		return fmt.Errorf("M9: metadata %v, address type %s", to.ObjectMeta, to.AddressType)
	case !reflect.DeepEqual(to.Ports, ports):
		return fmt.Errorf("M9: ports %v, want %v", to.Ports, ports)
	}
	// The API server takes the copy, nothing that it would take is left out, and no two endpoints are equal.
	var want []discoveryv1.Endpoint
	for _, e := range copies(endpoints, o) {
		nameless := e.Hints != nil && slices.Contains(e.Hints.ForZones, discoveryv1.ForZone{}) // refused as package slicer does
		accepted := len(sim.EndpointErrors(e, from.AddressType, nil)) == 0 && !nameless
		if accepted && !slices.ContainsFunc(want, func(f discoveryv1.Endpoint) bool { return reflect.DeepEqual(e, f) }) {
			want = append(want, e)
		}
	}
	if len(want) != len(to.Endpoints) || len(want) > 0 && !reflect.DeepEqual(want, to.Endpoints) {
		return fmt.Errorf("M9: endpoints %s, want %s", form.ShowSlice(to), form.ShowSlice(&discoveryv1.EndpointSlice{Endpoints: want}))
	}
	return nil
}
