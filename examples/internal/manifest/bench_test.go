//go:build unix

package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// pods gives a list of Pods as kubectl prints it, one after the other, without holding them: each is one of the demo
// cluster's under a name of its own.
type pods struct {
	count, next  int
	head, tail   string
	object       []byte // with NUMBER where the number goes
	between      string
	buffer, rest []byte
}

func (p *pods) Read(into []byte) (int, error) {
	if len(p.rest) == 0 {
		switch {
		case p.next > p.count:
			return 0, io.EOF
		case p.next == p.count:
			p.rest = []byte(p.tail)
		default:
			p.buffer = p.buffer[:0]
			if p.next == 0 {
				p.buffer = append(p.buffer, p.head...)
			} else {
				p.buffer = append(p.buffer, p.between...)
			}
			before, after, _ := bytes.Cut(p.object, []byte("NUMBER"))
			p.rest = append(fmt.Appendf(append(p.buffer, before...), "%06d", p.next), after...)
		}
		p.next++
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// podText is a Pod of a demo cluster as kubectl prints it, without the separators of the list.
func podText(t testing.TB, format string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/manifests/rolling-update.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := bytes.Cut(data, []byte("- apiVersion: v1\n  kind: Pod\n"))
	text, _, _ = bytes.Cut(text, []byte("\n- "))
	text = append([]byte("- apiVersion: v1\n  kind: Pod\n"), append(text, '\n')...)
	var list []map[string]any
	if err := yaml.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	name := "name: " + list[0]["metadata"].(map[string]any)["name"].(string)
	if format == "yaml" {
		return []byte(strings.Replace(string(text), name, "name: web-NUMBER", 1))
	}
	list[0]["metadata"].(map[string]any)["name"] = "web-NUMBER"
	object, err := json.MarshalIndent(list[0], "        ", "    ")
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte("        "), object...)
}

func podList(t testing.TB, format string, count int) *pods {
	t.Helper()
	p := &pods{count: count, object: podText(t, format)}
	if format == "yaml" {
		p.head, p.tail = "apiVersion: v1\nitems:\n", "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	} else {
		p.head, p.between, p.tail = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n", ",\n", "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
	}
	return p
}

// peak is the most memory in use, of the times when somebody looked.
type peak struct{ most uint64 }

func (p *peak) look() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p.most = max(p.most, m.HeapInuse+m.StackInuse)
}

// cpuTime is the processor time of the process. Unlike the time on a clock it does not depend on what else the machine does.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// TestPodsInMemory: what is kept of a Pod is small, so that 100 000 of them fit into 600 MB while as much garbage waits.
func TestPodsInMemory(t *testing.T) {
	const count = 2000
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var objects Objects
	before := live()
	if err := (Reader{}).Stream(&objects, "pods", podList(t, "json", count)); err != nil || len(objects.Pods) != count {
		t.Fatalf("%d Pods, %v", len(objects.Pods), err)
	}
	if each := (live() - before) / count; each > 3300 {
		t.Errorf("%d bytes for a Pod", each)
	}
	runtime.KeepAlive(objects)
}

// BenchmarkPods reads a list of Pods. It prints MB/s by the clock and by processor time, and the MB of memory that are
// taken at most, Pods included.
func BenchmarkPods(b *testing.B) {
	for _, format := range []string{"json", "yaml"} {
		for _, count := range []int{1000, 10_000, 100_000} {
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
					began := cpuTime()
					if err := reader.Stream(&objects, "pods", podList(b, format, count)); err != nil || len(objects.Pods) != count {
						b.Fatalf("%d Pods, %v", len(objects.Pods), err)
					}
					cpu += cpuTime() - began
				}
				b.ReportMetric(float64(size)*float64(b.N)/cpu.Seconds()/1e6, "MB/cpu-s")
				b.ReportMetric(float64(memory.most)/1e6, "MB-at-most")
			})
		}
	}
}
