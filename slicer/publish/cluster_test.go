package publish_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// cluster is an API server with a cache, and a Syncer that uses them.
type cluster struct {
	*testing.T
	*publish.Syncer
	server sim.Server
	cache  []*discoveryv1.EndpointSlice
	upTo   string
	log    []string // the requests, and nothing for reads of the cache
	// before is called with each write, and returns the error that it gets instead of being
	// executed.
	before func(request string) error
}

var options = services.Options{ManagedBy: "slices.example.com", ReplacesKubernetes: true}

func newCluster(t *testing.T) *cluster {
	c := &cluster{T: t, before: never}
	c.Syncer = must(publish.New(c.client()))
	return c
}

func must(s *publish.Syncer, err error) *publish.Syncer {
	if err != nil {
		panic(err)
	}
	return s
}

func (c *cluster) client() publish.Client {
	return publish.ClientGo(func(namespace string) api { return api{c, namespace} }, indexer{c})
}

// indexer has the methods of client-go's cache.
type indexer struct{ *cluster }

func (i indexer) ByIndex(index, namespace string) (list []any, err error) {
	if index != "namespace" {
		return nil, fmt.Errorf("there is no index %q", index)
	}
	for _, s := range i.cache {
		if s.Namespace == namespace {
			list = append(list, s)
		}
	}
	return list, nil
}

func (i indexer) LastStoreSyncResourceVersion() string { return i.upTo }

func selected(list []*discoveryv1.EndpointSlice, namespace string,
	selector labels.Selector) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(list, func(s *discoveryv1.EndpointSlice) bool {
		return s.Namespace != namespace || !selector.Matches(labels.Set(s.Labels))
	})
}

// api has the methods of client-go's client.
type api struct {
	*cluster
	namespace string
}

func (a api) List(_ context.Context, o metav1.ListOptions) (*discoveryv1.EndpointSliceList, error) {
	a.log = append(a.log, "list "+o.LabelSelector)
	selector, err := labels.Parse(o.LabelSelector)
	list := &discoveryv1.EndpointSliceList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(a.server.Writes())}}
	for _, s := range selected(a.server.List(), a.namespace, selector) {
		list.Items = append(list.Items, *s)
	}
	return list, err
}

func (a api) Get(_ context.Context, name string, _ metav1.GetOptions) (*discoveryv1.EndpointSlice, error) {
	a.log = append(a.log, "get "+name)
	if s := a.server.Get(name); s != nil {
		return s, nil
	}
	return nil, apierrors.NewNotFound(resource, name)
}

func (a api) request(verb, name string) error {
	a.log = append(a.log, verb+" "+name)
	return a.before(verb + " " + name)
}

func (a api) Create(_ context.Context, s *discoveryv1.EndpointSlice,
	_ metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	if err := a.request("create", s.Name); err != nil {
		return nil, err
	}
	return a.server.Create(s)
}

func (a api) Update(_ context.Context, s *discoveryv1.EndpointSlice,
	_ metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	if err := a.request("update", s.Name); err != nil {
		return nil, err
	}
	return a.server.Update(s)
}

func (a api) Delete(_ context.Context, name string, o metav1.DeleteOptions) error {
	if err := a.request("delete", name); err != nil {
		return err
	}
	return a.server.Delete(name, o.Preconditions)
}

// show lets the cache catch up.
func (c *cluster) show() {
	c.cache, c.upTo = c.server.List(), strconv.Itoa(c.server.Writes())
}

// held lists what slices hold, sorted.
func (c *cluster) held() string {
	var held []string
	for _, s := range c.server.List() {
		for _, e := range s.Endpoints {
			held = append(held, e.Addresses[0])
		}
	}
	slices.Sort(held)
	return strings.Join(held, " ")
}

// requests are those since the last call.
func (c *cluster) requests() string {
	log := strings.Join(c.log, ", ")
	c.log = nil
	return log
}

// service is a Service with a cluster IP.
func service(name string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid-" + name)},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector:   map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}},
		}}
}

// pods are ready Pods with the addresses 10.0.0.n, each on the Node node-n.
func pods(numbers ...int) (list []*corev1.Pod) {
	for _, n := range numbers {
		list = append(list, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("web-", n),
				UID: types.UID(fmt.Sprint("pod-", n)), Labels: map[string]string{"app": "web"}},
			Spec: corev1.PodSpec{NodeName: fmt.Sprint("node-", n)},
			Status: corev1.PodStatus{
				Phase: corev1.PodRunning, PodIPs: []corev1.PodIP{{IP: fmt.Sprint("10.0.0.", n)}},
				Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			},
		})
	}
	return list
}

// nodes has the Nodes node-n.
func nodes(numbers ...int) services.Nodes {
	var list []*corev1.Node
	for _, n := range numbers {
		list = append(list, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("node-", n)}})
	}
	return services.NodesByName(list)
}

// input is what a Service with these Pods wants.
func (c *cluster) input(numbers ...int) slicer.Input {
	in, err := services.FromPods(service("web"), pods(numbers...), nil, options)
	if err != nil {
		c.Fatal(err)
	}
	return in
}
