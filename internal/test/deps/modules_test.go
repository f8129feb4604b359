package deps

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestModules measures both sides: what the API types bring into a build, and what all our packages do. Importing them
// must cost nothing that a controller does not pay already.
func TestModules(t *testing.T) {
	floor := modules(t, "k8s.io/api/core/v1", "k8s.io/api/discovery/v1")
	var packages []string
	for _, dir := range public(t) {
		packages = append(packages, "./"+dir)
	}
	ours := modules(t, packages...)
	ours = slices.DeleteFunc(ours, func(m string) bool { return m == module })
	t.Logf("api and apimachinery: %d modules; with %s: %d", len(floor), strings.Join(packages, " "), len(ours))
	if len(floor) < 2 || !slices.Contains(ours, "k8s.io/api") {
		t.Fatalf("this measures nothing: %v, %v", floor, ours)
	}
	if figure := fmt.Sprintf("to the %d that `k8s.io/api` and `k8s.io/apimachinery` bring", len(floor)); !strings.Contains(readme(t), figure) {
		t.Errorf("the README does not say %q", figure)
	}
	for _, m := range ours {
		if !slices.Contains(floor, m) {
			t.Errorf("our packages add the module %s", m)
		}
	}
}

// modules lists the modules, sorted, whose packages are built for the given ones.
func modules(t *testing.T, packages ...string) []string {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, packages...)...)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v: %v\n%s", list, err, exit.Stderr)
		}
		t.Fatal(err)
	}
	found := strings.Fields(string(out))
	slices.Sort(found)
	return slices.Compact(found)
}
