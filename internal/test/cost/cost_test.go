package cost

import (
	"bufio"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// counted are the packages whose statements are counted: all of the library, and what loops for it.
const counted = "github.com/slicewright/slicewright/...,slices,sort,container/heap"

// TestCost builds a program that makes calls with hostile inputs, and counts how often each
// statement runs and how many bytes are allocated while an input becomes eight times as large. Both
// may grow by that and a logarithm, which is less than 32 times; what is quadratic grows by 64.
// Work that the compiler does not count, a copy of a list or a map that grows, is in the bytes.
func TestCost(t *testing.T) {
	nightly.Slow(t)
	const small, large = 250, 2000
	program := filepath.Join(t.TempDir(), "measured")
	run(t, nil, "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, "./measured")
	for name := range Cases() {
		t.Run(name, func(t *testing.T) {
			before, after := measure(t, program, name, small), measure(t, program, name, large)
			var places []string
			for where, n := range after {
				if n > 32*max(before[where], 4*small) {
					places = append(places, where)
				}
			}
			slices.SortFunc(places, func(a, b string) int {
				return cmp.Or(cmp.Compare(after[b], after[a]), cmp.Compare(a, b))
			})
			for _, where := range places[:min(len(places), 3)] {
				t.Errorf("one of %d places that run too often: %s %d times for %d, %d times for %d", len(places), where,
					before[where], small, after[where], large)
			}
		})
	}
}

// measure runs a case, and returns the bytes that its call allocated and how often each statement
// ran.
func measure(t *testing.T, program, name string, n int) map[string]int {
	dir, err := os.MkdirTemp(filepath.Dir(program), "") // without a comma, which the names of cases have
	if err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "counts")
	bytes := run(t, []string{"GOCOVERDIR=" + dir}, program, name, strconv.Itoa(n))
	run(t, nil, "go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+text)
	file, err := os.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	counts := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && !strings.Contains(fields[0], "/internal/test/") {
			counts[fields[0]], _ = strconv.Atoi(fields[2])
		}
	}
	if counts["bytes"], err = strconv.Atoi(strings.TrimSpace(bytes)); err != nil || len(counts) < 1000 {
		t.Fatalf("%s: %d statements, %v", name, len(counts), err)
	}
	return counts
}

func run(t *testing.T, environment []string, name string, args ...string) string {
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), environment...)
	var wrong strings.Builder
	command.Stderr = &wrong
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, &wrong)
	}
	return string(out)
}
