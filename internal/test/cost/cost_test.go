// Package cost counts what calls do with inputs that are made to be slow: no input costs more than
// its size (G11).
package cost

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// counted are the packages whose statements are counted: the library, and what loops for it.
const counted = "github.com/slicewright/slicewright/...,slices,sort,container/heap"

// TestCost runs itself with coverage, once for each case and size, and counts how often each
// statement runs and how many bytes are allocated while an input becomes eight times as large. Both
// may grow by that and a logarithm, which is less than 32 times; what is quadratic grows by 64.
// Work that the compiler does not count, such as a copy of a list, is in the bytes.
func TestCost(t *testing.T) {
	if name := os.Getenv("COST_CASE"); name != "" {
		measured(t, name)
		return
	}
	nightly.Slow(t)
	const small, large = 500, 4000
	program := filepath.Join(t.TempDir(), "program")
	build := exec.Command("go", "test", "-c", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range slices.Sorted(maps.Keys(cases())) {
		before, after := counts(t, program, name, small), counts(t, program, name, large)
		for _, where := range slices.Sorted(maps.Keys(after)) {
			if n := after[where]; n > 32*max(before[where], 32*small) {
				t.Errorf("%s: %s %d times for %d, %d times for %d", name, where, before[where], small, n, large)
				break // the other places of this case run as often
			}
		}
	}
}

// counts runs a case in a process of its own, and returns how often each statement of the library
// ran, and under "bytes" what the call allocated.
func counts(t *testing.T, program, name string, n int) map[string]int {
	command := exec.Command(program, "-test.run=^TestCost$", "-test.coverprofile="+program+".out")
	command.Env = append(os.Environ(), "COST_CASE="+name, "COST_SIZE="+strconv.Itoa(n), "COST_BYTES="+program+".bytes")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	file, err := os.Open(program + ".out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	times := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && !strings.Contains(fields[0], "/internal/test/") {
			times[fields[0]], _ = strconv.Atoi(fields[2])
		}
	}
	bytes, err := os.ReadFile(program + ".bytes")
	if err != nil || len(times) < 1000 {
		t.Fatal(name, len(times), err)
	}
	times["bytes"], _ = strconv.Atoi(string(bytes))
	return times
}

