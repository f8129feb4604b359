package controller

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/slicer/slicertest"
)

// show fills an informer's cache.
func show[T any](t *testing.T, informer cache.SharedIndexInformer, list ...T) {
	objects := make([]any, len(list))
	for i := range list {
		objects[i] = list[i]
	}
	if err := informer.GetIndexer().Replace(objects, ""); err != nil {
		t.Error(err)
	}
}

// TestControllerKeepsTheGuarantees runs SyncNamed with the writers' kit, whose caches are late all
// the while: 200 histories, or the number in SLICEWRIGHT_CASES.
func TestControllerKeepsTheGuarantees(t *testing.T) {
	histories := 200
	if asked, err := strconv.Atoi(os.Getenv("SLICEWRIGHT_CASES")); err == nil {
		histories = asked
	}
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	o := slicertest.Options{ManagedBy: "slices.example.com", Histories: histories, Also: []string{
		"LateCaches", "deterministic", "fewest-writes", "no-moves",
		"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner",
	}}
	slicertest.Run(t, o, func(server http.RoundTripper) func(context.Context, slicertest.State) error {
		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: server, QPS: -1})
		caches := informers.NewSharedInformerFactory(client, 0)
		syncer, err := NewSyncer(client, caches)
		return func(ctx context.Context, s slicertest.State) error {
			show[*corev1.Service](t, caches.Core().V1().Services().Informer())
			if s.Service != nil {
				show(t, caches.Core().V1().Services().Informer(), s.Service)
			}
			show(t, caches.Core().V1().Pods().Informer(), s.Pods...)
			show(t, caches.Core().V1().Nodes().Informer(), s.Nodes...)
			show(t, caches.Discovery().V1().EndpointSlices().Informer(), s.Slices...)
			if err != nil {
				return err
			}
			return SyncNamed(ctx, syncer, caches, s.Key)
		}
	})
}
