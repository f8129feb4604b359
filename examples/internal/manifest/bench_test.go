package manifest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/slicewright/slicewright/internal/test/measure"
)

// podList gives a list of Pods as kubectl prints it, one after the other, without holding them: each is one of the demo
// cluster's under a name of its own.
func podList(t testing.TB, format string, count int) io.Reader {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/manifests/rolling-update.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const item = "- apiVersion: v1\n  kind: Pod\n"
	_, text, _ := strings.Cut(string(data), item)
	text, _, _ = strings.Cut(text, "\n- ")
	name := regexp.MustCompile(`(?m)^    name: \S+`).FindString(text)
	head, object, between, tail := "apiVersion: v1\nitems:\n", item+strings.Replace(text, name, "    name: web-NUMBER", 1)+"\n", "", "kind: List\nmetadata: {}\n"
	if format == "json" {
		var list []map[string]any
		if err := yaml.Unmarshal([]byte(object), &list); err != nil {
			t.Fatal(err)
		}
		encoded, err := json.MarshalIndent(list[0], "        ", "    ")
		if err != nil {
			t.Fatal(err)
		}
		head, object, between, tail = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n", string(encoded), ",\n", "],\n    \"kind\": \"List\"\n}\n"
	}
	before, after, _ := strings.Cut(object, "NUMBER")
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(out, chunk)
		for n := range count {
			fmt.Fprintf(w, "%s%s%06d%s", head, before, n, after)
			head = between
		}
		fmt.Fprint(w, tail)
		out.CloseWithError(w.Flush())
	}()
	return in
}

// peak is the most memory in use, of the times when somebody looked.
type peak struct{ most uint64 }

func (p *peak) look() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p.most = max(p.most, m.HeapInuse+m.StackInuse)
}

// TestPodsInMemory: what is kept of a Pod is small, so that 100 000 of them fit into 600 MB while as much garbage waits.
func TestPodsInMemory(t *testing.T) {
	const count = 2000
	var objects Objects
	before := measure.Heap()
	if err := (Reader{}).Stream(&objects, "pods", podList(t, "json", count)); err != nil || len(objects.Pods) != count {
		t.Fatalf("%d Pods, %v", len(objects.Pods), err)
	}
	if each := (measure.Heap() - before) / count; each > 3300 {
		t.Errorf("%.0f bytes for a Pod", each)
	}
	runtime.KeepAlive(objects)
}

// BenchmarkPods reads a list of Pods. It prints MB/s by the clock and by processor time, and the MB of memory that are
// taken at most, Pods included.
func BenchmarkPods(b *testing.B) {
	for format, counts := range map[string][]int{"json": {1000, 10_000, 100_000}, "yaml": {1000}} {
		for _, count := range counts {
			b.Run(fmt.Sprintf("%s/%d", format, count), func(b *testing.B) {
				size, err := io.Copy(io.Discard, podList(b, format, count))
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(size)
				var memory peak
				var cpu time.Duration
				for b.Loop() {
					var objects Objects
					reader := Reader{Progress: func(int64, int) { memory.look() }}
					began := measure.CPUTime()
					if err := reader.Stream(&objects, "pods", podList(b, format, count)); err != nil || len(objects.Pods) != count {
						b.Fatalf("%d Pods, %v", len(objects.Pods), err)
					}
					cpu += measure.CPUTime() - began
				}
				b.ReportMetric(float64(size)*float64(b.N)/cpu.Seconds()/1e6, "MB/cpu-s")
				b.ReportMetric(float64(memory.most)/1e6, "MB-at-most")
			})
		}
	}
}
