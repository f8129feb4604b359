package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// hostile is a file that is made to cost much memory: a beginning, a part that is repeated with its
// number where it says #, and an end.
type hostile struct {
	name, begin, part, end string
}

const (
	list     = `{"apiVersion":"v1","kind":"List","items":[`
	annotate = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  annotations:\n    first: &x "
	laughs   = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
		"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n" +
		"g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n"
)

// aliases are files with YAML aliases.
var aliases = []hostile{
	{"aliases of a short text", annotate + strings.Repeat("x", 1000) + "\n", "    a#: *x\n", ""},
	{"aliases of a long text", annotate + strings.Repeat("x", 100_000) + "\n", "    a#: *x\n", ""},
	{"aliases of a list", "a: &x [" + strings.Repeat("a,", 10_000) + "]\n", "b#: *x\n", ""},
	{"aliases of aliases", laughs, "# comment\n", ""},
}

// dense are files without.
var dense = []hostile{
	{"merged objects", "a: &x {b: c}\nd: [", "{<<: *x},", "]\n"},
	{"anchors", "", "a#: &a# b\n", ""},
	{"texts in a flow list", "a: [", "a,", "a]\n"},
	{"objects in a flow list", "a: [", "{a: },", "a]\n"},
	{"texts in a block list", "apiVersion: v1\nkind: List\nitems:\n", "- a\n", ""},
	{"objects in a block list", "apiVersion: v1\nkind: Pod\nitem:\n", "- a:\n", ""},
	{"dashes", "", "- ", "a\n"},
	{"brackets in YAML", "a: ", "[", "\n"},
	{"brackets in JSON", `{"a":`, "[", "}"},
	{"labels", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n", "    a#:\n", ""},
	{"annotations", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","annotations":{`, `"#":"",`, `"":""}}}`},
	{"documents", "", "---\n", ""},
	{"documents with an object", "", "---\n{apiVersion: v1, kind: Node, metadata: {name: a#}}\n", ""},
	{"documents with another object", "", "---\n{apiVersion: v1, kind: Odd}\n", ""},
	{"containers in JSON", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[`, "{},",
		"{}]}}"},
	{"containers in YAML", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [", "{},", "{}]\n"},
	{"ports", `{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"ports":[`, "{},", "{}]}}"},
	{"endpoints", `{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"a"},"endpoints":[`,
		"{},", "{}]}"},
	{"Pods", `{"apiVersion":"v1","kind":"PodList","items":[`, `{"metadata":{"name":"a#"}},`,
		`{"metadata":{"name":"a"}}]}`},
	{"slices", `{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSliceList","items":[`,
		`{"metadata":{"name":"a#"}},`,
		`{"metadata":{"name":"a"}}]}`},
	{"other objects", list, `{"kind":"Odd","apiVersion":"v1"},`, `{"kind":"Odd","apiVersion":"v1"}]}`},
	{"lists in lists in JSON", "", list, ""},
	{"closed lists in lists", strings.Repeat(list, 4000) + strings.Repeat("]}", 4000), " ", ""},
	{"lists in lists in YAML", "", "{apiVersion: v1, kind: List, items: [", ""},
	{"a line", "a: ", "x", "\n"},
	{"lines", "", "a: b\n", ""},
	{"a text without end", `{"apiVersion":"`, "x", ""},
	{"characters that JSON escapes", "apiVersion: v1\nkind: Node\nmetadata:\n  name: '", "<", "'\n"},
	{"escapes in YAML", `a: "`, `\e`, `"`},
	{"comments", "", "# a\n", ""},
}

// text is the file with about that number of bytes.
func (h hostile) text(size int) string {
	var text strings.Builder
	text.WriteString(h.begin)
	for i := 0; text.Len() < size; i++ {
		text.WriteString(strings.ReplaceAll(h.part, "#", fmt.Sprint(i)))
	}
	return text.String() + h.end
}

// asCommand is the variable that lets a test binary be the command, in a process whose memory can
// be measured.
const asCommand = "SLICEWRIGHT_TEST_AS_COMMAND"

// Main runs the tests, or the command if Bounded started the process. Then standard output is the
// greatest amount of memory that the process had, in kB.
func (c Command) Main(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		os.Exit(m.Run())
	}
	code := c(os.Args[1:], os.Stdin, io.Discard, os.Stderr)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status); m != nil {
		os.Stdout.Write(m[1])
	}
	os.Exit(code)
}

// Bounded checks that the command reads hostile files of some sizes with at most 20 times their
// size of memory and 64 MB, and answers with at most one line if it refuses one. The files with
// aliases must be refused.
func (c Command) Bounded(t *testing.T, sizes []int, args ...string) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is read from /proc, which Linux has")
	}
	t.Run("aliases", func(t *testing.T) {
		for _, h := range aliases {
			h.run(t, sizes[0], "aliases such as", args)
		}
	})
	t.Run("all", func(t *testing.T) {
		nightly.Slow(t)
		for _, size := range sizes {
			for _, h := range aliases {
				h.run(t, size, "aliases such as", args)
			}
			for _, h := range dense {
				h.run(t, size, "", args)
			}
		}
	})
}

func (h hostile) run(t *testing.T, size int, want string, args []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "in")
	text := h.text(size)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	process := exec.Command(os.Args[0], append(args, file)...)
	process.Env = append(os.Environ(), asCommand+"=1")
	process.Stdout, process.Stderr = &stdout, &stderr
	err := process.Run()
	answer := strings.TrimSpace(stderr.String())
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) ||
		strings.Count(answer, "\n") > 0 || !strings.Contains(answer, want) {
		t.Errorf("%s, %d bytes: %v: %.500s", h.name, len(text), err, answer)
	}
	peak, err := strconv.Atoi(stdout.String())
	if most := 20*len(text)>>10 + 64<<10; err != nil || peak > most {
		t.Errorf("%s, %d bytes: %d kB of memory, more than %d (%v): %.200s", h.name, len(text), peak, most, err, answer)
	}
}
