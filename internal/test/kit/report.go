package kit

import (
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/slicewright/slicewright"

// version is that of the module in the test's build, devel in its own.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return cmp.Or(dependency.Version, "devel")
			}
		}
	}
	return "devel"
}

// report writes what was claimed, tried and found as YAML.
func (c *Claims) report(w io.Writer, findings []Finding, histories int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "kit: %s\nversion: %q\nname: %q\nhistories: %d\nseed: %d\n", c.Kit.Name, version(), c.Options.Name, histories, c.Seed)
	b.WriteString("features:\n")
	for _, f := range c.Features {
		fmt.Fprintf(&b, "  %s: %t\n", f.Name, c.Can(f.Name))
	}
	b.WriteString("guarantees:\n")
	for _, g := range c.judged {
		of := slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Guarantee != g.Name || f.Failed == 0 })
		if len(of) == 0 {
			fmt.Fprintf(&b, "  %s: {holds: true}\n", g.Name)
			continue
		}
		fmt.Fprintf(&b, "  %s:\n    holds: false\n    causes:\n", g.Name)
		for _, f := range of {
			fmt.Fprintf(&b, "    - cause: %q\n      histories: %d\n      replay: %q\n", f.Cause, f.Failed, f.Replay)
			if f.Known != "" {
				fmt.Fprintf(&b, "      known: %q\n", f.Known)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Run is a test with a subtest for each guarantee, which fails with the stories of the findings that are not known.
func (c *Claims) Run(t *testing.T, check func() ([]Finding, error)) {
	t.Helper()
	c.announced = true
	findings, err := check()
	if err != nil {
		t.Fatalf("%s: %v", c.Kit.Name, err)
	}
	for _, g := range c.judged {
		t.Run(g.Name, func(t *testing.T) {
			t.Helper()
			for _, f := range findings {
				switch {
				case f.Guarantee != g.Name:
				case f.Known != "" && f.Failed > 0:
					t.Logf("known: %s\n%s", f.Known, f.Text())
				default:
					t.Error(f.Text())
				}
			}
		})
	}
}
