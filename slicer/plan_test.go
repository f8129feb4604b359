package slicer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/slicewright/slicewright/slicer"
)

// TestStats: full slices of two endpoints, one for each list of ports, and a placeholder.
func TestStats(t *testing.T) {
	s := planned(t, input(t, `options max=2
set types=ipv4,ipv6

slices
web-a ipv4 rv=3 | http:80 | 10.0.0.1
web-b ipv4 rv=4 | http:80 | 10.0.0.2

want
http:80 | 10.0.0.1 10.0.0.2
http:81 | 10.0.0.1 10.0.0.3 10.0.0.4`)).Stats()
	if want := (slicer.Stats{Slices: 5, DesiredSlices: 4, Endpoints: 5}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}

// word is a reason as the code has it.
var word = regexp.MustCompile(`^[A-Z][a-z]+([A-Z]+[a-z]*)*$`)

// TestReasons: the package comment lists just the reasons that the code has.
func TestReasons(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, lists, _ := strings.Cut(string(doc), "Reasons of Warnings:")
	listed := map[string]bool{}
	for line := range strings.Lines(lists) {
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if word.MatchString(w) {
				listed[w] = true
			}
		}
	}
	used := map[string]bool{}
	for _, pattern := range reasonFiles {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					if text := strings.Trim(l.Value, `"`); word.MatchString(text) && !notReasons[text] {
						used[text] = true
					}
				}
				return true
			})
		}
	}
	for w := range used {
		if !listed[w] {
			t.Errorf("the code has the reason %s, and the package comment does not", w)
		}
	}
	for w := range listed {
		if !used[w] && !notReasons[w] {
			t.Errorf("the package comment has %s, and the code does not", w)
		}
	}
}

// reasonFiles have reasons as strings.
var reasonFiles = []string{"*.go", "../internal/accept/accept.go", "services/*.go", "../mirror/*.go", "../mirror/mcs/import.go"}

// notReasons are words of other kinds.
var notReasons = map[string]bool{}

func init() {
	for _, w := range []string{"Pod", "Service", "EndpointSlice", "Auto", "Disabled", "Reasons", "Normal", "Step", "Remove", "Adopt", "Backends", "Pods", "Endpoints"} {
		notReasons[w] = true
	}
	slices.Sort(reasonFiles)
}
