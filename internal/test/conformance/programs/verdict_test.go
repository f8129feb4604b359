package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/programs/multus/network"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// candidate is an input of Compute that is good except for one field.
type candidate struct {
	Set      slicer.Set
	Group    slicer.Group
	Endpoint discoveryv1.Endpoint
}

// TestVerdicts holds what Compute says about odd endpoints, ports and metadata against what the API
// server says.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t, admin, "verdicts")
	for _, text := range candidates() {
		c := candidate{
			Set: slicer.Set{Namespace: namespace, Name: "web", ManagedBy: network.ManagedBy,
				NamePrefix: "verdict-"},
			Group:    slicer.Group{AddressType: discoveryv1.AddressTypeIPv4},
			Endpoint: discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}},
		}
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatalf("%.500s: %v", text, err)
		}
		c.Group.Endpoints = []discoveryv1.Endpoint{c.Endpoint}
		c.judge(t, text)
	}
}

// judge: what Compute refuses of the candidate the API server refuses as well, taken as it is; what
// it does not refuse is accepted as planned.
func (c candidate) judge(t *testing.T, text string) {
	set, g := c.Set, c.Group
	in := slicer.Input{Set: set, Groups: []slicer.Group{g}, Hints: hints.Options{Mode: hints.Given},
		Options: slicer.Options{NoPlaceholder: true}}
	plan, err := slicer.Compute(in, nil)
	if err == nil && len(plan.Skips) == 0 {
		for _, step := range plan.Steps {
			if err := admin.Create(t.Context(), step.New, client.DryRunAll); err != nil {
				t.Errorf("%.500s: planned, but the API server says: %.500v", text, err)
			}
		}
		return
	}
	labels := map[string]string{discoveryv1.LabelManagedBy: set.ManagedBy}
	maps.Copy(labels, set.Labels)
	maps.Copy(labels, set.Key)
	for _, e := range g.Endpoints {
		respell(e.Addresses)
	}
	server := admin.Create(t.Context(), &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: set.Namespace, GenerateName: set.NamePrefix, Labels: labels, Annotations: set.Annotations,
			OwnerReferences: set.Owners,
		},
		AddressType: g.AddressType, Ports: g.Ports, Endpoints: g.Endpoints,
	}, client.DryRunAll)
	if strings.Contains(text, `"forZones":[{"name":""}]`) && server == nil {
		return // it names no zone, and no reader takes it for one
	}
	if !apierrors.IsInvalid(server) && !apierrors.IsBadRequest(server) {
		t.Errorf("%.500s: refused (%v %v), but the API server says %v", text, err, plan.Skips, server)
	}
}

// respell gives IPs the only spelling that an API server takes since Kubernetes 1.36: older ones
// stored others too.
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

// withAddress, withText and withList are candidates as JSON, in which a text or a list is put.
var (
	withAddress = []string{
		`{"Group":{"AddressType":"IPv4"},"Endpoint":{"addresses":[TEXT]}}`,
		`{"Group":{"AddressType":"IPv6"},"Endpoint":{"addresses":[TEXT]}}`,
		`{"Group":{"AddressType":"FQDN"},"Endpoint":{"addresses":[TEXT]}}`,
		`{"Endpoint":{"addresses":["10.0.0.1",TEXT]}}`,
	}
	withText = []string{
		`{"Endpoint":{"hostname":TEXT}}`, `{"Endpoint":{"nodeName":TEXT}}`, `{"Endpoint":{"zone":TEXT}}`,
		`{"Endpoint":{"hints":{"forZones":[{"name":TEXT}]}}}`, `{"Endpoint":{"hints":{"forNodes":[{"name":TEXT}]}}}`,
		`{"Endpoint":{"targetRef":{"kind":TEXT,"name":TEXT,"namespace":TEXT}}}`,
		`{"Group":{"Ports":[{"name":TEXT}]}}`, `{"Group":{"Ports":[{"protocol":TEXT}]}}`, `{"Group":{"Ports":[{"appProtocol":TEXT}]}}`,
		`{"Set":{"Labels":{TEXT:"x"}}}`, `{"Set":{"Labels":{"x":TEXT}}}`, `{"Set":{"Key":{TEXT:"x"}}}`, `{"Set":{"Key":{"x":TEXT}}}`,
		`{"Set":{"Annotations":{TEXT:"x"}}}`,
		`{"Set":{"Owners":[{"apiVersion":"v1","kind":"Service","name":TEXT,"uid":"u"}]}}`,
		`{"Set":{"Owners":[{"apiVersion":"v1","kind":TEXT,"name":"web","uid":"u"}]}}`,
		`{"Set":{"Owners":[{"apiVersion":TEXT,"kind":"Service","name":"web","uid":"u"}]}}`,
		`{"Set":{"ManagedBy":TEXT}}`, `{"Set":{"NamePrefix":TEXT}}`,
	}
	withList = []struct {
		text, item string
		counts     []int
	}{
		{`{"Endpoint":{"addresses":[LIST]}}`, `"10.0.1.%d"`, []int{0, 1, 2, 100, 101}},
		{`{"Endpoint":{"hints":{"forZones":[LIST]}}}`, `{"name":"z%d"}`, []int{0, 8, 9}},
		{`{"Endpoint":{"hints":{"forNodes":[LIST]}}}`, `{"name":"n%d"}`, []int{0, 8, 9}},
		{`{"Set":{"Owners":[LIST]}}`, `{"apiVersion":"v1","kind":"Service","name":"web%d","uid":"u","controller":true}`, []int{0, 1, 2}},
		{`{"Set":{"Owners":[LIST]}}`, `{"apiVersion":"v1","kind":"Service","name":"web%d"}`, []int{1}},
		{`{"Set":{"Owners":[LIST]}}`, `{"apiVersion":"v1","kind":"Event","name":"web%d","uid":"u"}`, []int{1}},
		{`{"Group":{"Ports":[LIST]}}`, `{"port":8%d}`, []int{0, 1, 2}},
		{`{"Group":{"Ports":[LIST]}}`, `{"name":"p%d"}`, []int{19999, 20000, 20001}},
	}
)

func candidates() (list []string) {
	put := func(templates []string, text string) {
		quoted, _ := json.Marshal(text)
		for _, template := range templates {
			// Empty means that there is none, or a default. An empty value of Key is a mistake that
			// the API server cannot know.
			if text != "" || !strings.Contains(template, `"ManagedBy"`) &&
				!strings.Contains(template, `"NamePrefix"`) &&
				!strings.Contains(template, `"Key":{"x"`) {
				list = append(list, strings.ReplaceAll(template, "TEXT", string(quoted)))
			}
		}
	}
	for _, text := range addressTexts() {
		put(withAddress, text)
	}
	for _, text := range texts() {
		put(withText, text)
	}
	for _, bytes := range []int{256<<10 - 2000, 256<<10 - 1, 256 << 10, 256<<10 + 1} {
		put([]string{`{"Set":{"Annotations":{"x":TEXT}}}`}, strings.Repeat("y", bytes-1))
	}
	for _, l := range withList {
		for _, n := range l.counts {
			items := make([]string, n)
			for i := range items {
				items[i] = fmt.Sprintf(l.item, i)
			}
			list = append(list, strings.Replace(l.text, "LIST", strings.Join(items, ","), 1))
		}
	}
	return append(list, `{"Endpoint":{"hints":{"forZones":[{"name":"a"},{"name":"a"}]}}}`,
		`{"Endpoint":{"hints":{"forNodes":[{"name":"a"},{"name":"a"}]}}}`)
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
