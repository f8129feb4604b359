package dedup_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

const labelCluster = "multicluster.kubernetes.io/source-cluster"

// Small alphabets, so that everything meets everything.
var (
	sliceNames   = []string{"a", "b", "c", "d"}
	serviceNames = []string{"web", "web", "api", ""}
	triggerTimes = []string{"", "2026-11-20T06:00:00Z", "2026-11-20T07:00:00.5Z", "2026-11-20T08:00:00.5+01:00", "yesterday"}
	versions     = []string{"", "9", "10", "010", "x"}
	ipv4s        = []string{"10.0.0.1", "010.0.0.1", "10.0.0.2", "10.0.0.10", "9.0.0.1", "fd00::1", "no address"}
	ipv6s        = []string{"fd00::1", "FD00:0::1", "fd00::2", "::", "10.0.0.1", "::ffff:10.0.0.1"}
	fqdns        = []string{"a.example.com", "a.example.com.", "b.example.com", ".", ""}
)

func maybe[T any](t *rapid.T, label string, values ...T) *T {
	i := rapid.IntRange(-1, len(values)-1).Draw(t, label)
	if i < 0 {
		return nil
	}
	return &values[i]
}

func drawSlice(t *rapid.T, name string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: name, ResourceVersion: rapid.SampledFrom(versions).Draw(t, "version"),
		Labels: map[string]string{discoveryv1.LabelServiceName: rapid.SampledFrom(serviceNames).Draw(t, "service")},
	}}
	if cluster := rapid.SampledFrom([]string{"", "east", "west"}).Draw(t, "cluster"); cluster != "" {
		s.Labels[labelCluster] = cluster
	}
	if at := rapid.SampledFrom(triggerTimes).Draw(t, "trigger time"); at != "" {
		s.Annotations = map[string]string{corev1.EndpointsLastChangeTriggerTime: at}
	}
	texts := ipv4s
	switch s.AddressType = rapid.SampledFrom([]discoveryv1.AddressType{
		"IPv4", "IPv4", "IPv4", "IPv6", "FQDN", "",
	}).Draw(t, "type"); s.AddressType {
	case discoveryv1.AddressTypeIPv6:
		texts = ipv6s
	case discoveryv1.AddressTypeFQDN:
		texts = fqdns
	}
	for range rapid.IntRange(0, 2).Draw(t, "ports") {
		s.Ports = append(s.Ports, discoveryv1.EndpointPort{
			Name: maybe(t, "port name", "http", "dns", "", dedup.AllPorts), Protocol: maybe(t, "protocol", corev1.ProtocolTCP, corev1.ProtocolUDP),
			Port: maybe[int32](t, "number", 80, 80, 8080, 0, -1, 65535, 65536), AppProtocol: maybe(t, "app protocol", "", "http", "kubernetes.io/h2c"),
		})
	}
	for range rapid.IntRange(0, 5).Draw(t, "endpoints") {
		s.Endpoints = append(s.Endpoints, drawEndpoint(t, texts))
	}
	return s
}

func drawEndpoint(t *rapid.T, texts []string) discoveryv1.Endpoint {
	e := discoveryv1.Endpoint{
		Addresses: rapid.SliceOfN(rapid.SampledFrom(texts), 0, 2).Draw(t, "addresses"),
		Conditions: discoveryv1.EndpointConditions{
			Ready: maybe(t, "ready", false, true), Serving: maybe(t, "serving", false, true), Terminating: maybe(t, "terminating", false, true),
		},
		Zone: maybe(t, "zone", "", "zone-a", "zone-b"), NodeName: maybe(t, "node", "n1"), Hostname: maybe(t, "hostname", "", "h"),
	}
	if rapid.Bool().Draw(t, "has target") {
		e.TargetRef = &corev1.ObjectReference{
			Kind: rapid.SampledFrom([]string{"Pod", ""}).Draw(t, "kind"), Name: rapid.SampledFrom([]string{"p1", "p2", ""}).Draw(t, "pod"),
			Namespace: rapid.SampledFrom([]string{"", "", "ns"}).Draw(t, "namespace"),
			UID:       rapid.SampledFrom([]types.UID{"", "", "u1", "u2"}).Draw(t, "uid"),
		}
	}
	if rapid.Bool().Draw(t, "has hints") {
		e.Hints = &discoveryv1.EndpointHints{}
		for range rapid.IntRange(0, 2).Draw(t, "zones hinted") {
			e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: rapid.SampledFrom([]string{"zone-b", "zone-a"}).Draw(t, "hint")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "nodes hinted") {
			e.Hints.ForNodes = append(e.Hints.ForNodes, discoveryv1.ForNode{Name: rapid.SampledFrom([]string{"n2", "n1"}).Draw(t, "hint")})
		}
	}
	return e
}

