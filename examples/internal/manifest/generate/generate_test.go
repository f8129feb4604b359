package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/manifest"
)

const directory = "../../../../testdata/manifests"

// TestCommitted holds the files to their stories: who edits one by hand loses the edit at the next run.
func TestCommitted(t *testing.T) {
	for _, s := range scenes {
		want, err := s.yaml()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(directory, s.file)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what go run ./examples/internal/manifest/generate testdata/manifests writes (%v)", s.file, err)
		}
	}
	files, err := os.ReadDir(directory)
	if err != nil || len(files) != len(scenes) {
		t.Errorf("%d files for %d scenes (%v)", len(files), len(scenes), err)
	}
}

// TestCoherent checks what a real cluster ensures.
func TestCoherent(t *testing.T) {
	for _, s := range scenes {
		objects, err := manifest.Reader{}.Files(nil, filepath.Join(directory, s.file))
		if err != nil {
			t.Fatal(err)
		}
		if len(objects.Services) != 1 || len(objects.Other) != 0 {
			t.Errorf("%s: %d Services, %d other objects", s.file, len(objects.Services), len(objects.Other))
		}
		pods := podAddresses(t, s.file, objects.Pods)
		uids, known := map[types.UID]string{}, map[string]bool{}
		unique := func(uid types.UID, name string) {
			if before, ok := uids[uid]; ok || uid == "" {
				t.Errorf("%s: %s has the UID of %q", s.file, name, before)
			}
			uids[uid] = name
		}
		for _, p := range objects.Pods {
			unique(p.UID, p.Name)
		}
		for _, n := range objects.Nodes {
			unique(n.UID, n.Name)
			known[n.Name] = true
		}
		for _, slice := range objects.EndpointSlices {
			unique(slice.UID, slice.Name)
			if slice.Namespace != objects.Services[0].Namespace {
				t.Errorf("%s: %s is in another namespace", s.file, slice.Name)
			}
			for _, e := range slice.Endpoints {
				if e.NodeName != nil && !known[*e.NodeName] && s.file != "host-network.yaml" {
					t.Errorf("%s: Node %s of %v is missing", s.file, *e.NodeName, e.Addresses)
				}
				if p, ok := pods[e.Addresses[0]]; ok && !p.Spec.HostNetwork && p.UID != e.TargetRef.UID {
					t.Errorf("%s: %v belongs to %s, not to %s", s.file, e.Addresses, p.Name, e.TargetRef.Name)
				}
			}
		}
	}
}

// podAddresses indexes Pods by address, which only those on their host's network share.
func podAddresses(t *testing.T, file string, pods []*corev1.Pod) map[string]*corev1.Pod {
	t.Helper()
	byAddress := map[string]*corev1.Pod{}
	for _, p := range pods {
		for _, ip := range p.Status.PodIPs {
			if other := byAddress[ip.IP]; other != nil && !p.Spec.HostNetwork {
				t.Errorf("%s: %s and %s share %s", file, p.Name, other.Name, ip.IP)
			}
			byAddress[ip.IP] = p
		}
	}
	return byAddress
}
