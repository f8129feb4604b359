package cluster

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/controller/network"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// TestVerdicts holds what Compute says about odd endpoints, ports and metadata against what the API server says. Each
// candidate is good except for one field.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	v := verdicts{T: t, namespace: newNamespace(t, admin, "verdicts")}
	refusals := 0
	for _, c := range v.candidates() {
		in := given.World{Input: slicer.Input{
			Set:     slicer.Set{Namespace: v.namespace, Name: "web", ManagedBy: network.ManagedBy, NamePrefix: "verdict-"},
			Groups:  []slicer.Group{{AddressType: discoveryv1.AddressTypeIPv4}},
			Options: slicer.Options{NoPlaceholder: true, Hints: hints.Options{Mode: hints.Given}},
		}}
		e := discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}
		c.corrupt(&in, &e)
		in.Groups[0].Endpoints = append(in.Groups[0].Endpoints, e)
		if v.judge(c.name, in) {
			refusals++
		}
	}
	t.Logf("%d candidates, %d refused", len(v.candidates()), refusals)
}

type candidate struct {
	name    string
	corrupt func(*given.World, *discoveryv1.Endpoint)
}

type verdicts struct {
	*testing.T
	namespace string
}

// judge returns whether Compute refuses the input. What it refuses the API server refuses as well, taken as it is; what
// it does not refuse is accepted as planned.
func (v *verdicts) judge(name string, in given.World) (refused bool) {
	plan, err := in.Compute()
	if err == nil && len(plan.Skips) == 0 {
		for _, step := range plan.Steps {
			if err := admin.Create(v.Context(), step.New, client.DryRunAll); err != nil {
				v.Errorf("%s: planned, but the API server says: %.500v", name, err)
			}
		}
		return false
	}
	set, g := in.Set, in.Groups[0]
	labels := map[string]string{discoveryv1.LabelManagedBy: set.ManagedBy}
	maps.Copy(labels, set.Labels)
	maps.Copy(labels, set.Key)
	for _, e := range g.Endpoints {
		respell(e.Addresses)
	}
	server := admin.Create(v.Context(), &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: v.namespace, GenerateName: set.NamePrefix, Labels: labels, Annotations: set.Annotations,
			OwnerReferences: set.Owners,
		},
		AddressType: g.AddressType, Ports: g.Ports, Endpoints: g.Endpoints,
	}, client.DryRunAll)
	if name == `zone hint ""` && server == nil {
		return true // it names no zone, and no reader takes it for one
	}
	if !apierrors.IsInvalid(server) && !apierrors.IsBadRequest(server) {
		v.Errorf("%s: refused (%v %v), but the API server says %v", name, err, plan.Skips, server)
	}
	return true
}

