// Package upgrade holds G14: a plan of this version on the slices that an earlier release left
// creates and deletes nothing, moves no endpoint and changes no name, and two instances that differ
// in what a release may change come to rest side by side.
//
// testdata/upgrade has a file for each release with the slices that it left in the worlds of
// worlds_test.go: the name of a world on a line, then its slices, each on a line.
//
//	go test ./internal/test/upgrade -rewrite
//
// writes the file of the release that the CHANGELOG calls not yet released, and no other. A world
// is never changed after a release. New ones are added, and the files of earlier releases do not
// have them.
package upgrade

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

var rewrite = flag.Bool("rewrite", false, "write the slices of the release that is not yet released")

const folder = "../../../testdata/upgrade"

// TestUpgrade: a plan of this version on the slices of each release creates and deletes nothing,
// moves no endpoint and changes no name, and a second plan writes nothing. Slices that are made
// today have the names that the release gave them.
func TestUpgrade(t *testing.T) {
	if *rewrite {
		rewriteUnreleased(t)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no release", err)
	}
	for _, file := range files {
		release, left := strings.TrimSuffix(filepath.Base(file), ".json"), read(t, file)
		if len(left) < 30 {
			t.Errorf("%s has the slices of %d worlds", release, len(left))
		}
		for name, list := range left {
			i := slices.IndexFunc(worlds, func(w world) bool { return w.name == name })
			if i < 0 {
				t.Errorf("%s: there is no world %s any more", release, name)
				continue
			}
			t.Run(release+"/"+name, func(t *testing.T) { upgrade(t, worlds[i], list, release == unreleased(t)) })
		}
	}
}

func upgrade(t *testing.T, w world, left []*discoveryv1.EndpointSlice, same bool) {
	server := &sim.Server{}
	server.Put(left...)
	plan, err := w.plan(server.List(), true)
	if err != nil {
		t.Fatal(err)
	}
	if same && !plan.Empty() {
		t.Errorf("this version writes on what it left itself:\n%v", plan)
	}
	for _, s := range plan.Steps {
		if s.Verb != slicer.Update || s.Added+s.Removed > 0 || s.Old.Name != s.New.Name {
			t.Errorf("not to be done in an upgrade: %v", s)
		}
	}
	apply(t, server, plan)
	if plan, err = w.plan(server.List(), true); err != nil || !plan.Empty() {
		t.Errorf("the second plan writes: %v\n%v", err, plan)
	}
	had, has := map[string]bool{}, map[string]bool{}
	for _, s := range left {
		had[ordinal.ReplaceAllString(s.Name, "")] = true
	}
	for _, s := range made(t, w) {
		has[ordinal.ReplaceAllString(s.Name, "")] = true
	}
	if !maps.Equal(had, has) {
		t.Errorf("names were %v, and are %v", had, has)
	}
}

// ordinal is what tells the names of a set's slices of one type apart. How many there are is a
// matter of packing.
var ordinal = regexp.MustCompile(`-[0-9]+$`)

// made lets this version publish a world from the beginning.
func made(t *testing.T, w world) []*discoveryv1.EndpointSlice {
	t.Helper()
	server := &sim.Server{}
	for _, later := range []bool{false, true} {
		plan, err := w.plan(server.List(), later)
		if err != nil {
			t.Fatal(w.name, err)
		}
		apply(t, server, plan)
	}
	return server.List()
}

func apply(t *testing.T, server *sim.Server, plan slicer.Plan) {
	t.Helper()
	for _, s := range plan.Steps {
		if err := check.Apply(server, s); err != nil {
			t.Fatal(err)
		}
	}
}

// unreleased is the version that the CHANGELOG calls not yet released, "" for none.
func unreleased(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../.github/CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if version, ok := strings.CutSuffix(strings.TrimSpace(line), ", not yet released"); ok {
			return strings.TrimPrefix(version, "## ")
		}
	}
	return ""
}

func rewriteUnreleased(t *testing.T) {
	version := unreleased(t)
	if version == "" {
		t.Fatal("the CHANGELOG has no version that is not yet released")
	}
	var text bytes.Buffer
	for _, w := range worlds {
		fmt.Fprintln(&text, w.name)
		for _, s := range made(t, w) {
			line, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "%s\n", line)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, version+".json"), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// read returns the slices of a file by the names of their worlds.
func read(t *testing.T, file string) map[string][]*discoveryv1.EndpointSlice {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all, name := map[string][]*discoveryv1.EndpointSlice{}, ""
	for line := range bytes.Lines(text) {
		if line[0] != '{' {
			name = strings.TrimSpace(string(line))
			all[name] = nil
			continue
		}
		s := &discoveryv1.EndpointSlice{}
		if err := json.Unmarshal(line, s); err != nil {
			t.Fatal(file, err)
		}
		all[name] = append(all[name], s)
	}
	return all
}