// edited returns a copy of a slice in which one endpoint has other fields, and mostly its old addresses.
func edited(t *rapid.T, s *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	s = s.DeepCopy()
	s.ResourceVersion = rapid.SampledFrom(versions).Draw(t, "version")
	e := &s.Endpoints[rapid.IntRange(0, len(s.Endpoints)-1).Draw(t, "endpoint")]
	if rapid.IntRange(0, 3).Draw(t, "other origin") == 0 { // nothing else changes
		s.Labels[labelCluster] = rapid.SampledFrom([]string{"east", "west"}).Draw(t, "cluster")
		for i := range s.Ports {
			s.Ports[i].AppProtocol = maybe(t, "app protocol", "http", "kubernetes.io/h2c")
		}
		return s
	}
	addresses := e.Addresses
	*e = drawEndpoint(t, ipv4s)
	if rapid.IntRange(0, 4).Draw(t, "other addresses") > 0 {
		e.Addresses = addresses
	}
	return s
}

func drawOptions(t *rapid.T) dedup.Options {
	o := dedup.Options{
		AllAddresses: rapid.Bool().Draw(t, "all addresses"),
		KeepAnyPort:  rapid.Bool().Draw(t, "any port"),
		AllPorts:     rapid.Bool().Draw(t, "all ports"),
	}
	if rapid.Bool().Draw(t, "with names") {
		o.AddressTypes = []discoveryv1.AddressType{"IPv6", "FQDN", "IPv4"}
	}
	if rapid.Bool().Draw(t, "with labels") {
		o.Labels = []string{labelCluster, "other", labelCluster}
	}
	if rapid.Bool().Draw(t, "picky") {
		o.Service = func(s *discoveryv1.EndpointSlice) (string, bool) {
			return s.Labels[discoveryv1.LabelServiceName], s.ResourceVersion != "9"
		}
	}
	return o
}

// TestIncrementalIsRebuild draws events in any order, some of them lost, doubled or undone before a flush, and compares
// every flush with a merge of the slices that there are and with a plain reading of them (D1 to D4), and old views with
// what they were. After the last delete nothing is left (D6).
func TestIncrementalIsRebuild(t *testing.T) {
	rapid.Check(t, incrementalIsRebuild)
}

func FuzzIncrementalIsRebuild(f *testing.F) { f.Fuzz(rapid.MakeFuzz(incrementalIsRebuild)) }

func incrementalIsRebuild(t *rapid.T) {
	options := drawOptions(t)
	r := &rebuild{options: options, ix: newIndex(options), truth: map[string]*discoveryv1.EndpointSlice{}}
	t.Repeat(map[string]func(*rapid.T){
		"upsert": func(t *rapid.T) {
			name := rapid.SampledFrom(sliceNames).Draw(t, "slice")
			r.truth[name] = drawSlice(t, name)
			r.ix.Upsert(r.truth[name])
		},
		"edit": func(t *rapid.T) { // and look each time, because a slice that stays in order is compared with what it was
			name := rapid.SampledFrom(sliceNames).Draw(t, "slice")
			for range rapid.IntRange(2, 4).Draw(t, "edits") {
				if s := r.truth[name]; s != nil && !r.behind && len(s.Endpoints) > 0 {
					r.truth[name] = edited(t, s)
					r.ix.Upsert(r.truth[name])
					r.flush(t)
				}
			}
		},
		"same again": func(t *rapid.T) {
			if s := r.truth[rapid.SampledFrom(sliceNames).Draw(t, "slice")]; s != nil && !r.behind {
				r.ix.Upsert(s.DeepCopy())
			}
		},
		"delete": func(t *rapid.T) {
			name := rapid.SampledFrom(sliceNames).Draw(t, "slice")
			delete(r.truth, name)
			for range rapid.IntRange(1, 2).Draw(t, "times") {
				r.ix.Delete("ns", name)
			}
		},
		"lost": func(t *rapid.T) {
			name := rapid.SampledFrom(sliceNames).Draw(t, "slice")
			r.behind = true
			if rapid.Bool().Draw(t, "deleted") {
				delete(r.truth, name)
			} else {
				r.truth[name] = drawSlice(t, name)
			}
		},
		"replace": func(t *rapid.T) {
			r.ix.Replace(rapid.Permutation(r.list()).Draw(t, "list"))
			r.behind = false
			r.flush(t)
		},
		"flush": r.flush,
	})
	r.ix.Replace(nil)
	r.truth, r.behind = nil, false
	r.flush(t)
	for _, n := range r.ix.Sizes() {
		if n != 0 {
			t.Fatalf("D6: sizes %v after the last delete", r.ix.Sizes())
		}
	}
	for i, v := range r.views {
		if got := print(v); got != r.prints[i] {
			t.Fatalf("view %d was\n%s\nand is\n%s", i, r.prints[i], got)
		}
	}
	for i, d := range r.deltas {
		if got := tell(d); got != r.told[i] {
			t.Fatalf("a delta was\n%s\nand is\n%s", r.told[i], got)
		}
	}
}

