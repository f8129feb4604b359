package conformance

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/slicewright/slicewright/examples/programs/controller"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestReadmeController runs the README's controller under the kit for writers, also with late
// caches. The package controller has the program exactly as the README prints it.
func TestReadmeController(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("../../../examples/programs/controller/publish.go")
	if err != nil {
		t.Fatal(err)
	}
	printed := regexp.MustCompile("(?s)```go\n([^`]*kubernetes\\.Interface[^`]*)```").FindSubmatch(readme)
	if printed == nil || !strings.Contains(string(code), string(printed[1])) {
		t.Fatalf("the package controller does not have the program of the README:\n%s", printed)
	}
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	o := slicertest.Options{ManagedBy: "slices.example.com", Histories: 300,
		Also: []string{"LateCaches", "fewest-writes", "Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"}}
	slicertest.Run(t, o, func(server http.RoundTripper) func(context.Context, slicertest.State) error {
		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: server, QPS: -1})
		caches := informers.NewSharedInformerFactory(client, 0)
		syncer := controller.NewSyncer(client, caches)
		return func(ctx context.Context, s slicertest.State) error {
			var list []any
			for _, slice := range s.Slices {
				list = append(list, slice)
			}
			if err := caches.Discovery().V1().EndpointSlices().Informer().GetIndexer().Replace(list, ""); err != nil {
				t.Error(err)
			}
			return controller.Sync(ctx, syncer, s.Service, s.Pods, s.Nodes)
		}
	})
}
