package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/vms/machines"
)

func set(t *testing.T, value any, path ...string) func(*unstructured.Unstructured) {
	return func(vm *unstructured.Unstructured) {
		if err := unstructured.SetNestedField(vm.Object, value, path...); err != nil {
			t.Fatal(err)
		}
	}
}

// machines creates n VMs with an address of each family. The named port is 8080 on every second one and 9090 on the others.
func (c *cluster) machines(prefix string, subnet, n int) (wanted []string) {
	for i := range n {
		addresses := []string{fmt.Sprintf("10.1.%d.%d", subnet, i+1), fmt.Sprintf("fd00::%x:%x", subnet, i+1)}
		wanted = append(wanted, c.machine(fmt.Sprintf("%s-%d", prefix, i), 8080+i%2*1010, addresses)...)
	}
	return wanted
}

// TestReplaceAll replaces all of 250 VMs between two syncs: the slices are written anew, and none is deleted or created. Each
// family and each number of the named port has slices of its own.
func TestReplaceAll(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	stop := c.start()
	before := c.converge(c.machines("old", 1, 250))
	if len(before) != 8 { // two families, two numbers, 125 endpoints at 100 for a slice
		t.Errorf("%d slices", len(before))
	}
	stop()
	c.do(admin.DeleteAllOf(t.Context(), newMachine(c.namespace, "any", 1, []string{""}), client.InNamespace(c.namespace)))
	wanted := c.machines("new", 2, 250)
	c.start()
	if after := c.converge(wanted); !slices.Equal(before, after) {
		t.Errorf("slices were deleted and created:\n%v\n%v", before, after)
	}
}

// TestStates publishes what runs, says whether it is ready, and sends an event for each VM that is left out.
func TestStates(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	wanted := c.machine("well", 8080, []string{"10.0.0.1", "fd00::1"})
	unready := c.machine("unready", 8080, []string{"10.0.0.2", "fd00::2"}, set(t, []any{}, "status", "conditions"))
	for _, e := range unready {
		wanted = append(wanted, strings.Replace(e, "true", "false", 1))
	}
	wanted = append(wanted, c.machine("single", 8080, []string{"10.0.0.3"})...)
	wanted = append(wanted, c.machine("local", 8080, []string{"10.0.0.4", "fe80::4"})[0])
	c.machine("starting", 8080, []string{"10.0.0.5", "fd00::5"}, set(t, "Scheduled", "status", "phase"))
	c.machine("finished", 8080, []string{"10.0.0.6", "fd00::6"}, set(t, "Succeeded", "status", "phase"))
	c.machine("portless", 8080, []string{"10.0.0.7", "fd00::7"}, set(t, []any{}, "spec", "domain", "devices", "interfaces"))
	c.machine("other", 8080, []string{"10.0.0.8", "fd00::8"}, set(t, "test", "metadata", "labels", "tier"))
	going := c.machine("going", 9090, []string{"10.0.0.9", "fd00::9"}, set(t, []any{"example.com/wait"}, "metadata", "finalizers"))
	c.start()
	c.converge(append(going, wanted...))
	c.events("NoAddressOfType single", "InvalidAddress local", "PortMissing portless") // "starting" and "finished" are expected

	c.do(admin.Delete(t.Context(), newMachine(c.namespace, "going", 9090, []string{""})))
	for i := range going {
		going[i] = strings.Replace(going[i], "true", "false", 1)
	}
	c.converge(append(going, wanted...))
	for _, s := range c.slices() {
		for _, e := range s.Endpoints {
			if e.TargetRef.Kind != machines.Kind || *e.NodeName != "node-1" || *e.Conditions.Terminating != (e.TargetRef.Name == "going") {
				t.Errorf("%s: %+v", s.Name, e)
			}
		}
	}
}

// TestSelector follows the annotation: a change moves on to other VMs, a mistake changes nothing, and without it all slices go.
func TestSelector(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	web := c.machine("web", 8080, []string{"10.0.0.1", "fd00::1"})
	db := c.machine("db", 8080, []string{"10.0.0.2", "fd00::2"}, set(t, "db", "metadata", "labels", "app"))
	c.start()
	c.converge(web)
	c.annotate("app=db")
	c.converge(db)
	c.annotate("app in (")
	c.machine("late", 8080, []string{"10.0.0.3"})
	c.converge(db)
	c.annotate("")
	c.converge(nil)
	if left := c.slices(); len(left) > 0 {
		t.Errorf("%d slices are left", len(left))
	}
}

func (c *cluster) annotate(text string) {
	c.Helper()
	was := c.service.DeepCopy()
	metav1.SetMetaDataAnnotation(&c.service.ObjectMeta, machines.Selector, text)
	c.do(admin.Patch(c.Context(), c.service, client.MergeFrom(was)))
}
