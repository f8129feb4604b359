package main

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/examples/internal/scenarios"
)

var command scenarios.Command = run

func TestScenarioFiles(t *testing.T) { command.Run(t, "route", "examples/route/testdata/*.txt") }

func TestWritesFail(t *testing.T) {
	command.WritesFail(t, "-zone a ../../testdata/manifests/dual-stack.yaml")
}

// TestEveryManifestIsShown reads all demo clusters: each address of a slice is in the table, once for each port, family
// and port number, and nothing else is.
func TestEveryManifestIsShown(t *testing.T) {
	files, err := filepath.Glob("../../testdata/manifests/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests (%v)", err)
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
		if code := run([]string{"-all", "-zone", "eu-central-1b", file}, nil, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
			t.Fatalf("%s: exit %d: %s", file, code, &stderr)
		}
		got, want := rows(stdout.String()), published(objects.EndpointSlices)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d rows for %d endpoints:\n%s", file, len(got), len(want), &stdout)
		}
		shown += len(want)
	}
	if shown < 500 {
		t.Errorf("%d endpoints; one Service alone has 250 behind two ports", shown)
	}
}

// rows lists what the tables show, sorted: service, port, family and endpoint of each row.
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

// published lists what slices hold in the same words, each thing once.
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
