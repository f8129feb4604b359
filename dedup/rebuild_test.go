package dedup_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// drawOptions draws the options of an index.
func drawOptions(t *rapid.T) dedup.Options {
	o := dedup.Options{
		AllAddresses: rapid.Bool().Draw(t, "all addresses"),
		AnyPort:      rapid.Bool().Draw(t, "any port"),
	}
	if rapid.Bool().Draw(t, "with names") {
		o.AddressTypes = []discoveryv1.AddressType{"IPv6", "FQDN", "IPv4"}
	}
	if rapid.Bool().Draw(t, "with labels") {
		o.Labels = []string{gen.LabelCluster, "other", gen.LabelCluster}
	}
	if rapid.IntRange(0, 3).Draw(t, "label") == 0 {
		o.ServiceLabel = gen.LabelCluster
	}
	return o
}

// rebuildIndex draws events in any order, some of them lost, doubled or undone before a flush, and
// compares every flush with a merge of the slices that there are and with a plain reading of them
// (D1 to D4), and old views with what they were. It returns the index after the last delete.
func rebuildIndex(t *rapid.T) *dedup.Index {
	options := drawOptions(t)
	ix, err := dedup.NewIndex(options)
	if err != nil {
		t.Fatal(err)
	}
	r := &Watch{Index: ix, Truth: map[string]*discoveryv1.EndpointSlice{}, options: options}
	t.Repeat(map[string]func(*rapid.T){
		"upsert": func(t *rapid.T) {
			name := rapid.SampledFrom(gen.SliceNames).Draw(t, "slice")
			r.Truth[name] = gen.Slice(t, name)
			r.Index.Upsert(r.Truth[name])
		},
		// and look each time, because a slice that stays in order is compared with what it was
		"edit": func(t *rapid.T) {
			name := rapid.SampledFrom(gen.SliceNames).Draw(t, "slice")
			for range rapid.IntRange(2, 4).Draw(t, "edits") {
				if s := r.Truth[name]; s != nil && !r.behind && len(s.Endpoints) > 0 {
					r.Truth[name] = gen.Edited(t, s)
					r.Index.Upsert(r.Truth[name])
					r.Flush(t)
				}
			}
		},
		"same again": func(t *rapid.T) {
			if s := r.Truth[rapid.SampledFrom(gen.SliceNames).Draw(t, "slice")]; s != nil && !r.behind {
				r.Index.Upsert(s.DeepCopy())
			}
		},
		"delete": func(t *rapid.T) {
			name := rapid.SampledFrom(gen.SliceNames).Draw(t, "slice")
			delete(r.Truth, name)
			for range rapid.IntRange(1, 2).Draw(t, "times") {
				r.Index.Delete(types.NamespacedName{Namespace: "ns", Name: name})
			}
		},
		"lost": func(t *rapid.T) {
			name := rapid.SampledFrom(gen.SliceNames).Draw(t, "slice")
			r.behind = true
			if rapid.Bool().Draw(t, "deleted") {
				delete(r.Truth, name)
			} else {
				r.Truth[name] = gen.Slice(t, name)
			}
		},
		"replace": func(t *rapid.T) {
			r.Index.Replace(rapid.Permutation(r.List()).Draw(t, "list"))
			r.behind = false
			r.Flush(t)
		},
		"flush": r.Flush,
	})
	r.Index.Replace(nil)
	r.Truth, r.behind = nil, false
	r.Flush(t)
	for i, v := range r.views {
		if got := printView(v); got != r.prints[i] {
			t.Fatalf("view %d was\n%s\nand is\n%s", i, r.prints[i], got)
		}
	}
	for i, d := range r.deltas {
		if got := deltaText(d); got != r.texts[i] {
			t.Fatalf("a delta was\n%s\nand is\n%s", r.texts[i], got)
		}
	}
	return r.Index
}

// Watch is an index, and the slices that should be in it, by name.
type Watch struct {
	Index *dedup.Index
	Truth map[string]*discoveryv1.EndpointSlice

	options dedup.Options
	behind  bool // an event was lost
	views   []dedup.View
	prints  []string
	deltas  []dedup.Delta
	texts   []string // by deltas
}

// List is the slices by name.
func (r *Watch) List() []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, name := range slices.Sorted(maps.Keys(r.Truth)) {
		list = append(list, r.Truth[name])
	}
	return list
}

// Flush flushes the index, and checks what it shows and what it says about changes.
func (r *Watch) Flush(t *rapid.T) {
	before, list := r.Index.View(), r.List()
	copies := copiesOf(list)
	changes, news := r.Index.Flush()
	after := r.Index.View()
	if !reflect.DeepEqual(list, copies) {
		t.Fatal("Flush changed a slice")
	}
	if err := checkChanges(before, after, changes); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(news), fmt.Sprint(newProblems(before, after)); got != want {
		t.Fatalf("new problems %s, want %s", got, want)
	}
	if again, news := r.Index.Flush(); len(again.Services)+len(again.Ports) > 0 || news != nil ||
		printView(r.Index.View()) != printView(after) {
		t.Fatalf("D4: a second flush changed %v", again)
	}
	r.views = append(r.views, after)
	r.prints = append(r.prints, printView(after))
	for _, d := range changes.Ports {
		r.deltas = append(r.deltas, d)
		r.texts = append(r.texts, deltaText(d))
	}
	if r.behind {
		return
	}
	if err := checkView(list, r.options, after); err != nil {
		t.Fatal(err)
	}
	merged := dedup.Merge(rapid.Permutation(list).Draw(t, "order"), r.options)
	if got, want := printView(after), printView(merged); got != want {
		t.Fatalf("D1: index\n%s\nmerge\n%s", got, want)
	}
}

// newProblems are the problems of a view that an earlier one did not have; those of things without
// a name are always new.
func newProblems(before, after dedup.View) dedup.Notices {
	known := map[string]bool{}
	for _, p := range before.Warnings() {
		known[p.Reason+p.String()] = p.Slice.Name != ""
	}
	var news dedup.Notices
	for _, p := range after.Warnings() {
		if !known[p.Reason+p.String()] {
			news = append(news, p)
		}
	}
	return news
}

// AllFields is an Endpoint that fmt prints whole.
type AllFields dedup.Endpoint

// deltaText is all that a delta has to say.
func deltaText(d dedup.Delta) string {
	text := fmt.Sprintln(d.Port, d.Appeared, d.Gone)
	for e := range d.Added() {
		text += fmt.Sprintf("+%+v\n", AllFields(e))
	}
	for e := range d.Removed() {
		text += fmt.Sprintf("-%+v\n", AllFields(e))
	}
	for old, now := range d.Changed() {
		text += fmt.Sprintf("~%+v %+v\n", AllFields(old), AllFields(now))
	}
	return text
}

// printView is all that a view has to say.
func printView(v dedup.View) string {
	text := ""
	for s := range v.Services() {
		text += fmt.Sprintln(s, slices.Collect(v.Ports(s)))
	}
	for port, e := range v.All() {
		text += fmt.Sprintf("%v %+v\n", port, AllFields(e))
	}
	for s := range v.Services() {
		text += shown(v, s)
	}
	for c := range v.Conflicts() {
		text += c + "\n"
	}
	for _, p := range v.Warnings() {
		text += fmt.Sprintln(p.Reason, p)
	}
	return text
}

// copiesOf returns deep copies of slices.
func copiesOf(list []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	copies := slices.Clone(list)
	for i, s := range list {
		copies[i] = s.DeepCopy()
	}
	return copies
}