// measured makes the call of a case.
func measured(t *testing.T, name string) {
	n, _ := strconv.Atoi(os.Getenv("COST_SIZE"))
	call := cases()[name](n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := call(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	bytes := strconv.FormatUint(after.TotalAlloc-before.TotalAlloc, 10)
	if err := os.WriteFile(os.Getenv("COST_BYTES"), []byte(bytes), 0o600); err != nil {
		t.Fatal(err)
	}
}

// root is for two dimensions that grow together: their product is the size.
func root(n int) int { return int(math.Sqrt(float64(n))) }

// inputs are hostile inputs of planners, and slices of which each dimension grows alone and with
// each other one.
func inputs() map[string]func(n int) gen.Case {
	all := map[string]func(n int) gen.Case{
		"slices":                  func(n int) gen.Case { return gen.Sized(n, 1, 1, 1) },
		"endpoints":               func(n int) gen.Case { return gen.Sized(1, n, 1, 1) },
		"ports":                   func(n int) gen.Case { return gen.Sized(1, 1, n, 1) },
		"addresses":               func(n int) gen.Case { return gen.Sized(1, 1, 1, n) },
		"slices and endpoints":    func(n int) gen.Case { return gen.Sized(root(n), root(n), 1, 1) },
		"slices and ports":        func(n int) gen.Case { return gen.Sized(root(n), 1, root(n), 1) },
		"slices and addresses":    func(n int) gen.Case { return gen.Sized(root(n), 1, 1, root(n)) },
		"endpoints and ports":     func(n int) gen.Case { return gen.Sized(1, root(n), root(n), 1) },
		"endpoints and addresses": func(n int) gen.Case { return gen.Sized(1, root(n), 1, root(n)) },
		"a large Service":         gen.Service,
	}
	for _, h := range gen.Hostile {
		all[h.Name] = h.Input
	}
	return all
}

// calls are made with each of the inputs.
var calls = map[string]func(in gen.Case) error{
	"Compute": func(in gen.Case) error {
		plan, err := in.Compute()
		_, _, _ = plan.String(), plan.After(), plan.Warnings.String()
		in.Options.Compact = true
		_, compactErr := in.Compute()
		return errors.Join(err, compactErr)
	},
	"Route": func(in gen.Case) error {
		view := dedup.Merge(in.Existing, dedup.Options{AllAddresses: true})
		svc, _, _ := gen.Pods(0, len(in.Existing))
		view.ForProxy(svc)
		_ = view.Warnings().String()
		found, _ := dedup.OnePort(in.Existing, "http", "", dedup.Options{})
		routing.Route(found, routing.Location{Zone: "z1"}, routing.Policy{})
		routing.Failover(found, routing.Location{Zone: "z1"}, routing.Policy{AnyFamily: true})
		return nil
	},
	"Index": follow,
	"ToEndpoints": func(in gen.Case) error {
		svc, _, _ := gen.Pods(0, 1)
		for _, s := range in.Existing {
			s.Namespace, s.Labels = svc.Namespace, map[string]string{discoveryv1.LabelServiceName: svc.Name}
		}
		endpoints, _, err := mirror.ToEndpoints(svc, in.Existing)
		if err != nil {
			return err
		}
		delete(endpoints.Labels, discoveryv1.LabelSkipMirror)
		_, err = mirror.FromEndpoints(endpoints, svc, mirror.Options{ManagedBy: "test", ReplacesKubernetes: true})
		return err
	},
	"FromSlices": func(in gen.Case) error {
		k := slicer.Key{Namespace: gen.Namespace, Name: gen.Name, ManagedBy: "test"}
		_, err := mirror.FromSlices(k, in.Existing, mirror.CopyOptions{})
		return err
	},
	"Assign": func(in gen.Case) error {
		o := hinting.Options{Mode: hinting.PreferSameZone, Limit: 20}
		o.Weights.Zones = map[string]int64{}
		var list []hinting.Slice
		for i, s := range in.Existing {
			for _, e := range s.Endpoints {
				if e.Zone != nil {
					o.Weights.Zones[*e.Zone] = int64(10 + i%3)
				}
			}
			list = append(list, hinting.Slice{Name: s.Name, Endpoints: s.Endpoints, Written: i%2 == 0})
		}
		_, _, err := hinting.Assign(o, list)
		return err
	},
}

// follow shows slices to an Index, reads all that there is, changes every slice, reads what
// changed, and takes all away.
func follow(in gen.Case) error {
	ix, err := dedup.NewIndex(dedup.Options{})
	if err != nil {
		return err
	}
	read := func() {
		ix.Flush()
		view := ix.View()
		for range view.All() {
		}
		for service := range view.Services() {
			for range view.Targets(service) {
			}
		}
	}
	ix.Replace(in.Existing)
	read()
	for _, s := range in.Existing {
		s = s.DeepCopy()
		s.ResourceVersion, s.Endpoints[0].Zone = "9999", nil
		ix.Upsert(s)
	}
	read()
	ix.Replace(nil)
	read()
	return nil
}

// cases are each call with each input, and what only Services and only forecasts have.
func cases() map[string]func(n int) (call func() error) {
	all := map[string]func(n int) func() error{}
	for input, with := range inputs() {
		for call, do := range calls {
			all[call+" of "+input] = func(n int) func() error {
				in := with(n)
				return func() error { return do(in) }
			}
		}
	}
	for name, ports := range map[string]func(n int) int{"Pods": func(int) int { return 1 }, "Pods and ports": root} {
		all["Input of "+name] = func(n int) func() error {
			svc, pods, list := gen.Pods(n/ports(n), ports(n))
			o := services.Options{ManagedBy: "test", ReplacesKubernetes: true}
			return func() error {
				_, err := services.FromPods(svc, pods, services.NodesByName(list), o)
				return err
			}
		}
	}
	all["Forecast"] = func(n int) func() error {
		var from []routing.Source
		var list []dedup.Endpoint
		for i := range n { // the time is the product of zones and endpoints
			zone := fmt.Sprint("z", i%root(n))
			from = append(from, routing.Source{Location: routing.Location{Zone: zone}, Weight: 1})
			list = append(list, dedup.Endpoint{Zone: zone,
				Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}})
		}
		return func() error {
			_, err := routing.Forecast(list, from, routing.Policy{})
			return err
		}
	}
	return all
}
