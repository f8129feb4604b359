package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/conformance"
	"github.com/slicewright/slicewright/slicer"
)

// result is what a side wrote in one case: requests, and the bytes that they send to one watcher,
// which is the size of each object that is written or deleted in the protobuf encoding.
type result struct{ Writes, Bytes int }

// play lets a side answer a history, each time on the slices that it wrote itself. What publishes
// the first Pods does not count.
func play(h history, side conformance.Side) (total result, err error) {
	server := server{slices: map[string]*discoveryv1.EndpointSlice{}}
	for begun := false; ; begun = true {
		c := *h.cluster
		c.Slices = server.list()
		writes, err := side(&c)
		if err != nil {
			return total, err
		}
		for _, w := range writes {
			bytes := server.apply(w)
			if begun {
				total.Writes++
				total.Bytes += bytes
			}
		}
		if !h.step() {
			return total, nil
		}
		h.cluster.Trigger = h.cluster.Trigger.Add(time.Second)
	}
}

// server is an API server that refuses nothing.
type server struct {
	slices  map[string]*discoveryv1.EndpointSlice
	version int
}

func (s *server) list() []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, name := range slices.Sorted(maps.Keys(s.slices)) {
		list = append(list, s.slices[name])
	}
	return list
}

// apply applies a write, and returns how many bytes a watcher is sent for it.
func (s *server) apply(w conformance.Write) int {
	if w.Verb == slicer.Delete {
		old := s.slices[w.Name]
		delete(s.slices, w.Name)
		return old.Size()
	}
	s.version++
	stored := w.Slice.DeepCopy()
	stored.ResourceVersion = strconv.Itoa(s.version)
	if w.Verb == slicer.Create {
		stored.Name = fmt.Sprintf("%s%05d", stored.GenerateName, s.version*7919%100_000) // not in the order of age
		stored.UID = types.UID("slice-" + stored.ResourceVersion)
		stored.CreationTimestamp = metav1.NewTime(time.Unix(1_790_000_000+int64(s.version), 0))
	}
	s.slices[stored.Name] = stored
	return stored.Size()
}
