package main

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// TestEveryManifestIsShown reads all manifests with slices. With -all, each address of a slice is
// in a table, once for each Service, port, family and port number, and nothing else is.
func TestEveryManifestIsShown(t *testing.T) {
	files, err := filepath.Glob("../../testdata/manifests/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, file := range files {
		objects, err := manifest.Reader{}.Files(nil, file)
		if err != nil {
			t.Fatal(err)
		}
		if len(objects.EndpointSlices) == 0 {
			continue
		}
		var stdout, stderr bytes.Buffer
		if code := run([]string{"-all", "-zone", "eu-central-1b", file}, nil, &stdout, &stderr); code != 0 ||
			stderr.Len() > 0 {
			t.Fatalf("%s: exit %d: %s", file, code, &stderr)
		}
		want := published(objects.EndpointSlices)
		if d := cmp.Diff(want, rows(stdout.String())); d != "" {
			t.Errorf("%s (-in the slices, +in the tables):\n%s", file, d)
		}
		shown += len(want)
	}
	if shown < 100 {
		t.Errorf("the manifests have %d endpoints", shown)
	}
}

// rows lists what the tables show, sorted: Service, port, family and endpoint of each row.
func rows(text string) []string {
	var found []string
	service, port := "", ""
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "Service "):
			service = strings.TrimSuffix(words[1], ",")
		case strings.HasPrefix(line, "Port "):
			port = words[1] + " " + strings.TrimSuffix(words[2], ":")
		case len(words) > 1 && (words[0] == "yes" || words[0] == "no"):
			found = append(found, fmt.Sprint(service, " ", port, " ", words[1]))
		}
	}
	slices.Sort(found)
	return found
}

// published lists what slices have in the same words, each endpoint once.
func published(list []*discoveryv1.EndpointSlice) []string {
	var all []string
	for _, s := range list {
		for _, p := range s.Ports {
			for _, e := range s.Endpoints {
				all = append(all, fmt.Sprintf("%s/%s %s/%s, %s %s", s.Namespace, s.Labels[discoveryv1.LabelServiceName],
					*p.Name, *p.Protocol, s.AddressType, net.JoinHostPort(e.Addresses[0], fmt.Sprint(*p.Port))))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