// texts are odd and harmless values of any field with a name in it.
func texts() []string {
	list := []string{
		"", "a", "A", "a.b", "a..b", ".a", "a.", "-a", "a-", "a-b", "a--b", "a_b", "_a", "a/b", "/a", "a/", "a/b/c", "1", "1.2",
		"a b", "ü", "a\n", "kubernetes.io/h2c", "k8s.io/-x", "*", "true", "é.com", "xn--a", "a:b", "a@b", "0", "a.b.c.d.e",
	}
	for _, n := range []int{15, 16, 57, 58, 63, 64, 243, 248, 252, 253, 254, 317, 318} {
		list = append(list, strings.Repeat("a", n), strings.Repeat("a.", n/2)+"b",
			strings.Repeat(strings.Repeat("a", 60)+".", n/61)+strings.Repeat("b", n%61))
	}
	random := rand.New(rand.NewPCG(1, 2))
	const alphabet = "aB1-._/ "
	for range 60 {
		var b strings.Builder
		for range 1 + random.IntN(5) {
			b.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		list = append(list, b.String())
	}
	return list
}

func addressTexts() []string {
	list := []string{
		"", "0.0.0.0", "0.0.0.1", "127.0.0.1", "127.255.0.1", "128.0.0.1", "169.253.0.1", "169.254.0.1", "169.255.0.1",
		"223.255.255.255", "224.0.0.0", "224.0.0.1", "224.0.1.1", "225.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"010.0.0.1", "0010.0.0.1", "10.0.0.08", "10.0.0.256", "10.0.0.0256", "10.0.0", "10.0.0.1.", "10.0.0.1 ", "10.0.0.1/32",
		"10.0.0.+1", "0x0a.0.0.1", "1", "000.0.0.0", "127.0.0.01", "10.0.0.1:80",
		"::", "::1", "::2", "1::", "fd00::1", "FD00::1", "fd00:0:0::1", "fd00::00001", "fd00::0001", "fe80::1", "fe80::1%eth0",
		"fd00::1%eth0", "febf::1", "fec0::1", "ff01::1", "ff02::1", "ff0e::1", "ff12::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
		"::10.0.0.1", "64:ff9b::10.0.0.1", "fd00::1::2", "[fd00::1]", "2001:db8::/32", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
		"::ffff:0:0", "::ffff:010.0.0.1", "0:0:0:0:0:0:0:0", "0:0:0:0:0:0:0:1", "::ffff:a00:1",
		"example.com", "example.com.", "example", "example.", "EXAMPLE.com", "a_b.com", "*.example.com", "10.example",
		"a." + strings.Repeat("b", 63), "a." + strings.Repeat("b", 64), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a",
	}
	return append(list, texts()...)
}

func (v *verdicts) candidates() (list []candidate) {
	add := func(name string, corrupt func(*given.World, *discoveryv1.Endpoint)) {
		list = append(list, candidate{name, corrupt})
	}
	types := []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN}
	for _, text := range addressTexts() {
		for _, addressType := range types {
			add(fmt.Sprintf("%s %q", addressType, text), func(in *given.World, e *discoveryv1.Endpoint) {
				in.Groups[0].AddressType, e.Addresses = addressType, []string{text}
			})
		}
		add(fmt.Sprintf("second address %q", text), func(_ *given.World, e *discoveryv1.Endpoint) {
			e.Addresses = append(e.Addresses, text)
		})
	}
	for _, text := range texts() {
		fields := map[string]func(*given.World, *discoveryv1.Endpoint){
			"hostname": func(_ *given.World, e *discoveryv1.Endpoint) { e.Hostname = &text },
			"nodeName": func(_ *given.World, e *discoveryv1.Endpoint) { e.NodeName = &text },
			"zone":     func(_ *given.World, e *discoveryv1.Endpoint) { e.Zone = &text },
			"zone hint": func(_ *given.World, e *discoveryv1.Endpoint) {
				e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: text}}}
			},
			"node hint": func(_ *given.World, e *discoveryv1.Endpoint) {
				e.Hints = &discoveryv1.EndpointHints{ForNodes: []discoveryv1.ForNode{{Name: text}}}
			},
			"targetRef": func(_ *given.World, e *discoveryv1.Endpoint) {
				e.TargetRef = &corev1.ObjectReference{Kind: text, Name: text, Namespace: text}
			},
			"port name": func(in *given.World, _ *discoveryv1.Endpoint) {
				in.Groups[0].Ports = []discoveryv1.EndpointPort{{Name: &text}}
			},
			"protocol": func(in *given.World, _ *discoveryv1.Endpoint) {
				protocol := corev1.Protocol(text)
				in.Groups[0].Ports = []discoveryv1.EndpointPort{{Protocol: &protocol}}
			},
			"appProtocol": func(in *given.World, _ *discoveryv1.Endpoint) {
				in.Groups[0].Ports = []discoveryv1.EndpointPort{{AppProtocol: &text}}
			},
			"label":       func(in *given.World, _ *discoveryv1.Endpoint) { in.Set.Labels = map[string]string{text: "x"} },
			"label value": func(in *given.World, _ *discoveryv1.Endpoint) { in.Set.Labels = map[string]string{"x": text} },
			"key":         func(in *given.World, _ *discoveryv1.Endpoint) { in.Set.Key = map[string]string{text: "x"} },
			"key value":   func(in *given.World, _ *discoveryv1.Endpoint) { in.Set.Key = map[string]string{"x": text} },
			"annotation":  func(in *given.World, _ *discoveryv1.Endpoint) { in.Set.Annotations = map[string]string{text: "x"} },
			"owner name": func(in *given.World, _ *discoveryv1.Endpoint) {
				in.Set.Owners = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: text, UID: "u"}}
			},
			"owner kind": func(in *given.World, _ *discoveryv1.Endpoint) {
				in.Set.Owners = []metav1.OwnerReference{{APIVersion: "v1", Kind: text, Name: "web", UID: "u"}}
			},
			"owner version": func(in *given.World, _ *discoveryv1.Endpoint) {
				in.Set.Owners = []metav1.OwnerReference{{APIVersion: text, Kind: "Service", Name: "web", UID: "u"}}
			},
		}
		// Empty means that there is none, or a default.
		if text != "" {
			fields["managed-by"] = func(in *given.World, _ *discoveryv1.Endpoint) { in.Set.ManagedBy = text }
			fields["prefix"] = func(in *given.World, _ *discoveryv1.Endpoint) { in.Set.NamePrefix = text }
		}
		for name, corrupt := range fields {
			add(fmt.Sprintf("%s %q", name, text), corrupt)
		}
	}
	return append(list, tooMany()...)
}

