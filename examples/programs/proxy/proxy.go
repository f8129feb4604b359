// Package proxy is a reference program: it sends traffic to the endpoints that kube-proxy would
// choose, following a watch. It is whole but for what it programs.
package proxy

import (
	"cmp"
	"context"
	"errors"
	"log"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	coreinformers "k8s.io/client-go/informers/core/v1"
	discoveryinformers "k8s.io/client-go/informers/discovery/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
)

// Rule is what the proxy does for one port of a Service.
type Rule struct {
	Port corev1.ServicePort
	// Internal are the endpoints for traffic to the cluster IP.
	Internal []dedup.Endpoint
	// External are those for traffic from outside, to a node port, a load balancer's address or an
	// external IP.
	External []dedup.Endpoint
	// Around are those for traffic from inside to one of these, which does not leave and come back.
	Around []dedup.Endpoint
}

// Rules returns all rules of a Service, as kube-proxy makes them. They replace those that it had:
// there are none if svc is nil.
func Rules(view dedup.View, svc *corev1.Service, at routing.Location) (rules []Rule) {
	external, open := routing.External(svc)
	for _, p := range view.ForProxy(svc).Ports {
		r := Rule{Port: p.Port, Internal: routing.Route(p.Endpoints, at, routing.Internal(svc))}
		if open {
			r.External = routing.Route(p.Endpoints, at, external)
			r.Around = routing.Route(p.Endpoints, at, routing.Policy{})
		}
		rules = append(rules, r)
	}
	return rules
}

// Proxy programs the rules of all Services on one node.
type Proxy struct {
	program  func(service types.NamespacedName, rules []Rule)
	services coreinformers.ServiceInformer
	synced   []cache.InformerSynced

	mu    sync.Mutex // each informer calls its handler on a goroutine of its own
	index *dedup.Index
	at    routing.Location
	begun bool // the first lists are complete
}

// New returns a Proxy for a node, which calls program with all rules of a Service when they may
// have changed. Call it before the informers start, and then Run.
func New(slices discoveryinformers.EndpointSliceInformer, services coreinformers.ServiceInformer,
	nodes coreinformers.NodeInformer, node string, program func(types.NamespacedName, []Rule)) (*Proxy, error) {
	index, err := dedup.NewIndex(dedup.Options{})
	p := &Proxy{program: program, services: services, index: index, at: routing.Location{NodeName: node}}
	errs := []error{err}
	for informer, handle := range map[cache.SharedIndexInformer]func(old, now any){
		slices.Informer(): p.slice, services.Informer(): p.service, nodes.Informer(): p.node,
	} {
		registration, err := informer.AddEventHandler(p.handler(handle))
		errs = append(errs, err)
		if err == nil {
			p.synced = append(p.synced, registration.HasSynced)
		}
	}
	return p, errors.Join(errs...)
}

// Run programs all Services once the first lists of slices, Services and Nodes are complete. Before
// that, it would take away rules that another run of the program made. Later changes are programmed
// as they come.
func (p *Proxy) Run(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), p.synced...) {
		return ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = true
	p.flush()
	return p.all()
}

// slice, service and node take an event of an informer.
func (p *Proxy) slice(old, now any) {
	p.index.Handle(old, now)
	if p.begun {
		for _, name := range p.flush() {
			p.route(name)
		}
	}
}

func (p *Proxy) service(old, now any) {
	if name, err := cache.DeletionHandlingObjectToName(cmp.Or(now, old)); err == nil && p.begun {
		p.route(types.NamespacedName(name))
	}
}

// node follows the zone of the Proxy's own Node, which may come late or change.
func (p *Proxy) node(_, now any) {
	node, ok := now.(*corev1.Node)
	if !ok || node.Name != p.at.NodeName {
		return
	}
	before := p.at
	if p.at.Zone = node.Labels[corev1.LabelTopologyZone]; p.at != before && p.begun {
		if err := p.all(); err != nil {
			log.Print(err)
		}
	}
}

// flush applies the events of slices, and returns the Services that changed.
func (p *Proxy) flush() []types.NamespacedName {
	changes, warnings := p.index.Flush()
	if len(warnings) > 0 {
		log.Print(warnings) // mistakes in slices; everything else is programmed
	}
	return changes.Services
}

// all programs all Services.
func (p *Proxy) all() error {
	list, err := p.services.Lister().List(labels.Everything())
	for _, svc := range list {
		p.route(types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name})
	}
	return err
}

// route programs a Service. If it is gone, there are no rules.
func (p *Proxy) route(name types.NamespacedName) {
	svc, _ := p.services.Lister().Services(name.Namespace).Get(name.Name)
	p.program(name, Rules(p.index.View(), svc, p.at))
}

func (p *Proxy) handler(handle func(old, now any)) cache.ResourceEventHandlerFuncs {
	locked := func(old, now any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		handle(old, now)
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(added any) { locked(nil, added) },
		UpdateFunc: locked,
		DeleteFunc: func(deleted any) { locked(deleted, nil) },
	}
}
