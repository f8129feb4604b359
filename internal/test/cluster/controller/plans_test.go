package cluster

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// TestRandomPlans writes random plans to the API server. It takes every step, keeps what is written as it is, and
// leaves nothing to plan; and it refuses each endpoint that was rejected for what is wrong with it.
func TestRandomPlans(t *testing.T) {
	plans, workers := 2000, 4
	if testing.Short() {
		plans = 100
	}
	var total totals
	t.Run("workers", func(t *testing.T) {
		for worker := range workers {
			t.Run(strconv.Itoa(worker), func(t *testing.T) {
				t.Parallel()
				p := planWriter{T: t, total: &total, namespace: newNamespace(t, admin, "plans")}
				for p.seed = worker; p.seed < plans && !t.Failed(); p.seed += workers {
					in := rapid.Custom(gen.World).Example(p.seed)
					in.Options.Invalid = slicer.SetAside // what this test is about
					p.world(in)
				}
			})
		}
	})
	creates, updates, deletes, refused := total.creates.Load(), total.updates.Load(), total.deletes.Load(), total.refused.Load()
	t.Logf("%d plans: %d creates, %d updates, %d deletes; %d endpoints refused", plans, creates, updates, deletes, refused)
	if least := int64(plans) / 4; min(creates, updates, deletes, 5*refused) < least {
		t.Error("the worlds are too tame")
	}
}

// totals are what all workers did.
type totals struct{ creates, updates, deletes, refused atomic.Int64 }

// planWriter plans drawn worlds against the API server, one after the other in a namespace of its own.
type planWriter struct {
	*testing.T
	namespace string
	seed      int
	total     *totals
}

func (p *planWriter) world(in given.World) {
	defer p.clean()
	in.Set.Namespace, in.Skips = p.namespace, nil // what a derivation skips never comes to the server
	p.put(in.Existing)
	in.Existing = p.list()
	plan := p.compute(in)
	for i, step := range plan.Steps {
		if err := p.write(step); err != nil {
			p.Errorf("seed %d: step %d is refused: %v\n%s", p.seed, i, err, plan)
			return
		}
	}
	for _, s := range plan.Skips {
		p.refused(in, s)
	}
	stats := plan.Stats()
	p.total.creates.Add(int64(stats.Creates))
	p.total.updates.Add(int64(stats.Updates))
	p.total.deletes.Add(int64(stats.Deletes))
	in.Existing = p.list()
	if again := p.compute(in); !again.Empty() {
		p.Errorf("seed %d: once written, there is more to write:\n%s\nafter\n%s", p.seed, again, plan)
	}
}

// put creates the slices of a world, the oldest first, so that their order by resourceVersion is the one drawn.
func (p *planWriter) put(existing []*discoveryv1.EndpointSlice) {
	existing = slices.Clone(existing)
	slices.SortFunc(existing, func(a, b *discoveryv1.EndpointSlice) int {
		x, _ := strconv.Atoi(a.ResourceVersion)
		y, _ := strconv.Atoi(b.ResourceVersion)
		return x - y
	})
	for _, drawn := range existing {
		s := drawn.DeepCopy()
		s.Namespace, s.UID, s.ResourceVersion, s.DeletionTimestamp = p.namespace, "", "", nil
		for i := range s.Endpoints {
			respell(s.Endpoints[i].Addresses)
			allowed(s.Endpoints[i].Hints)
		}
		if err := admin.Create(p.Context(), s); err != nil {
			p.Fatalf("seed %d: the world cannot exist: %v", p.seed, err)
		}
		if drawn.DeletionTimestamp != nil {
			p.check(admin.Delete(p.Context(), s))
		}
	}
}

// allowed leaves the hints that an API server takes, each once.
func allowed(hints *discoveryv1.EndpointHints) {
	if hints == nil {
		return
	}
	zones, nodes := map[string]bool{}, map[string]bool{}
	hints.ForZones = slices.DeleteFunc(hints.ForZones, func(z discoveryv1.ForZone) bool {
		twice := zones[z.Name]
		zones[z.Name] = true
		return twice || len(validation.IsValidLabelValue(z.Name)) > 0
	})
	hints.ForNodes = slices.DeleteFunc(hints.ForNodes, func(n discoveryv1.ForNode) bool {
		twice := nodes[n.Name]
		nodes[n.Name] = true
		return twice || len(validation.IsDNS1123Subdomain(n.Name)) > 0
	})
}

