// Package commandtest has the tests that the commands share.
package commandtest

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// New returns the command that is tested.
type New func() *command.Command

// answer is what a command prints, without blank lines, with "!" before lines of standard error, and
// the exit code if it is not 0.
func (run New) answer(args []string, stdin string) string {
	var stdout, stderr bytes.Buffer
	code := run().Main(args, strings.NewReader(stdin), &stdout, &stderr)
	for line := range strings.Lines(stderr.String()) {
		stdout.WriteString("! " + line)
	}
	if code != 0 {
		fmt.Fprintf(&stdout, "exit %d\n", code)
	}
	return strings.TrimPrefix(regexp.MustCompile(`\n\n+`).ReplaceAllString("\n"+stdout.String(), "\n"), "\n")
}

var (
	goName = regexp.MustCompile(`\b(?:Set|Options|Input|Plan|slicer|services|hints|routing|dedup|mirror)\.[A-Z]\w*|` +
		`\b(?:options|set)\.\w+`)
	remedy = regexp.MustCompile(`\b(?:add|check|correct|get|give|leave|put|remove|render|save|say|want|write)\b|-h `)
)

// Scenarios runs files in which a command is a line with the flags and files, which are relative to
// the root. Lines below the command input are standard input of the commands after it: a document
// each, or one text if they begin with a bar.
func (run New) Scenarios(t *testing.T, name, pattern string) {
	t.Chdir("../..")
	begin := func() scenario.Handler {
		input := ""
		return func(c scenario.Command) (string, error) {
			if c.Name == "input" {
				input = strings.Join(c.Block, "\n---\n")
				if strings.HasPrefix(input, "|") {
					input = strings.ReplaceAll(strings.ReplaceAll(input, "\n---\n", "\n"), "\n|", "\n")[1:]
				}
				return "", nil
			}
			if c.Name != name {
				return "", fmt.Errorf("no command %s", c.Name)
			}
			got := run.answer(c.Args, input)
			if word := goName.FindString(got); word != "" {
				return got, fmt.Errorf("users of kubectl do not know %s", word)
			}
			for line := range strings.Lines(got) {
				if strings.HasPrefix(line, "! ") && !remedy.MatchString(line) {
					return got, fmt.Errorf("no word says what to do: %s", line)
				}
			}
			return got, nil
		}
	}
	scenario.Run(t, pattern, begin, func(command string) bool { return command == "input" })
}

