// Command generate writes testdata/manifests: clusters as kubectl prints them, the basis of every demo.
//
//	go run ./examples/internal/manifest/generate testdata/manifests
//
// It is deterministic: names, UIDs and times come from the story, so a second run changes nothing.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate DIRECTORY")
		os.Exit(2)
	}
	for _, s := range scenes {
		data, err := s.yaml()
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[1], s.file), data, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// scene is one file: a story and the objects that show it.
type scene struct {
	file  string
	story string // comment lines above the objects
	build func(*cluster)
}

// yaml prints a scene the way kubectl prints several kinds at once: services, pods, nodes, endpointslices.
func (s scene) yaml() ([]byte, error) {
	c := &cluster{}
	s.build(c)
	list := &corev1.List{}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("List"))
	for _, items := range [][]runtime.Object{c.services, c.pods, c.nodes, c.slices, c.endpoints} {
		slices.SortFunc(items, byName)
		for _, item := range items {
			list.Items = append(list.Items, runtime.RawExtension{Object: item})
		}
	}
	var out bytes.Buffer
	for line := range bytes.Lines([]byte(s.story)) {
		fmt.Fprintf(&out, "# %s", line)
	}
	fmt.Fprint(&out, "#\n# Written by: go run ./examples/internal/manifest/generate testdata/manifests\n")
	err := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil, nil,
		serializer.SerializerOptions{Yaml: true}).Encode(list, &out)
	return bytes.Replace(out.Bytes(), []byte("kind: List\nmetadata: {}"), []byte("kind: List\nmetadata:\n  resourceVersion: \"\""), 1), err
}

func byName(a, b runtime.Object) int {
	return strings.Compare(a.(metav1.Object).GetName(), b.(metav1.Object).GetName())
}