// rebuild is an index, and what should be in it.
type rebuild struct {
	options dedup.Options
	ix      *dedup.Index
	truth   map[string]*discoveryv1.EndpointSlice
	behind  bool // an event was lost
	views   []dedup.View
	prints  []string
	deltas  []dedup.Delta
	told    []string // by deltas
}

func (r *rebuild) list() []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, name := range slices.Sorted(maps.Keys(r.truth)) {
		list = append(list, r.truth[name])
	}
	return list
}

func (r *rebuild) flush(t *rapid.T) {
	before, list := r.ix.View(), r.list()
	copies := copiesOf(list)
	changes, news := r.ix.Flush()
	after := r.ix.View()
	if !reflect.DeepEqual(list, copies) {
		t.Fatal("Flush changed a slice")
	}
	if err := check.Changes(before, after, changes); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(news), fmt.Sprint(newProblems(before, after)); got != want {
		t.Fatalf("new problems %s, want %s", got, want)
	}
	if again, news := r.ix.Flush(); !nothing(again) || news != nil || r.ix.View() != after {
		t.Fatalf("D4: a second flush changed %v", again)
	}
	r.views, r.prints = append(r.views, after), append(r.prints, print(after))
	for _, d := range changes.Ports {
		r.deltas, r.told = append(r.deltas, d), append(r.told, tell(d))
	}
	if r.behind {
		return
	}
	if err := check.View(list, r.options, after); err != nil {
		t.Fatal(err)
	}
	merged := dedup.Merge(rapid.Permutation(list).Draw(t, "order"), r.options)
	if got, want := print(after), print(merged); got != want {
		t.Fatalf("D1: index\n%s\nmerge\n%s", got, want)
	}
}

// newProblems are the problems of a view that an earlier one did not have; those of things without a name are always new.
func newProblems(before, after dedup.View) dedup.Problems {
	known := map[string]bool{}
	for _, p := range before.Problems() {
		known[string(p.Reason)+p.String()] = p.Slice.Name != ""
	}
	var news dedup.Problems
	for _, p := range after.Problems() {
		if !known[string(p.Reason)+p.String()] {
			news = append(news, p)
		}
	}
	return news
}

// allFields is an Endpoint that fmt prints whole.
type allFields dedup.Endpoint

// tell shows all that a delta has to say.
func tell(d dedup.Delta) string {
	text := fmt.Sprintln(d.Port, d.Appeared, d.Gone)
	for e := range d.Added() {
		text += fmt.Sprintf("+%+v\n", allFields(e))
	}
	for e := range d.Removed() {
		text += fmt.Sprintf("-%+v\n", allFields(e))
	}
	for c := range d.Changed() {
		text += fmt.Sprintf("~%+v %+v %v\n", allFields(c.Old), allFields(c.New), c.Fields)
	}
	return text
}

// print shows all that a view has to say.
func print(v dedup.View) string {
	text := ""
	for s := range v.Services() {
		text += fmt.Sprintln(s, slices.Collect(v.Ports(s)))
	}
	for port, e := range v.All() {
		text += fmt.Sprintf("%v %+v\n", port, allFields(e))
	}
	for c := range v.Conflicts() {
		text += fmt.Sprintf("%v %+v over", c.Port, allFields(c.Winner))
		for _, l := range c.Losers {
			text += fmt.Sprintf(" %+v %v %v", allFields(l.Endpoint), l.Reason, l.Fields)
		}
		text += "\n"
	}
	for _, p := range v.Problems() {
		text += fmt.Sprintln(p.Reason, p)
	}
	return text
}
