package main

import (
	"context"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/fields"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// watchCluster fills the store from an API server until the context ends.
func watchCluster(ctx context.Context, kubeconfig, namespace string, s *store) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := discoveryclient.NewForConfig(config)
	if err != nil {
		return err
	}
	watch := cache.NewListWatchFromClient(client.RESTClient(), "endpointslices", namespace, fields.Everything())
	cache.NewReflector(watch, &discoveryv1.EndpointSlice{}, s, 0).RunWithContext(ctx)
	return ctx.Err()
}

// readDirectory fills the store from files until the context ends. The first reading must succeed; later, slices stay as
// they were as long as a file cannot be read, so that a slip of the editor drains nothing.
func readDirectory(ctx context.Context, dir string, poll time.Duration, s *store) error {
	var current map[string]string
	for tick := time.Tick(poll); ; {
		files, err := readFiles(dir)
		if err == nil && (current == nil || !maps.Equal(files, current)) {
			var list []any
			list, err = parseFiles(files)
			if err == nil {
				err = s.Replace(list, "")
			}
			if current == nil && err != nil {
				return err
			}
			current = files
		}
		if err != nil {
			if current == nil {
				return err
			}
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

func parseFiles(files map[string]string) ([]any, error) {
	var objects manifest.Objects
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := (manifest.Reader{}).Read(&objects, name, []byte(files[name])); err != nil {
			return nil, err
		}
	}
	list := make([]any, len(objects.EndpointSlices))
	for i, slice := range objects.EndpointSlices {
		list[i] = slice
	}
	return list, nil
}