// tooMany are candidates with too much of something, or just enough.
func tooMany() (list []candidate) {
	add := func(name string, corrupt func(*given.World, *discoveryv1.Endpoint)) {
		list = append(list, candidate{name, corrupt})
	}
	for _, n := range []int{0, 1, 2, 8, 9, 100, 101} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint("x", i))
		}
		add(fmt.Sprintf("%d addresses", n), func(_ *given.World, e *discoveryv1.Endpoint) {
			e.Addresses = nil
			for i := range n {
				e.Addresses = append(e.Addresses, fmt.Sprintf("10.0.1.%d", i))
			}
		})
		add(fmt.Sprintf("%d hints", n), func(_ *given.World, e *discoveryv1.Endpoint) {
			e.Hints = &discoveryv1.EndpointHints{}
			for _, name := range names {
				e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: name})
			}
		})
		add(fmt.Sprintf("%d hints for nodes", n), func(_ *given.World, e *discoveryv1.Endpoint) {
			e.Hints = &discoveryv1.EndpointHints{}
			for _, name := range names {
				e.Hints.ForNodes = append(e.Hints.ForNodes, discoveryv1.ForNode{Name: name})
			}
		})
		add(fmt.Sprintf("%d controllers", n), func(in *given.World, _ *discoveryv1.Endpoint) {
			for _, name := range names {
				owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: name, UID: "u", Controller: new(true)}
				in.Set.Owners = append(in.Set.Owners, owner)
			}
		})
		add(fmt.Sprintf("%d ports of one name", n), func(in *given.World, _ *discoveryv1.Endpoint) {
			in.Groups[0].Ports = make([]discoveryv1.EndpointPort, n)
		})
	}
	for _, n := range []int{19999, 20000, 20001} {
		add(fmt.Sprintf("%d ports", n), func(in *given.World, _ *discoveryv1.Endpoint) {
			for i := range n {
				in.Groups[0].Ports = append(in.Groups[0].Ports, discoveryv1.EndpointPort{Name: new(fmt.Sprint("p", i))})
			}
		})
	}
	for _, n := range []int{256<<10 - 2000, 256<<10 - 1, 256 << 10, 256<<10 + 1} {
		add(fmt.Sprintf("annotations of %d bytes", n), func(in *given.World, _ *discoveryv1.Endpoint) {
			in.Set.Annotations = map[string]string{"x": strings.Repeat("y", n-1)}
		})
	}
	return append(list,
		candidate{"a zone hint twice", func(_ *given.World, e *discoveryv1.Endpoint) {
			e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}, {Name: "a"}}}
		}},
		candidate{"a node hint twice", func(_ *given.World, e *discoveryv1.Endpoint) {
			e.Hints = &discoveryv1.EndpointHints{ForNodes: []discoveryv1.ForNode{{Name: "a"}, {Name: "a"}}}
		}},
		candidate{"an owner without UID", func(in *given.World, _ *discoveryv1.Endpoint) {
			in.Set.Owners = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "web"}}
		}},
		candidate{"an Event as owner", func(in *given.World, _ *discoveryv1.Endpoint) {
			in.Set.Owners = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Event", Name: "web", UID: "u"}}
		}},
	)
}
