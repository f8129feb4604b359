// Package proxy is a reference program: it sends traffic to the endpoints that kube-proxy would
// choose, whole but for what it programs.
package proxy

import (
	"cmp"
	"errors"
	"log"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	coreinformers "k8s.io/client-go/informers/core/v1"
	discoveryinformers "k8s.io/client-go/informers/discovery/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// rules are the endpoints of a service port, by the kind of traffic that goes to them.
type rules struct {
	inside  []dedup.Endpoint // traffic to the cluster IP
	outside []dedup.Endpoint // from outside, to a node port, a load balancer's address or an external IP
	around  []dedup.Endpoint // from inside the cluster to one of these, which does not leave and come back
}

// rulesOf returns the rules of a service port on a node, as kube-proxy makes them.
func rulesOf(service *corev1.Service, list []dedup.Endpoint, at routing.Location) (r rules) {
	route := func(policy routing.Policy) []dedup.Endpoint {
		return routing.Route(list, dedup.Endpoint.Candidate, at, policy).Endpoints
	}
	r.inside = route(routing.Inside(service))
	if policy, ok := routing.Outside(service); ok {
		r.outside, r.around = route(policy), route(routing.Policy{})
	}
	return r
}

// watch calls program for each port of a Service for which kube-proxy 1.36 and later makes rules,
// with the endpoints of both families: again when the slices or the Service change, and without
// endpoints when the rules must go.
func watch(endpoints discoveryinformers.EndpointSliceInformer, services coreinformers.ServiceInformer,
	at routing.Location, program func(dedup.ServicePort, rules)) error {
	var mu sync.Mutex // each informer calls its handler on a goroutine of its own
	index, err := dedup.NewIndex(dedup.Options{Service: dedup.Proxied})
	programmed := map[types.NamespacedName][]dedup.ServicePort{}
	route := func(name types.NamespacedName) {
		service, _ := services.Lister().Services(name.Namespace).Get(name.Name)
		before := programmed[name]
		delete(programmed, name)
		for _, p := range index.View().OfService(service).Ports {
			port := dedup.ServicePort{Service: name, Port: p.Port.Name, Protocol: p.Port.Protocol}
			programmed[name] = append(programmed[name], port)
			program(port, rulesOf(service, p.Endpoints, at))
		}
		for _, port := range before {
			if !slices.Contains(programmed[name], port) {
				program(port, rules{})
			}
		}
	}
	_, errSlices := endpoints.Informer().AddEventHandler(handler(func(old, changed any) {
		mu.Lock()
		defer mu.Unlock()
		index.Handle(old, changed)
		changes, problems := index.Flush()
		if len(problems) > 0 {
			log.Print(problems) // mistakes in slices; everything else is programmed
		}
		for i, d := range changes.Ports { // in the order of Services
			if i == 0 || d.Port.Service != changes.Ports[i-1].Port.Service {
				route(d.Port.Service)
			}
		}
	}))
	_, errServices := services.Informer().AddEventHandler(handler(func(old, changed any) {
		mu.Lock()
		defer mu.Unlock()
		name, _ := cache.DeletionHandlingObjectToName(cmp.Or(changed, old))
		route(types.NamespacedName(name))
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
