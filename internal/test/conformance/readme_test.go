package conformance

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/examples/programs/controller"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// asPrinted fails unless a program to copy has the block of README that has this text.
func asPrinted(t *testing.T, text, program string) {
	t.Helper()
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("../../../examples/programs/" + program)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```go\n([^`]*" + regexp.QuoteMeta(text) + "[^`]*)```").FindSubmatch(readme)
	if block == nil || !strings.Contains(string(code), string(block[1])) {
		t.Fatalf("%s does not have the program of the README:\n%s", program, block)
	}
}

// TestReadmePlan runs the README's first program, which says in a comment what it prints.
func TestReadmePlan(t *testing.T) {
	asPrinted(t, "func main()", "plan/main.go")
	run := exec.Command("go", "run", "./plan")
	run.Dir = "../../../examples/programs"
	printed, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	asPrinted(t, "// "+strings.TrimSpace(string(printed)), "plan/main.go")
}

// TestReadmeController runs the README's controller under the kit for writers, also with late
// caches: 300 histories, or the number in SLICEWRIGHT_CASES.
func TestReadmeController(t *testing.T) {
	asPrinted(t, "kubernetes.Interface", "controller/publish.go")
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	o := slicertest.Options{ManagedBy: "slices.example.com", Histories: nightly.Cases(t, 300),
		Also: []string{"LateCaches", "fewest-writes", "Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"}}
	slicertest.Run(t, o, func(server http.RoundTripper) func(context.Context, slicertest.State) error {
		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: server, QPS: -1})
		caches := informers.NewSharedInformerFactory(client, 0)
		syncer, err := controller.NewSyncer(client, caches)
		core := caches.Core().V1()
		return func(ctx context.Context, s slicertest.State) error {
			if err != nil || s.Service == nil {
				return err
			}
			return errors.Join(show(caches.Discovery().V1().EndpointSlices().Informer(), s.Slices),
				show(core.Pods().Informer(), s.Pods), show(core.Nodes().Informer(), s.Nodes),
				controller.Sync(ctx, syncer, s.Service, core))
		}
	})
}

// show fills a cache.
func show[T any](informer cache.SharedIndexInformer, objects []T) error {
	var list []any
	for _, o := range objects {
		list = append(list, o)
	}
	return informer.GetIndexer().Replace(list, "")
}
