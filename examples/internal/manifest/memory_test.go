package manifest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/measure"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// podList gives a list of Pods as kubectl prints it, one after the other, without holding them: each is one of the demo
// cluster's under a name of its own.
func podList(t *testing.T, count int) io.Reader {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/manifests/rolling-update.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const item = "- apiVersion: v1\n  kind: Pod\n"
	_, text, _ := strings.Cut(string(data), item)
	text, _, _ = strings.Cut(text, "\n- ")
	var list []map[string]any
	if err := yaml.Unmarshal([]byte(item+text+"\n"), &list); err != nil {
		t.Fatal(err)
	}
	list[0]["metadata"].(map[string]any)["name"] = "web-NUMBER"
	encoded, err := json.MarshalIndent(list[0], "        ", "    ")
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(string(encoded), "NUMBER")
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(out, chunk)
		between := "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n"
		for n := range count {
			fmt.Fprintf(w, "%s%s%06d%s", between, before, n, after)
			between = ",\n"
		}
		fmt.Fprint(w, "],\n    \"kind\": \"List\"\n}\n")
		out.CloseWithError(w.Flush())
	}()
	return in
}

// TestPodsInMemory: what is kept of a Pod is small, so that 100 000 of them fit into 600 MB while as much garbage waits.
func TestPodsInMemory(t *testing.T) {
	const count = 2000
	var objects Objects
	before := measure.Heap()
	if err := (Reader{}).Stream(&objects, "pods", podList(t, count)); err != nil || len(objects.Pods) != count {
		t.Fatalf("%d Pods, %v", len(objects.Pods), err)
	}
	if each := (measure.Heap() - before) / count; each > 3300 {
		t.Errorf("%.0f bytes for a Pod", each)
	}
	runtime.KeepAlive(objects)
}
