// Package proxy is a reference program: it sends traffic to the endpoints that kube-proxy would choose, whole but
// for what it programs.
package proxy

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	coreinformers "k8s.io/client-go/informers/core/v1"
	discoveryinformers "k8s.io/client-go/informers/discovery/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// watch calls program for each service port whose endpoints or Service change, with the endpoints of both families:
// none where kube-proxy would make no rules.
func watch(endpoints discoveryinformers.EndpointSliceInformer, services coreinformers.ServiceInformer,
	at hints.Location, program func(dedup.ServicePort, hints.Routes[dedup.Endpoint])) error {
	var mu sync.Mutex // each informer calls its handler on a goroutine of its own
	index, err := dedup.NewIndex(dedup.Options{Service: dedup.Proxied})
	route := func(port dedup.ServicePort) {
		service, _ := services.Lister().Services(port.Service.Namespace).Get(port.Service.Name)
		list := slices.Collect(index.View().Endpoints(port))
		if !dedup.ProxiedService(service) {
			list = nil
		}
		program(port, hints.Route(list, dedup.Endpoint.Candidate, at, hints.PolicyOf(service)))
	}
	_, errSlices := endpoints.Informer().AddEventHandler(handler(func(old, changed any) {
		mu.Lock()
		defer mu.Unlock()
		index.Handle(old, changed)
		changes, problems := index.Flush()
		utilruntime.HandleError(problems.Err())
		for _, d := range changes.Ports {
			route(d.Port)
		}
	}))
	_, errServices := services.Informer().AddEventHandler(handler(func(old, changed any) {
		mu.Lock()
		defer mu.Unlock()
		name, _ := cache.DeletionHandlingObjectToName(cmp.Or(changed, old))
		for port := range index.View().Ports(types.NamespacedName(name)) {
			route(port)
		}
	}))
	return errors.Join(err, errSlices, errServices)
}

func handler(handle func(old, changed any)) cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(added any) { handle(nil, added) },
		UpdateFunc: handle,
		DeleteFunc: func(deleted any) { handle(deleted, nil) },
	}
}