// Hostile gives the command files that take much memory or end too early, and a list of 10 000 Pods
// as JSON and as YAML. All are read or refused within 500 MB.
func (run New) Hostile(t *testing.T, args ...string) {
	aliases := "a: &a [x, x, x, x]\n" + times(5_000, "b%d: &a [*a, *a, *a, *a, *a, *a, *a, *a]\n", "")
	small := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d"},"spec":{"containers":[` +
		strings.Repeat("{},", 300) + `{}]}}`
	pod := `{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop","name":"web-%d","labels":{"app":"web"}},` +
		`"spec":{"nodeName":"node-1","containers":[{"name":"web"}]},"status":{"podIP":"10.0.0.1"}}`
	block := "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-%d\n  status:\n    podIP: 1.1.1.1\n"
	list := `{"apiVersion":"v1","kind":"List","items":[` + times(10_000, pod, ",") + "]}"
	for _, row := range []struct{ why, text, want string }{
		{"200 kB of aliases", aliases, "an alias of YAML"},
		{"5 MB of brackets", strings.Repeat("[", 5_000_000), "more than 100000 values"},
		{"5 MB of null", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[` +
			strings.Repeat("null,", 1_000_000) + `{}]}}`, "more than 100000 values"},
		{"5 MB of Pods with empty containers", times(5_000, small, "\n"), "many times its size in memory"},
		{"5 MB of lists in lists", strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, 120_000), "max depth"},
		{"JSON that is cut off", list[:len(list)/2], "the file ends inside this object"},
		{"YAML that is cut off", "apiVersion: v1\nitems:\n" + times(100, block, "") + "- apiVersion: v1", "cut off"},
		{"10 000 Pods as JSON", list, "10000 Pod"},
		{"10 000 Pods as YAML", "apiVersion: v1\nitems:\n" + times(10_000, block, "") + "kind: List\n", "10000 Pod"},
	} {
		if strings.HasPrefix(row.want, "10000") {
			row.text += "\n---\n{apiVersion: v1, kind: Service, metadata: {name: web, uid: u}}\n---\n" +
				"{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, metadata: {name: a}}\n"
		}
		got := run.answer(append(args, "-"), row.text)
		if !strings.Contains(got, row.want) {
			t.Errorf("%s: want %q, got %.500s", row.why, row.want, got)
		}
		var memory runtime.MemStats
		if runtime.ReadMemStats(&memory); memory.Sys > 500<<20 {
			t.Fatalf("%s: %d MB of memory", row.why, memory.Sys>>20)
		}
	}
}

// times is a text with each number up to n in it.
func times(n int, text, between string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.Replace(text, "%d", fmt.Sprint(i), 1)
	}
	return strings.Join(parts, between)
}

// Draw draws an input with all that hand-written manifests and charts get wrong, and returns it with
// what the command prints. No name is part of another one.
func (run New) Draw(t *rapid.T, args ...string) (objects *manifest.Objects, printed string) {
	one := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "one") }
	many := func(most int, text func(i int) string) (all string) {
		for i := range rapid.IntRange(0, most).Draw(t, "many") {
			all += text(i) + ", "
		}
		return all
	}
	meta := func(name string, i int, labels string) string {
		namespace := one("ns", "ns", "far")
		return fmt.Sprintf("metadata: {name: %s-%d, uid: u, namespace: %s, labels: {%s}}", name, i, namespace, labels)
	}
	port := func(int) string {
		return "{" + one("name: http", "name: dns", "name: ''") +
			one("", ", port: 80", ", port: 80", ", port: 81", ", port: 80808") + "}"
	}
	endpoint := func(int) string {
		address := func(int) string { return one("10.0.0.1", "10.0.0.2", "'fd00::2'", "x.example.com", "''") }
		return "{addresses: [" + many(2, address) + "], conditions: {" + one("", "ready: true", "ready: false") + "}}"
	}
	text := "{apiVersion: v1, kind: List, items: [" + many(4, func(i int) string {
		spec := one("", "clusterIP: 10.96.0.1, ", "clusterIP: None, ", "clusterIP: 'fd00::1', ") +
			one("", "", "type: ExternalName, ", "type: NodePort, externalTrafficPolicy: Local, ") +
			one("", "selector: {app: a}, ", "selector: {app: b}, ")
		ports := many(2, func(int) string { return "{port: 80, " + one("name: http", "name: dns", "name: ''") + "}" })
		return "{apiVersion: v1, kind: Service, " + meta("svc", i, "") + ", spec: {" + spec + "ports: [" + ports + "]}}"
	}) + many(3, func(i int) string {
		return "{apiVersion: v1, kind: Endpoints, " + meta("svc", i, "") + "}"
	}) + many(3, func(i int) string {
		ip := one("10.0.0.1", "10.0.0.2", "''", "127.0.0.1", "'fd00::2'")
		return "{apiVersion: v1, kind: Pod, " + meta("pod", i, one("app: a", "app: b")) + ", status: {podIP: " + ip +
			", phase: " + one("Running", "Succeeded") + "}}"
	}) + many(3, func(i int) string {
		labels := one("", "kubernetes.io/service-name: svc-0, ", "kubernetes.io/service-name: svc-1, ",
			"kubernetes.io/service-name: gone, ") + "endpointslice.kubernetes.io/managed-by: " +
			one("''", "endpointslice-controller.k8s.io", "me")
		return "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, " + meta("slice", i, labels) +
			", addressType: " + one("IPv4", "IPv4", "IPv6", "FQDN", "''") + ", ports: [" + many(2, port) +
			"], endpoints: [" + many(3, endpoint) + "]}"
	}) + "]}"
	objects, err := manifest.Files(strings.NewReader(text), false, "-")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return objects, run.answer(append(args, "-"), text)
}