// respell gives IPs the only spelling that an API server takes since Kubernetes 1.36: older ones stored others too.
func respell(addresses []string) {
	for i, a := range addresses {
		if !strings.Contains(a, ":") { // leading zeros
			octets := strings.Split(a, ".")
			for j, o := range octets {
				if n, err := strconv.ParseUint(o, 10, 32); err == nil {
					octets[j] = fmt.Sprint(n)
				}
			}
			a = strings.Join(octets, ".")
		}
		if ip, err := netip.ParseAddr(a); err == nil {
			addresses[i] = ip.String()
		}
	}
}

func (p *planWriter) list() []*discoveryv1.EndpointSlice {
	var list discoveryv1.EndpointSliceList
	p.check(admin.List(p.Context(), &list, client.InNamespace(p.namespace)))
	return slicer.Pointers(list.Items)
}

func (p *planWriter) compute(in given.World) slicer.Plan {
	plan, err := in.Compute()
	if err != nil {
		p.Fatalf("seed %d: %v", p.seed, err)
	}
	return plan
}

// write takes one step and compares what the API server stores with what it was given.
func (p *planWriter) write(step slicer.Step) (err error) {
	ctx := p.Context()
	if step.Verb == slicer.Delete {
		return admin.Delete(ctx, step.Old, client.Preconditions(*step.Preconditions()))
	}
	given := step.New.DeepCopy()
	if step.Verb == slicer.Create {
		err = admin.Create(ctx, step.New)
	} else {
		err = admin.Update(ctx, step.New)
	}
	if err != nil {
		return err
	}
	for _, pair := range [][2]any{
		{given.AddressType, step.New.AddressType}, {given.Endpoints, step.New.Endpoints}, {given.Ports, step.New.Ports},
		{given.Labels, step.New.Labels}, {given.Annotations, step.New.Annotations},
		{given.OwnerReferences, step.New.OwnerReferences}, {given.Finalizers, step.New.Finalizers},
	} {
		if !equality.Semantic.DeepEqual(pair[0], pair[1]) {
			return fmt.Errorf("%v was stored as %v", pair[0], pair[1])
		}
	}
	return nil
}

// refused shows that the API server would not take a rejected endpoint, unless the reason is one of the planner's own or about
// something else than an endpoint.
func (p *planWriter) refused(in given.World, s slicer.Skip) {
	switch s.Reason {
	case slicer.UnwantedAddressType, slicer.DifferingDuplicate, slicer.NoRoom, slicer.InvalidPorts, slicer.OwnerWithoutUID:
		return
	}
	p.total.refused.Add(1)
	group, e := in.Skipped(s)
	endpoint := e.DeepCopy()
	respell(endpoint.Addresses)
	err := admin.Create(p.Context(), &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Namespace: p.namespace, GenerateName: "refused-"},
		AddressType: s.AddressType, Ports: group.Ports, Endpoints: []discoveryv1.Endpoint{*endpoint},
	}, client.DryRunAll)
	if !apierrors.IsInvalid(err) {
		p.Errorf("seed %d: rejected (%v) %v, but the API server says %v", p.seed, s.Reason, s.Err, err)
	}
}

// clean empties the namespace, of slices with finalizers too.
func (p *planWriter) clean() {
	for _, s := range p.list() {
		if len(s.Finalizers) > 0 {
			s.Finalizers = nil
			p.check(client.IgnoreNotFound(admin.Update(p.Context(), s)))
		}
	}
	p.check(admin.DeleteAllOf(p.Context(), &discoveryv1.EndpointSlice{}, client.InNamespace(p.namespace)))
}

func (p *planWriter) check(err error) {
	p.Helper()
	if err != nil {
		p.Fatalf("seed %d: %v", p.seed, err)
	}
}
