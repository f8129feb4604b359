package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// readDirectory fills the store from files until the context ends. The first reading must succeed; later, slices stay as
// they were as long as a file cannot be read, so that a slip of the editor drains nothing.
func readDirectory(ctx context.Context, dir string, poll time.Duration, s *store) error {
	var current map[string]string
	for tick := time.Tick(poll); ; {
		first := current == nil
		files, err := readFiles(dir)
		if err == nil && (first || !maps.Equal(files, current)) {
			current = files
			var list []any
			if list, err = parseFiles(files); err == nil {
				err = s.Replace(list, "")
			}
		}
		switch {
		case err == nil:
		case first:
			return err
		default:
			log.Printf("slices stay as they were: %v", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
		}
	}
}

// readFiles returns the files of a directory, by name. It reads until two readings agree: between them, that is what
// was there at one moment. A single one may see an endpoint in neither of two slices while it moves from one to the
// other.
func readFiles(dir string) (map[string]string, error) {
	var last map[string]string
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		files := map[string]string{}
		for _, entry := range entries {
			switch filepath.Ext(entry.Name()) {
			case ".yaml", ".yml", ".json":
				data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
				if err != nil {
					return nil, err
				}
				files[entry.Name()] = string(data)
			}
		}
		if last != nil && maps.Equal(files, last) {
			return files, nil
		}
		last = files
	}
}

// parseFiles returns the slices in YAML documents or JSON objects, and in lists of them. Objects of other kinds are passed over. A
// field that slices do not have is a mistake.
func parseFiles(files map[string]string) (list []any, err error) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		documents := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(files[name])))
		for number := 1; ; number++ {
			document, err := documents.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				list, err = parseDocument(list, document)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: document %d: %w", name, number, err)
			}
		}
	}
	return list, nil
}

func parseDocument(list []any, document []byte) ([]any, error) {
	var object struct {
		metav1.TypeMeta
		Items []runtime.RawExtension `json:"items"`
	}
	if err := yaml.Unmarshal(document, &object); err != nil {
		return nil, err
	}
	if object.Kind == "EndpointSlice" {
		slice := &discoveryv1.EndpointSlice{}
		if object.APIVersion != discoveryv1.SchemeGroupVersion.String() {
			return nil, fmt.Errorf("want apiVersion %s, got %q", discoveryv1.SchemeGroupVersion, object.APIVersion)
		}
		return append(list, slice), yaml.UnmarshalStrict(document, slice)
	}
	if strings.HasSuffix(object.Kind, "List") {
		for i, item := range object.Items {
			var err error
			if list, err = parseDocument(list, item.Raw); err != nil {
				return nil, fmt.Errorf("items[%d]: %w", i, err)
			}
		}
	}
	return list, nil
}
