package vms_test

import (
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/slicewright/slicewright/examples/programs/vms"
)

// TestBackends checks what each state of a machine becomes.
func TestBackends(t *testing.T) {
	running := func() *unstructured.Unstructured { return vm("vm", "Running", 8080, "10.0.0.1", "fd00::1") }
	const well = "vm on node-1 [10.0.0.1 fd00::1] http:8080/TCP ready=true terminating=false"
	for _, c := range []struct {
		name, want string
		change     func(o *unstructured.Unstructured)
	}{
		{"running", well, func(*unstructured.Unstructured) {}},
		{"starting", "vm on node-1 [] http:8080/TCP ready=true terminating=false", func(o *unstructured.Unstructured) {
			set(t, o, "Scheduled", "status", "phase")
		}},
		{"not ready", "vm on node-1 [10.0.0.1 fd00::1] http:8080/TCP ready=false terminating=false",
			func(o *unstructured.Unstructured) {
				set(t, o, []any{map[string]any{"type": "Ready", "status": "False", "lastTransitionTime": changed}},
					"status", "conditions")
			}},
		{"being deleted", "vm on node-1 [10.0.0.1 fd00::1] http:8080/TCP ready=true terminating=true",
			func(o *unstructured.Unstructured) {
				now := metav1.Now()
				o.SetDeletionTimestamp(&now)
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := running()
			c.change(o)
			b := vms.Backends([]*unstructured.Unstructured{o})[0]
			p := b.Ports[0]
			have := fmt.Sprintf("%s on %s %v %s:%d/%s ready=%v terminating=%v",
				b.Name, b.Node, b.Addresses, p.Name, p.Port, p.Protocol, b.Ready, b.Terminating)
			if have != c.want {
				t.Errorf("%s, want %s", have, c.want)
			}
			if at := b.Changed.UTC().Format(time.RFC3339); at != changed {
				t.Errorf("changed at %s, want %s", at, changed)
			}
		})
	}
}

// changed is the time of the condition of all machines.
const changed = "2026-01-02T03:04:05Z"

func set(t *testing.T, o *unstructured.Unstructured, value any, path ...string) {
	t.Helper()
	if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
		t.Fatal(err)
	}
}
