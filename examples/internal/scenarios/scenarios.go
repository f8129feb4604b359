// Package scenarios tests what all commands have in common: their scenario files, and what they do
// with a disk that is full.
package scenarios

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Rewrite says that answers are rewritten, except in files in which a command ends with another
// exit code than before.
var Rewrite = flag.Bool("rewrite", false, "rewrite the recorded answers")

// Command is a command without its process. It returns the exit code.
type Command func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Answer is what a command prints, with "!" before lines of standard error and the exit code at the
// end.
func (c Command) Answer(args []string, stdin string) string {
	var stdout, stderr bytes.Buffer
	code := c(args, strings.NewReader(stdin), &stdout, &stderr)
	for line := range strings.Lines(stderr.String()) {
		stdout.WriteString("! " + line)
	}
	return fmt.Sprintf("%sexit %d\n", &stdout, code)
}

// Run runs the commands of scenario files, which patterns name from the root, where the commands
// run too:
//
//	prose that says why
//	$ name flags and files
//	< lines of standard input
//	what is printed, see Answer
//	exit 0
//
// At the end a file may have files that its commands read, each after a line with its name: -- NAME
// --
func (c Command) Run(t *testing.T, name string, patterns ...string) {
	t.Chdir("../..")
	command := regexp.MustCompile(`(?ms)^\$ ` + name + `\b(.*?)\n((?:<.*?\n)*)(.*?^exit \d+\n)`)
	exit := regexp.MustCompile(`exit \d+\n$`)
	var files []string
	for _, pattern := range patterns {
		matches, err := filepath.Glob(pattern)
		if err != nil || len(matches) == 0 {
			t.Fatalf("no scenarios in %s (%v)", pattern, err)
		}
		files = append(files, matches...)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil || !command.Match(text) {
				t.Fatalf("no command in %s (%v)", file, err)
			}
			dir := write(t, string(text))
			for name := range inside(string(text)) {
				if !regexp.MustCompile(`(?m)^\$ .* ` + regexp.QuoteMeta(name) + `(?: |$)`).Match(text) {
					t.Errorf("no command reads %s", name)
				}
			}
			actual := ""
			end := 0
			for _, at := range command.FindAllSubmatchIndex(text, -1) {
				prose := string(text[end:at[0]])
				args := string(text[at[2]:at[3]])
				stdin := string(text[at[4]:at[5]])
				want := string(text[at[6]:at[7]])
				if strings.TrimSpace(prose) == "" {
					t.Errorf("%s%s: say why it is here", name, args)
				}
				got := c.answerIn(dir, args, regexp.MustCompile(`(?m)^< ?`).ReplaceAllString(stdin, ""))
				if word := goName.FindString(got); word != "" {
					t.Errorf("%s: the answer has %s, which users of kubectl do not know", args, word)
				}
				for _, refusal := range refusals.FindAllString(got, -1) {
					if !remedy.MatchString(refusal) {
						t.Errorf("%s: no word says what to do: %s", args, refusal)
					}
				}
				if got != want && (!*Rewrite || exit.FindString(got) != exit.FindString(want)) {
					t.Errorf("%s%s\n--- got\n%s--- want\n%s", name, args, got, want)
				}
				actual, end = actual+string(text[end:at[6]])+got, at[7]
			}
			if strings.Contains(string(text[end:]), "\n$ "+name+" ") {
				t.Errorf("no exit code ends the last command: add exit 0, and -rewrite adds the answer")
			}
			if *Rewrite && !t.Failed() {
				if err := os.WriteFile(file, append([]byte(actual), text[end:]...), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// embedded is the line before a file in a scenario file.
var embedded = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// inside returns the files in a scenario file, by name.
func inside(text string) map[string]string {
	files := map[string]string{}
	at := append(embedded.FindAllStringSubmatchIndex(text, -1), []int{len(text)})
	for i, m := range at[:len(at)-1] {
		files[text[m[2]:m[3]]] = text[m[1]:at[i+1][0]]
	}
	return files
}

// write writes the files in a scenario file to a directory.
func write(t *testing.T, text string) (dir string) {
	dir = t.TempDir()
	for name, content := range inside(text) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// answerIn is Answer with the files in a directory, whose own name is not shown.
func (c Command) answerIn(dir, args, stdin string) string {
	words := strings.Fields(args)
	for i, word := range words {
		if _, err := os.Stat(filepath.Join(dir, word)); err == nil && word != "-" {
			words[i] = filepath.Join(dir, word)
		}
	}
	return strings.ReplaceAll(c.Answer(words, stdin), dir+string(filepath.Separator), "")
}

// goName is the name of something in the Go packages.
var goName = regexp.MustCompile(`\b(?:Set|Options|Input|Plan|slicer|services|hints|routing|forecast|dedup|mirror)` +
	`\.[A-Z]\w*|\b(?:options|set)\.\w+`)

// refusals are the lines of standard error, and remedy is how a line says what to do: a sentence
// after the mistake, or what a flag wants.
var (
	refusals = regexp.MustCompile(`(?m)^! .*$`)
	remedy   = regexp.MustCompile(`(?:[;:,(] ?| or )(?:add|check|close|correct|get|give|indent|leave|look|put|` +
		`publish|remove|render|save|say|try|unpack|write|a valid|-h)|^! \w+: [^;]*?-[a-z-]+[^;]*: want `)
)

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// WritesFail checks that the exit code says that nothing could be printed, for help and for each
// line of arguments.
func (c Command) WritesFail(t *testing.T, lines ...string) {
	for _, args := range append(lines, "-h") {
		var stderr bytes.Buffer
		if code := c(strings.Fields(args), nil, full{}, &stderr); code != 1 ||
			!strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: exit code %d: %s", args, code, &stderr)
		}
	}
}
